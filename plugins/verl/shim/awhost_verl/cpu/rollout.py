"""A rollout engine for verl that samples on the CPU from the weights that the trainer publishes."""

from __future__ import annotations

import asyncio
from typing import Any

import ray
import torch
from awhost_bridge.constraints import Compiler, Grammar
from verl.workers.rollout import base
from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry, TokenOutput

from awhost_verl.cpu.sampler import Request, sample

NAME = "awhost_cpu"  # actor_rollout_ref.rollout.name


def server_name(rank: int) -> str:
    return f"{NAME}_{rank}"


class CpuServer:
    """Token ids in, token ids out. Requests that arrive together are sampled as one batch."""

    def __init__(self, path: str, tokenizer: str) -> None:
        from transformers import AutoModelForCausalLM

        torch.set_num_threads(1)
        self.model = AutoModelForCausalLM.from_pretrained(path).float().eval()
        ends = self.model.generation_config.eos_token_id
        if ends is None:
            ends = self.model.config.eos_token_id
        self.ends = set(ends if isinstance(ends, list) else [] if ends is None else [ends])
        self.pad = int(self.model.config.pad_token_id or 0)
        self.step = 0
        self.tokenizer, self.compiler = tokenizer, None
        self.waiting: list[tuple[Request, asyncio.Future]] = []
        self.sampling: asyncio.Task | None = None

    async def generate(self, prompt_ids: list[int], sampling_params: dict[str, Any], request_id: str, **_: Any) -> TokenOutput:
        request = Request(
            list(prompt_ids), int(sampling_params.get("max_tokens") or 8), float(sampling_params.get("temperature", 1.0)),
            float(sampling_params.get("top_p") or 1.0), int(sampling_params.get("top_k") or 0), sampling_params.get("awhost_forced"), sampling_params.get("seed"),
            self._grammar(sampling_params.get("awhost_grammar")),
        )
        future = asyncio.get_running_loop().create_future()
        self.waiting.append((request, future))
        if self.sampling is None or self.sampling.done():
            self.sampling = asyncio.ensure_future(self._sample())
        step = self.step
        ids, logprobs = await future
        fields = {"token_ids": ids, "log_probs": logprobs, "stop_reason": "completed",
                  "extra_fields": {"global_steps": step, "min_global_steps": step, "max_global_steps": step}}
        return TokenOutput(**{k: v for k, v in fields.items() if k in TokenOutput.model_fields})

    def _grammar(self, given: tuple[str, list[int]] | None) -> Grammar | None:
        if given is None:
            return None
        tag, ends = given
        if self.compiler is None:
            from transformers import AutoTokenizer

            self.compiler = Compiler(AutoTokenizer.from_pretrained(self.tokenizer), ends)
        return self.compiler.compile(tag)

    async def _sample(self) -> None:
        """Samples what waits, until nothing does. The wait for more ends when no request came for a while."""
        while self.waiting:
            seen = -1
            while seen != len(self.waiting):
                seen = len(self.waiting)
                await asyncio.sleep(0.01)
            batch, self.waiting = self.waiting[:512], self.waiting[512:]
            try:
                outputs = sample(self.model, [request for request, _ in batch], self.ends, self.pad)
            except Exception as error:  # the requests fail, not the server
                for _, future in batch:
                    future.set_exception(error)
                continue
            for (_, future), output in zip(batch, outputs, strict=True):
                if not future.done():
                    future.set_result(output)

    async def set_weights(self, weights: dict[str, torch.Tensor], step: int | None) -> None:
        missing = self.model.load_state_dict({k: v.float() for k, v in weights.items()}, strict=False)
        self.model.tie_weights()
        tied = set(getattr(self.model, "_tied_weights_keys", None) or [])
        lost = [k for k in missing.missing_keys if k not in tied]
        if lost or missing.unexpected_keys:
            raise RuntimeError(f"the trainer's weights do not fit the sampler's model: missing {lost[:3]}, unexpected {missing.unexpected_keys[:3]}")
        self.step = int(step or 0)
        print(f"awhost: the CPU sampler has the weights of step {self.step}", flush=True)

    async def _nothing(self, *_: Any, **__: Any) -> None:
        return None

    wake_up = sleep = clear_kv_cache = release_kv_cache = resume_kv_cache = _nothing
    start_profile = stop_profile = abort_all_requests = resume_generation = set_global_steps = _nothing


class CpuReplica(RolloutReplica):
    """Starts the server as a Ray actor."""

    def get_ray_class_with_init_args(self) -> Any:  # abstract in 0.7; not called where trainer and rollout share workers
        raise NotImplementedError("the CPU sampler runs beside the trainer only")

    async def launch_servers(self) -> None:
        config = self.model_config
        path = config.path if hasattr(config, "path") else config["path"]
        tokenizer = getattr(config, "tokenizer_path", None) or path
        actor = ray.remote(CpuServer).options(name=server_name(self.replica_rank), num_cpus=0, max_concurrency=1000)
        server = actor.remote(path, tokenizer)
        self.servers = [server]
        self._server_handle = server
        self._server_address = f"127.0.0.1:{9 + self.replica_rank}"  # a name: nothing listens there


class CpuAdapter(base.BaseRollout):
    """The trainer's end: hands its weights to the server."""

    replica_rank = 0
    is_leader_rank = True

    async def resume(self, tags: list[str]) -> None:
        pass

    async def release(self) -> None:
        pass

    async def update_weights(self, weights: Any, wire_format: str = "named_tensors", global_steps: int | None = None, **_: Any) -> None:
        full = {k: (v.full_tensor() if hasattr(v, "full_tensor") else v).detach().cpu().clone() for k, v in weights}
        await ray.get_actor(server_name(self.replica_rank)).set_weights.remote(full, global_steps)


base._ROLLOUT_REGISTRY[(NAME, "async")] = "awhost_verl.cpu.rollout.CpuAdapter"
RolloutReplicaRegistry.register(NAME, lambda: CpuReplica)
