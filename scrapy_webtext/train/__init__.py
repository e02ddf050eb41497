"""Training of the shipped models from labelled corpora; `fusion` needs the extra ``lab``."""
