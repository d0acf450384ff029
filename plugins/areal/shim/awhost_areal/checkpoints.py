"""AReaL's two kinds of checkpoint as one directory: weights in the Hugging Face layout, and what a resumed run needs."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

RECOVER = "areal"  # the folder of a checkpoint that holds AReaL's recover files


class Checkpoints:
    def __init__(self, trainer: Any, target: str) -> None:
        self._trainer, self._target = trainer, Path(target)
        config = trainer.config
        from areal.utils.recover import RecoverHandler
        from areal.utils.saver import Saver

        place = (config.experiment_name, config.trial_name, config.cluster.fileroot)
        self._models = Path(Saver.get_model_save_root(*place))
        self._info = Path(RecoverHandler.recover_info_path(*place))
        self._state = self._models / "recover_checkpoint"
        if not str(config.actor.backend).startswith("archon"):
            # To find out that the engine is not Archon's, AReaL imports Archon, which needs triton: not there on a CPU.
            trainer.saver._should_use_async = lambda _: False

    def saved(self, global_step: int) -> bool:
        """Whether AReaL has saved both kinds after this step of its own count."""
        return self._weights(global_step) is not None and self._recoverable(global_step)

    def force(self, epoch: int, epoch_step: int, global_step: int) -> None:
        """Saves now what AReaL's frequencies did not."""
        trainer = self._trainer
        for owner, save, there in (
            (trainer.saver, trainer._save_hf, self._weights(global_step) is not None),
            (trainer.recover_handler, trainer._save_recover_checkpoint, self._recoverable(global_step)),
        ):
            if there:
                continue
            check = owner.freq_ctl.check
            owner.freq_ctl.check = lambda *_, **__: True
            try:
                save(epoch=epoch, epoch_step=epoch_step, global_step=global_step)
            finally:
                owner.freq_ctl.check = check

    def _weights(self, global_step: int) -> Path | None:
        found = [d for d in self._models.glob(f"*globalstep{global_step}") if d.name.endswith(f"globalstep{global_step}") and any(d.iterdir())]
        return found[0] if found else None

    def _recoverable(self, global_step: int) -> bool:
        try:
            step = json.loads((self._info / "step_info.json").read_text())["global_step"]
        except FileNotFoundError:
            return False
        return step == global_step and any(self._state.glob("**/*.distcp"))

    def publish(self, global_step: int, step: int) -> str:
        """Moves what AReaL saved into a directory of its own, synced. AReaL overwrites its recover files in place."""
        final = self._target / f"step-{step:06d}"
        shutil.rmtree(final, ignore_errors=True)  # of an interrupted attempt
        self._target.mkdir(parents=True, exist_ok=True)
        weights = self._weights(global_step)
        assert weights is not None, "publish is called after saved"
        _move(weights, final)
        _tie(final)
        (final / RECOVER).mkdir()
        _move(self._state, final / RECOVER / "recover_checkpoint")
        _move(self._info, final / RECOVER / "recover_info")
        _sync(final)
        return str(final)


def restore(config: Any, checkpoint: str) -> None:
    """Puts the recover files of a checkpoint where AReaL looks for them when it starts."""
    from areal.utils.recover import RecoverHandler
    from areal.utils.saver import Saver

    place = (config.experiment_name, config.trial_name, config.cluster.fileroot)
    source = Path(checkpoint) / RECOVER
    for name, target in (
        ("recover_checkpoint", Path(Saver.get_model_save_root(*place)) / "recover_checkpoint"),
        ("recover_info", Path(RecoverHandler.recover_info_path(*place))),
    ):
        if not (source / name).is_dir():
            raise FileNotFoundError(f"{source / name} is missing: the checkpoint cannot be resumed from, it holds weights only")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source / name, target)


def optimizer_state(checkpoint: str) -> str | None:
    """The directory of a checkpoint that holds weights and optimiser, or None."""
    path = Path(checkpoint) / RECOVER / "recover_checkpoint"
    return str(path) if path.is_dir() else None


def _tie(model: Path) -> None:
    """Leaves out the copy of the embeddings that AReaL saves as output layer where the two are one. Who loads both gets a
    model in which they are two, which is trained differently, and for which AReaL's own optimiser state does not fit."""
    if not json.loads((model / "config.json").read_text()).get("tie_word_embeddings"):
        return
    from safetensors import safe_open
    from safetensors.torch import save_file

    name = "lm_head.weight"
    for path in model.glob("*.safetensors"):
        with safe_open(path, "pt") as file:
            if name not in file.keys():
                continue
            kept, metadata = {key: file.get_tensor(key) for key in file.keys() if key != name}, file.metadata()
        save_file(kept, path, metadata=metadata)
    index = model / "model.safetensors.index.json"
    if index.is_file():
        listed = json.loads(index.read_text())
        listed.get("weight_map", {}).pop(name, None)
        index.write_text(json.dumps(listed, indent=2))


def _move(source: Path, target: Path) -> None:
    try:
        os.replace(source, target)
    except OSError:  # another file system
        shutil.copytree(source, target)
        shutil.rmtree(source)


def _sync(top: Path) -> None:
    for folder, _, files in os.walk(top):
        for name in files:
            _fsync(os.path.join(folder, name))
        _fsync(folder)
    _fsync(str(top.parent))


def _fsync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
