"""What tests of ``extract`` share."""

STORY = "The harbour was quiet that morning, and nobody saw the boat leave."


TITLE = "<title>Bøat</title><meta property='og:title' content='Bøat'>"
PAGE = f"{TITLE}<body><nav><a href='/'>Home</a></nav><article><p>{STORY}</p></article>"
