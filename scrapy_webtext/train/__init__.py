"""Training of the shipped models from labelled corpora; needs the extra ``lab``."""
