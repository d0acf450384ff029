"""What all versions need to train with FSDP on a CPU."""

from __future__ import annotations

from typing import Any

import torch


def use_gloo() -> None:
    """verl asks for "cpu:gloo,cpu:gloo" or "nccl", which a CPU does not have."""
    original = torch.distributed.init_process_group

    def init_process_group(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        if backend is not None and ("cpu" in backend or backend == "nccl"):
            backend = "gloo"
        return original(backend, *args, **kwargs)

    torch.distributed.init_process_group = init_process_group


def register_engine(engine: type) -> None:
    """verl registers its FSDP engine for cuda and npu only. It offloads the reference policy to pinned memory, which
    needs CUDA: without an offload policy the weights stay in place."""
    import verl.workers.engine.fsdp.transformer_impl as fsdp
    from verl.workers.engine.base import EngineRegistry

    fsdp.CPUOffloadPolicy = lambda **_: None
    EngineRegistry.register(model_type="language_model", backend=["fsdp", "fsdp2"], device="cpu")(engine)
