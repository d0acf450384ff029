"""Samples, trains, saves, and loads through the client of Tinker's API."""

from __future__ import annotations

import hashlib
import json
import math
import os
import pathlib
import re
from typing import Any, Callable

import tinker
from awhost_bridge import Message, Played, advance, learning_rate
from tinker import types

from .errors import ServiceError, explained

JSON = dict[str, Any]
STATE = "tinker.json"  # in a checkpoint: the URI of its state on the server
ADAM = {"beta1": "beta1", "beta2": "beta2", "weight_decay": "weight_decay", "max_grad_norm": "grad_clip_norm"}


class Tinker:
    """A Trainer. The weights are on the server: a checkpoint's digest covers all that was trained, in its order."""

    def __init__(self, config: JSON, knobs: JSON, stage: JSON, ends: list[int]) -> None:
        self._config, self._knobs, self._stage, self._ends = config, knobs, stage, ends
        self._busy_seconds = config["busy_timeout"] / 1e9
        self._service: Any = None
        self._training: Any = None
        self._sampler: Any = None  # with the current weights
        self._digest = hashlib.sha256(config["base_model"].encode()).hexdigest()

    def max_context(self) -> int | None:
        """Returns the model's context length, if the server names it. The model must be in the server's list."""
        model, rest = self._config["base_model"], getattr(tinker, "RestClient", None)  # absent in version 0.25
        options = {"base_url": self._config["base_url"] or None, "api_key": self._key()}
        listed = self._ask("list its models", lambda s: (rest(**options) if rest else s).get_server_capabilities())
        lengths = {m.model_name: getattr(m, "max_context_length", None) for m in listed.supported_models}
        if model not in lengths:
            names = ", ".join(sorted(filter(None, lengths)))
            raise ServiceError(f"the server does not train base_model {model}: set base_model to one of {names}")
        return lengths[model]

    def sample(self, messages: list[Message]) -> None:
        if self._sampler is None:
            self._sampler = self._ask("publish weights", lambda _: self._model().save_weights_and_get_sampling_client())
        with explained("sample", self._config):
            prompts = [types.ModelInput.from_ints(m.prompt) for m in messages]
            sampling = [self._sampler.sample(prompt, 1, self._params(m)) for prompt, m in zip(prompts, messages)]
            for m, future in zip(messages, sampling, strict=True):
                (sequence,) = future.result(self._busy_seconds).sequences
                if sequence.logprobs is None:
                    raise ServiceError("the server returns no log-probabilities of sampled tokens: use another server")
                m.ids, m.logprobs, m.finish = list(sequence.tokens), list(sequence.logprobs), sequence.stop_reason

    def _params(self, m: Message) -> types.SamplingParams:
        return types.SamplingParams(
            max_tokens=m.max_tokens, seed=m.seed % 2**31, stop=self._ends, top_k=m.top_k or -1,
            temperature=1.0 if m.temperature is None else m.temperature, top_p=1.0 if m.top_p is None else m.top_p,
        )

    def train(self, step: int, samples: list[Played]) -> dict[str, float]:
        algorithm, optimizer = self._knobs.get("algorithm") or {}, self._knobs.get("optimizer") or {}
        rate = learning_rate(optimizer, step - 1 - self._stage["base"], self._stage["steps"])
        advance(samples, self._stage["group_size"], algorithm.get("normalize_by") or "std")
        keep = algorithm.get("drop_zero_variance") is False
        trained = [p for p in samples if p.row is not None and (p.advantage or keep and p.reward is not None)]
        if not (tokens := sum(p.row.trained for p in trained if p.row is not None)):
            return {"trained_tokens": 0.0}
        known = {theirs: optimizer[ours] for ours, theirs in ADAM.items() if optimizer.get(ours) is not None}
        with explained("train", self._config):
            model, data = self._model(), [datum(p, tokens) for p in trained]
            backward = model.forward_backward(data, self._config["loss"], clip(self._config["loss"], algorithm))
            update = model.optim_step(types.AdamParams(learning_rate=rate, **known))  # sent before the gradients arrive
            out, done = backward.result(self._busy_seconds), update.result(self._busy_seconds)
        for played, outputs in zip(trained, out.loss_fn_outputs, strict=True):
            played.logprobs = [math.nan, *outputs["logprobs"].data]
        self._sampler = None
        rows = [[p.row.ids, p.row.loss_mask, p.advantage] for p in trained if p.row is not None]
        self._digest = hashlib.sha256(json.dumps([self._digest, rate, rows]).encode()).hexdigest()
        return {"learning_rate": rate, "trained_tokens": float(tokens), **out.metrics, **(done.metrics or {})}

    def save(self, folder: pathlib.Path) -> str:
        name = re.sub(r"[^A-Za-z0-9_-]", "-", f"{self._stage['launch']}-{folder.name}")
        saved = self._ask("save a checkpoint", lambda _: self._model().save_state(name, overwrite=True))
        state = {"state": saved.path, "base_model": self._config["base_model"], "digest": self._digest}
        (folder / STATE).write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
        return self._digest

    def load(self, folder: pathlib.Path, *, optimizer: bool) -> None:
        state, model = json.loads((folder / STATE).read_text(encoding="utf-8")), self._config["base_model"]
        if state["base_model"] != model:
            raise ServiceError(f"{folder} has weights of {state['base_model']}, not of {model}: use one base_model")
        method = "create_training_client_from_state" + ("_with_optimizer" if optimizer else "")
        self._training = self._ask("load the checkpoint", lambda service: getattr(service, method)(state["state"]))
        self._digest = state["digest"]

    def _model(self) -> Any:
        """Returns the model on the server. A new one has the weights of the base model."""
        if self._training is None:
            name, rank, seed = self._config["base_model"], self._config["lora_rank"], self._knobs["seed"]
            self._training = self._ask("create the model", lambda s: s.create_lora_training_client(name, rank, seed))
        return self._training

    def _key(self) -> str:
        name = self._config["api_key_env"]
        if not (key := os.environ.get(name)):
            raise ServiceError(f"the environment variable {name} is not set: set it to your key (api_key_env)")
        return key

    def _ask(self, doing: str, request: Callable[[Any], Any]) -> Any:
        """Returns the response to a request, which the client repeats while the server is busy."""
        url, key = self._config["base_url"] or None, self._key()
        with explained(doing, self._config):
            self._service = self._service or tinker.ServiceClient(base_url=url, api_key=key)
            out = request(self._service)  # in version 0.25 not always a future
            return out.result(self._busy_seconds) if hasattr(out, "result") else out


def datum(played: Played, tokens: int) -> types.Datum:
    """Returns a row for the server, which predicts each id from those before it. The server adds the losses of tokens
    up: divided by the number of trained tokens of the step, they are their mean."""
    row = played.row
    assert row is not None
    advantages = [played.advantage / tokens if trained else 0.0 for trained in row.loss_mask[1:]]
    inputs: Any = {"target_tokens": row.ids[1:], "logprobs": row.logprobs[1:], "advantages": advantages}
    return types.Datum(model_input=types.ModelInput.from_ints(row.ids[:-1]), loss_fn_inputs=inputs)


def clip(loss: str, algorithm: JSON) -> JSON | None:
    """Returns the limits of the probability ratio. Only ppo has them."""
    low, high = 1 - algorithm.get("clip_low", 0.2), 1 + algorithm.get("clip_high", 0.2)
    return {"clip_low_threshold": low, "clip_high_threshold": high} if loss == "ppo" else None
