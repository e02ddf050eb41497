"""What tests of ``extract`` share."""

STORY = "The harbour was quiet that morning, and nobody saw the boat leave."


PAGE = f"<title>Bøat</title><body><nav><a href='/'>Home</a></nav><article><p>{STORY}</p></article>"
