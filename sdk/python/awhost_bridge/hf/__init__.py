"""Support for trainers that are a transformers.Trainer: their episodes are sampled with the model being trained, and
the trainer is followed from step to step. Unlike the rest of awhost_bridge this needs torch, transformers and
accelerate, which such a trainer has.

    with SyncBridge(endpoint_file, **hello) as bridge:
        stage = Stage(bridge, settings, ChatTemplate(tokenizer), framework="fw", pad=tokenizer.pad_token_id, response_tokens=512)
        stage.trainer = trainer = FwTrainer(…, callbacks=[stage])         # its rollout is stage.rollout(positions)
        with contextlib.suppress(Over):
            trainer.train()
"""

from ..template import end_ids as ends
from . import vllm
from .processes import member
from .sampler import sample
from .stage import Over, Played, Stage

__all__ = ["Over", "Played", "Stage", "ends", "member", "sample", "vllm"]
