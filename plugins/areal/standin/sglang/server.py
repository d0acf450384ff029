"""The server: /health, /generate, /pause_generation, /continue_generation, /update_weights_from_disk,
/load_lora_adapter."""

from __future__ import annotations

import asyncio
import dataclasses
import glob
import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
from aiohttp import web
from safetensors.torch import load_file

from sglang.sampler import Request, sample

MOST_AT_ONCE = 512  # prompts in a batch
FIRST_SCRIPT = 1 << 49  # as a penalty of the frequency it is the name of a script
GATHER_SECONDS = 0.005  # how long to wait for more requests to sample with


@dataclasses.dataclass(frozen=True)
class Options:
    path: str
    host: str
    port: int
    context: int  # tokens
    seed: int


class Engine:
    """One model, one thread that computes."""

    def __init__(self, options: Options) -> None:
        from transformers import AutoConfig, AutoModelForCausalLM

        torch.set_num_threads(1)
        self.options = options
        config = AutoConfig.from_pretrained(options.path)
        if glob.glob(os.path.join(options.path, "*.safetensors")):
            self.model = AutoModelForCausalLM.from_pretrained(options.path, config=config)
        else:  # weights come with the trainer's first update
            self.model = AutoModelForCausalLM.from_config(config)
        self.model = self.model.float().eval()
        self.pad = int(config.pad_token_id or 0)
        self.ends = _ends(self.model)
        self.generator = torch.Generator().manual_seed(options.seed)
        self.updates = 0
        self._without_adapter: dict[str, torch.Tensor] | None = None
        self._thread = ThreadPoolExecutor(1, "sampler")
        self._waiting: list[tuple[Request, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._paused = False

    async def generate(self, request: Request) -> None:
        """Samples a message; its `finish` is None when the engine was paused before it was complete."""
        if self._paused:
            return
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((request, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        await done

    async def _work(self) -> None:
        """Samples what waits, until nothing does."""
        while self._waiting:
            seen = -1
            while seen != len(self._waiting):
                seen = len(self._waiting)
                await asyncio.sleep(GATHER_SECONDS)
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            try:
                await self._compute(sample, self.model, [r for r, _ in batch], self.pad, self.generator, lambda: self._paused)
            except Exception as error:  # the requests fail, not the server
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error)
                continue
            for _, done in batch:
                if not done.done():
                    done.set_result(None)

    async def _compute(self, work: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def pause(self) -> None:
        """Interrupts what is being sampled, and returns when it has stopped."""
        self._paused = True
        if self._task is not None:
            await asyncio.wait([self._task])

    def resume(self) -> None:
        self._paused = False

    async def update(self, path: str, *, adapter: bool = False) -> None:
        await self._compute(self._load_adapter if adapter else self._load, path)
        self.updates += 1

    def _load_adapter(self, path: str) -> None:
        """Merges the LoRA adapter of a directory into the weights without an adapter."""
        from peft import PeftModel

        if self._without_adapter is None:
            self._without_adapter = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.model.load_state_dict(self._without_adapter)
        self.model = PeftModel.from_pretrained(self.model, path).merge_and_unload().eval()

    def _load(self, path: str) -> None:
        """Takes over all weights of a directory, or fails."""
        files = sorted(glob.glob(os.path.join(path, "*.safetensors")))
        if not files:
            raise FileNotFoundError(f"there are no weights in {path}")
        weights: dict[str, torch.Tensor] = {}
        for file in files:
            weights.update(load_file(file))
        outcome = self.model.load_state_dict({k: v.float() for k, v in weights.items()}, strict=False)
        self.model.tie_weights()
        tied = set(getattr(self.model, "_tied_weights_keys", None) or ())
        lost = [k for k in outcome.missing_keys if k not in tied]
        if lost or outcome.unexpected_keys:
            raise RuntimeError(f"the weights in {path} are not the model's: missing {lost[:3]}, unexpected {outcome.unexpected_keys[:3]}")


def _words(wanted: dict[str, Any]) -> list[int] | None:
    """What a smoke run's script says: awhost_areal.script names the file of it."""
    name, folder = wanted.get("frequency_penalty") or 0, os.environ.get("AWHOST_AREAL_SCRIPTS")
    if not folder or name < FIRST_SCRIPT:
        return None
    with open(os.path.join(folder, f"{int(name)}.json"), encoding="utf-8") as f:
        return [int(i) for i in json.load(f)]


def _ends(model: Any) -> frozenset[int]:
    ends = model.generation_config.eos_token_id
    ends = model.config.eos_token_id if ends is None else ends
    return frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])


class Server:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 << 20)
        app.add_routes([
            web.get("/health", self.health), web.post("/generate", self.generate), web.post("/pause_generation", self.pause),
            web.post("/continue_generation", self.resume), web.post("/update_weights_from_disk", self.update),
            web.post("/load_lora_adapter", self.update),
        ])
        return app

    async def health(self, _: web.Request) -> web.Response:
        return web.json_response({"updates": self.engine.updates})

    async def generate(self, request: web.Request) -> web.Response:
        body = await request.json()
        wanted = body["sampling_params"]
        prompt = [int(i) for i in body["input_ids"]]
        room = self.engine.options.context - len(prompt)
        if room <= 0:
            raise web.HTTPBadRequest(text=f"the prompt has {len(prompt)} tokens, and the context is {self.engine.options.context}")
        ends = frozenset() if wanted.get("ignore_eos") else self.engine.ends | frozenset(wanted.get("stop_token_ids") or ())
        job = Request(
            prompt, min(room, int(wanted["max_new_tokens"])), float(wanted.get("temperature", 1.0)), float(wanted.get("top_p") or 1.0),
            int(wanted.get("top_k") or 0), ends, _words(wanted),
        )
        await self.engine.generate(job)
        return web.json_response({"text": "", "output_ids": job.ids, "meta_info": {
            "id": body.get("rid") or "", "finish_reason": job.finish or {"type": "abort", "message": "paused"},
            "prompt_tokens": len(prompt), "completion_tokens": len(job.ids),
            "output_token_logprobs": [[p, t, None] for t, p in zip(job.ids, job.logprobs, strict=True)],
        }})

    async def pause(self, _: web.Request) -> web.Response:
        await self.engine.pause()
        return web.json_response({"success": True})

    async def resume(self, _: web.Request) -> web.Response:
        self.engine.resume()
        return web.json_response({"success": True})

    async def update(self, request: web.Request) -> web.Response:
        body = await request.json()
        path, adapter = body.get("lora_path") or body["model_path"], "lora_path" in body
        try:
            await self.engine.update(path, adapter=adapter)
        except Exception as error:
            print(f"awhost: the weights in {path} could not be taken over: {error}", flush=True)
            return web.json_response({"success": False, "message": str(error)}, status=500)
        print(f"awhost: the CPU sampler took over the weights of {path}, update {self.engine.updates}", flush=True)
        return web.json_response({"success": True, "message": ""})


def serve(options: Options) -> int:
    web.run_app(Server(Engine(options)).app(), host=options.host, port=options.port, print=None, access_log=None)
    return 0
