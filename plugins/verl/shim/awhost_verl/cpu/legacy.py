"""verl 0.7 and 0.8, which have no platform layer: fills in what they call and a CPU lacks."""

from __future__ import annotations

import contextlib
import importlib.util
from typing import Any

import torch

from awhost_verl.cpu.engine import register_engine, use_gloo

use_gloo()
for _name in (
    "memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved", "empty_cache", "ipc_collect",
    "manual_seed", "manual_seed_all", "reset_peak_memory_stats",
):
    if not hasattr(torch.cpu, _name):
        setattr(torch.cpu, _name, lambda *_, **__: 0)
torch.cpu.mem_get_info = lambda *_: (8 << 30, 16 << 30)
torch.cpu.get_rng_state, torch.cpu.set_rng_state = torch.get_rng_state, torch.set_rng_state

import verl.utils.device as _device  # noqa: E402  (after torch has what it asks for)

_device.get_nccl_backend = lambda: "gloo"
_device.get_resource_name = lambda: "GPU"
_device.get_device_id = lambda: torch.device("cpu")

import verl.workers.engine.fsdp.transformer_impl as _engine  # noqa: E402

_engine.get_device_id = _device.get_device_id


class CpuEngine(_engine.FSDPEngineWithLMHead):
    """Hands the sampler the weights as they are. verl's own rounds them to bfloat16 on the way, so that the probabilities of
    trainer and sampler never agree, and a misplaced token would not show."""

    def get_per_tensor_param(self, *args: Any, **kwargs: Any) -> Any:
        inner = getattr(self.module, "_fsdp_wrapped_module", self.module)
        if hasattr(inner, "peft_config"):
            return super().get_per_tensor_param(*args, **kwargs)
        weights = _engine.convert_weight_keys(self.module.state_dict(), inner)
        return ((name, w.full_tensor() if hasattr(w, "full_tensor") else w) for name, w in weights.items()), None


register_engine(CpuEngine)

_autocast = torch.autocast


def _in_full_precision(device_type: str, *args: Any, **kwargs: Any) -> Any:
    """0.7 computes in bfloat16 whatever its configuration says."""
    return contextlib.nullcontext() if device_type == "cpu" else _autocast(device_type, *args, **kwargs)


torch.autocast = _in_full_precision

if importlib.util.find_spec("verl.utils.attention_utils") and importlib.util.find_spec("verl.utils.npu_flash_attn_utils"):
    import verl.utils.attention_utils as _attention  # noqa: E402

    def _functions():  # flash_attn is not there; verl has the same in plain torch for other hardware
        from verl.utils.npu_flash_attn_utils import index_first_axis, pad_input, rearrange, unpad_input

        return index_first_axis, pad_input, rearrange, unpad_input

    _attention._get_attention_functions = _functions
