"""awhost's stand-in for SGLang, for smoke runs and tests on a CPU: the part of its HTTP surface that AReaL uses.

It samples with transformers, really, from the weights that AReaL publishes, and reports their log-probabilities. Nothing of
SGLang is in here, and it is put on the path only where the spec says ``device = "cpu"``. What it cannot show: SGLang
itself, its parsers, its memory use, several GPUs.
"""

__version__ = "0.5.10.post1"
