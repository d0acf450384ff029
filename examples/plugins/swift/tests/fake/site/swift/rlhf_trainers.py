# SPDX-License-Identifier: Apache-2.0
import asyncio
import collections
import contextlib
import json
import pathlib
import types
import uuid

from transformers import AutoTokenizer

from .callbacks import callbacks_map
from .rewards import orms
from .rollout import multi_turns, run_multi_turn
from .template import TEMPLATE_MAPPING
from .tensor import Tensor

LOGPROB = -1.0  # of each token, whatever the weights


class Model:
    """Its weights are the ids that it was trained with."""

    def __init__(self):
        self.training, self.weights = True, []

    def train(self, mode=True):
        self.training = mode

    def eval(self):
        self.train(False)


class GRPOTrainer:
    def __init__(self, args):
        assert args.rlhf_type == "grpo" and not args.use_vllm
        assert args.template_backend == "swift", "jinja trains prompts and the results of tools"
        assert not args.dataset_shuffle and not args.train_dataloader_shuffle, "positions come in the host's order"
        assert args.overlong_filter, "the token of a row without a reward would be trained"
        self.args, self.model = args, Model()
        self.template = TEMPLATE_MAPPING[args.template].template_cls(AutoTokenizer.from_pretrained(args.model))
        self.accelerator = types.SimpleNamespace(process_index=0, num_processes=1, unwrap_model=lambda m: m, autocast=contextlib.nullcontext, wait_for_everyone=lambda: None)
        self.callbacks = [callbacks_map[name](args, self) for name in args.callbacks]  # before there is a request_config
        self.state = types.SimpleNamespace(global_step=0, max_steps=args.max_steps)
        self.control = types.SimpleNamespace(should_save=False, should_training_stop=False)
        self.num_generations = args.num_generations
        self.request_config = types.SimpleNamespace(max_tokens=args.max_completion_length, temperature=args.temperature, top_p=args.top_p, top_k=args.top_k)
        self.multi_turn_scheduler = multi_turns[args.multi_turn_scheduler](max_turns=args.max_turns, tokenizer=self.template.tokenizer, template=self.template)
        self.reward_funcs = [orms[name](args=args) for name in args.reward_funcs]
        self.rows = [json.loads(line) for path in args.dataset for line in pathlib.Path(path).read_text().splitlines()]
        self._metrics, self._buffered_inputs = {"train": collections.defaultdict(list)}, None

    def train(self, resume_from_checkpoint=None):
        if resume_from_checkpoint:
            self._load_from_checkpoint(resume_from_checkpoint)
            self.state.global_step = json.loads(pathlib.Path(resume_from_checkpoint, "trainer_state.json").read_text())["global_step"]
        pathlib.Path(self.args.output_dir).mkdir(parents=True, exist_ok=True)
        self.call("on_train_begin", optimizer=types.SimpleNamespace(param_groups=[]))
        while self.state.global_step < self.args.max_steps and not self.control.should_training_stop:
            self.control.should_save = False
            self.step()
            self.state.global_step += 1
            last = self.state.global_step >= self.args.max_steps
            self.control.should_save = last or self.state.global_step % self.args.save_steps == 0
            self.control.should_training_stop = last
            self.call("on_step_end")
            self.log({"loss": 0.1, "grad_norm": 1.0})
            if self.control.should_save:
                self.save()
                self.call("on_save")
        self.log({"train_runtime": 1.0})

    def _load_from_checkpoint(self, folder):
        self.model.weights = json.loads(pathlib.Path(folder, "model.safetensors").read_text())

    def call(self, hook, **kwargs):
        for callback in self.callbacks:
            getattr(callback, hook, lambda *_, **__: None)(self.args, self.state, self.control, **kwargs)

    def step(self):
        size = self.args.per_device_train_batch_size * self.args.gradient_accumulation_steps
        first = self.state.global_step * size // self.num_generations
        rows = [row for row in self.rows[first : first + size // self.num_generations] for _ in range(self.num_generations)]
        assert len(rows) == size, f"the dataset has {len(rows)} rows for {size} samples"
        samples = self.rollout([types.SimpleNamespace(uuid=uuid.uuid4().hex, messages=list(row["messages"]), data_dict={"position": row["position"]}) for row in rows])
        self.score(samples)
        micro = self.args.per_device_train_batch_size
        self._buffered_inputs = [{"grpo_batch": self.batch(samples[i : i + micro])} for i in range(0, size, micro)]
        lengths = [sum(row) for b in self._buffered_inputs for row in b["grpo_batch"].completion_mask.tolist()]
        self._metrics["train"]["completions/mean_length"].append(sum(lengths) / size)
        self._metrics["train"]["completions/clipped_ratio"].append(sum(s.finish_reason == "length" for s in samples) / size)
        self.model.weights.append([[i for i, m in zip(s.ids, s.mask) if m] for s in samples if s.finish_reason != "length"])

    def rollout(self, requests):
        asyncio.run(self.multi_turn_scheduler.on_trajectory_start(requests))
        outputs = [self.generate(request) for request in requests]
        rows = run_multi_turn(requests, outputs, self.multi_turn_scheduler)
        self.model.train()
        return [
            types.SimpleNamespace(messages=request.messages, ids=row["response_token_ids"], mask=row["response_loss_mask"], logprobs=row["rollout_logprobs"],
                                  finish_reason=choice.finish_reason, rollout_infos={**row["rollout_infos"], "num_turns": 1})
            for request, choice, row in zip(requests, outputs, rows)
        ]

    def generate(self, request):
        """Each request costs a generation, whatever the scheduler has played."""
        assert self.request_config.max_tokens == 1, f"{self.request_config.max_tokens} tokens are sampled, and thrown away"
        encoded = self.template.encode(request.messages)
        assert encoded["input_ids"] and "labels" not in encoded, "a prompt has ids, and no labels"
        return types.SimpleNamespace(content="a", token_ids=[97], logprobs=None, finish_reason="length")

    def score(self, samples):
        for reward in self.reward_funcs:
            rewards = reward([s.messages[-1]["content"] for s in samples], trainer_state=self.state, rollout_infos=[s.rollout_infos for s in samples], messages=[s.messages for s in samples])
            assert len(rewards) == len(samples)
            assert None not in rewards, "ms-swift takes None for a reward of 0, which it is not"
            self._metrics["train"]["reward"].append(sum(rewards) / len(rewards))

    def batch(self, samples):
        """Its mask begins with the earliest token that one of the rows trains; padding stands behind the rows."""
        encoded = []
        for s in samples:
            content = {"token_ids": s.ids, "loss_scale": s.mask}
            encoded.append(self.template.encode([m | {"content": content} if m["role"] == "assistant" else m for m in s.messages]))
            labels = encoded[-1]["labels"]
            assert encoded[-1]["input_ids"] == s.ids and [i if m else -100 for i, m in zip(s.ids, s.mask)] == labels, "other ids are trained than the scheduler gave"
            assert any(label != -100 for label in labels), "Size does not match: nothing of a row is trained"
            assert labels[0] == -100, "nothing comes before the first token: it has no log-probability"
        longest = max(len(e["labels"]) for e in encoded)
        padded = [e["labels"] + [-100] * (longest - len(e["labels"])) for e in encoded]
        first = min(next(i for i, label in enumerate(labels) if label != -100) for labels in padded)
        mask = [[label != -100 for label in labels[first:]] for labels in padded]
        sampled = [iter(s.logprobs) for s in samples]
        return types.SimpleNamespace(
            completion_mask=Tensor(mask), truncated_mask=Tensor([s.finish_reason == "length" for s in samples]),
            old_per_token_logps=Tensor([[LOGPROB] * len(row) for row in mask]), rollout_per_token_logps=Tensor([[next(own) if m else 0.0 for m in row] for own, row in zip(sampled, mask)]),
        )

    def log(self, logs):
        logs |= {name: sum(values) / len(values) for name, values in self._metrics["train"].items()}
        self._metrics["train"].clear()
        self.call("on_log", logs=logs)
        logs["global_step/max_steps"] = f"{self.state.global_step}/{self.state.max_steps}"
        with open(pathlib.Path(self.args.output_dir) / "logging.jsonl", "a", encoding="utf-8") as f:  # as it is: resumed or not
            f.write(json.dumps(logs) + "\n")

    def save(self):
        folder = pathlib.Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").write_text(json.dumps(self.model.weights))
        if self.args.tuner_type != "full":
            (folder / "adapter_config.json").write_text("{}")  # the real one's weights are then those of the adapter alone
        (folder / "trainer_state.json").write_text(json.dumps({"global_step": self.state.global_step}))
