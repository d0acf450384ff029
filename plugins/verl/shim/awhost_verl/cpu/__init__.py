"""Lets the real verl train on a CPU: for smoke runs and tests, never for a real run.

verl has no CPU rollout engine and, before 0.9, no platform layer. This package registers a platform (0.9 and later) or
fills in what ``torch.cpu`` lacks (before), the FSDP engine for the device "cpu", and a rollout engine that samples with
transformers. It is loaded in all of verl's processes by ``VERL_USE_EXTERNAL_MODULES=awhost_verl.cpu``.

What it cannot show: vLLM and SGLang, NCCL, several GPUs, flash attention, memory use.
"""

from awhost_verl import version

if version.installed_tuple() >= (0, 9):
    from awhost_verl.cpu import platform as _platform  # noqa: F401
else:
    from awhost_verl.cpu import legacy as _legacy  # noqa: F401
from awhost_verl.cpu import rollout as _rollout  # noqa: F401
