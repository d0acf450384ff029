# SPDX-License-Identifier: Apache-2.0
"""An interpreter with a TRL that trains nothing: the hooks of the real one, in its order, in milliseconds and without torch.

It stands in for TRL where the adapter is tested and not the framework. What the real one does is recorded here from 1.16.0: `_generate_and_score_completions` and `log` of
GRPOTrainer, `_inner_training_loop` and `_maybe_log_save_evaluate` of transformers' Trainer. The slow tests say whether it is still so.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

VERSIONS = {"trl": "1.16.0", "torch": "2.11.0", "transformers": "5.23.0", "accelerate": "1.15.0"}


def interpreter(folder: pathlib.Path) -> pathlib.Path:
    """Makes it in a folder, and returns its path."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    for source in (pathlib.Path(__file__).parent / "site").rglob("*.py"):
        target = site / source.relative_to(pathlib.Path(__file__).parent / "site")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    for name, version in VERSIONS.items():
        (site / f"{name}-{version}.dist-info").mkdir()
    return folder / "bin" / "python"
