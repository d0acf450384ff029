# SPDX-License-Identifier: Apache-2.0
"""A stand-in for vLLM 0.27, which needs a GPU: what TRL and the adapter call of it, with transformers below. It samples with the weights that it was given, so that it
shows whether they are those that are trained. What the real one does, its kernels, its scheduler, its memory, it does not."""

import types

import torch
from awhost_bridge import Message
from awhost_bridge.hf.sampler import sample
from transformers import AutoModelForCausalLM

from .sampling_params import SamplingParams


class RequestOutput:
    def __init__(self, message):
        logprobs = [{i: types.SimpleNamespace(logprob=p, rank=1)} for i, p in zip(message.ids, message.logprobs)]
        self.prompt_token_ids = message.prompt
        self.outputs = [types.SimpleNamespace(token_ids=tuple(message.ids), logprobs=logprobs, finish_reason=message.finish)]


class LLM:
    def __init__(self, model, **options):
        assert options["logprobs_mode"] == "processed_logprobs" and options["tensor_parallel_size"] == 1 and not options["enable_sleep_mode"]
        self.model = AutoModelForCausalLM.from_pretrained(model).eval()
        self.weights = dict(self.model.named_parameters())
        runner = types.SimpleNamespace(model=types.SimpleNamespace(load_weights=self.load_weights))
        worker = types.SimpleNamespace(model_runner=runner)
        self.llm_engine = types.SimpleNamespace(model_executor=types.SimpleNamespace(driver_worker=worker), model_config=types.SimpleNamespace(max_model_len=4096))

    @torch.no_grad()
    def load_weights(self, weights):
        for name, value in weights:
            self.weights[name].copy_(value)

    def reset_prefix_cache(self):
        print("vLLM's stand-in has new weights", flush=True)

    def generate(self, prompts, sampling_params, use_tqdm):
        messages = []
        for slot, (prompt, wanted) in enumerate(zip(prompts, sampling_params, strict=True)):
            assert isinstance(wanted, SamplingParams) and wanted.logprobs == 0 and 0 <= wanted.seed < 2**63 and wanted.top_k != 0
            messages.append(Message(prompt["prompt_token_ids"], wanted.max_tokens, wanted.temperature, wanted.top_p, max(0, wanted.top_k), wanted.stop or [], wanted.seed, slot, str(slot)))
        sample(self.model, messages, set(sampling_params[0].stop_token_ids), 0, lambda ids: "")
        return [RequestOutput(m) for m in messages]
