"""A CPU platform for verl from 0.9 on, by its public registries, and one wrapper around torch."""

from __future__ import annotations

from typing import Any

import torch
from verl.plugin.platform import PlatformRegistry
from verl.plugin.platform.platform_cuda import PlatformCUDA

from awhost_verl.cpu.engine import register_engine, use_gloo


class _Device:
    """Stands for ``torch.cuda``: what ``torch.cpu`` has, and nothing to do for the rest."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if hasattr(torch.cpu, name):
            return getattr(torch.cpu, name)
        if name == "mem_get_info":
            return lambda *_: (8 << 30, 16 << 30)
        if name == "get_device_name":
            return lambda *_: "cpu"
        return lambda *_, **__: 0


@PlatformRegistry.register(platform="awhost_cpu")
class CpuPlatform(PlatformCUDA):
    """What verl asks of a platform, for the processor."""

    device_name = "cpu"
    vendor_name = "cpu"
    device_module = _Device()

    def is_available(self) -> bool:
        return True

    def is_platform_available(self, use_smi_check: bool = False) -> bool:
        return True

    def current_device(self) -> torch.device:
        return torch.device("cpu")

    def device_count(self) -> int:
        return 1

    def set_device(self, index: int) -> None:
        pass

    def synchronize(self, index: int | None = None) -> None:
        pass

    def manual_seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    manual_seed_all = manual_seed

    def set_allocator_settings(self, settings: str) -> None:
        pass

    def empty_cache(self) -> None:
        pass

    def communication_backend_name(self) -> str:
        return "gloo"

    def is_ipc_supported(self) -> bool:
        return False

    def rollout_env_vars(self) -> dict[str, str]:
        return {}

    def get_collective_module(self) -> None:
        return None


use_gloo()

from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead  # noqa: E402  (imports the platform)

register_engine(FSDPEngineWithLMHead)
