# SPDX-License-Identifier: Apache-2.0
"""An interpreter with an ms-swift that trains nothing: the hooks of the real one, in its order, in milliseconds and without torch.

It stands in for ms-swift where the adapter is tested and not the framework. What the real one does is recorded here from 4.6.0: `_infer_single_or_multi_turn` and
`_rollout` of RolloutTrainerMixin, `run_multi_turn`, `_compute_rewards_per_func`, `_prepare_batch_inputs` and `log` of GRPOTrainer, `PrinterCallbackNew`, and
`_inner_training_loop` and `_maybe_log_save_evaluate` of transformers' Trainer. What the real one would choke on, or train wrongly and say nothing of it, is asserted.
The slow tests say whether it is still so.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

SITE = pathlib.Path(__file__).parent / "site"
VERSIONS = {"ms_swift": "4.6.0", "msgspec": "0.22.0", "torch": "2.11.0", "transformers": "5.19.0", "peft": "0.20.0"}


def interpreter(folder: pathlib.Path) -> pathlib.Path:
    """Makes it in a folder, and returns its path."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    for source in SITE.rglob("*.py"):
        target = site / source.relative_to(SITE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    for name, version in VERSIONS.items():
        (site / f"{name}-{version}.dist-info").mkdir()
    return folder / "bin" / "python"
