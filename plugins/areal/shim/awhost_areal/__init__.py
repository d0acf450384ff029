"""The part of awhost that runs inside AReaL: the driver of a training run, and the workflows that let the host run episodes.

``awhost_areal.train`` is the program that the adapter starts: AReaL's own ``PPOTrainer`` as single controller. AReaL's
rollout workers import ``awhost_areal.workflow`` or ``awhost_areal.agent``. Nothing of AReaL is patched on disk.
"""
