"""Training of the models in the package from labelled corpora; `fusion` needs the extra ``lab``."""
