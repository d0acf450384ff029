# SPDX-License-Identifier: Apache-2.0
import contextlib
import json
import pathlib
import types


class Model:
    """Its weights are the rows that it was trained with."""

    training = True
    config = types.SimpleNamespace(max_position_embeddings=4096)

    def __init__(self):
        self.weights, self.hooks = [], []

    def train(self, mode=True):
        self.training = mode

    def eval(self):
        self.train(False)

    def register_forward_hook(self, hook, with_kwargs):
        self.hooks.append(hook)


class GRPOTrainer:
    def __init__(self, model, reward_funcs, args, train_dataset, processing_class, peft_config, rollout_func):
        self.use_vllm = args.use_vllm
        self.args, self.model, self.rollout_func, self.reward, self.callbacks = (
            args,
            Model(),
            rollout_func,
            reward_funcs,
            [],
        )
        self.prompts, self.num_generations, self.eos_token_ids = (
            train_dataset["prompt"],
            args.num_generations,
            [processing_class.eos_token_id],
        )
        self.accelerator = types.SimpleNamespace(
            process_index=0,
            num_processes=1,
            unwrap_model=lambda m: m,
            autocast=contextlib.nullcontext,
            wait_for_everyone=lambda: None,
        )
        self.state = types.SimpleNamespace(global_step=0, max_steps=args.max_steps)
        self.control = types.SimpleNamespace(should_save=False, should_training_stop=False)

    def add_callback(self, callback):
        self.callbacks.append(callback)

    def _load_from_checkpoint(self, path):
        self.model.weights = json.loads(pathlib.Path(path, "model.safetensors").read_text())

    def train(self, resume_from_checkpoint=None):
        if resume_from_checkpoint:
            self._load_from_checkpoint(resume_from_checkpoint)
            self.state.global_step = json.loads(pathlib.Path(resume_from_checkpoint, "trainer_state.json").read_text())[
                "global_step"
            ]
        self.call("on_train_begin", optimizer=types.SimpleNamespace(param_groups=[]))
        while self.state.global_step < self.args.max_steps and not self.control.should_training_stop:
            self.control.should_save = False
            logs = self.step()
            self.state.global_step += 1
            last = self.state.global_step >= self.args.max_steps
            self.control.should_save = last or self.state.global_step % self.args.save_steps == 0
            self.control.should_training_stop = last
            self.call("on_step_end")
            self.call("on_log", logs=logs)
            self.save_if_wanted()
        self.save_if_wanted()  # at the end of the epoch
        self.call("on_log", logs={"train_runtime": 1.0})

    def save_if_wanted(self):
        if self.control.should_save:
            self.save()
            self.control.should_save = False
            self.call("on_save")

    def call(self, hook, **kwargs):
        for callback in self.callbacks:
            getattr(callback, hook, lambda *_, **__: None)(self.args, self.state, self.control, **kwargs)

    def step(self):
        size = self.args.per_device_train_batch_size * self.args.gradient_accumulation_steps // self.num_generations
        first = self.state.global_step * size
        prompts = [p for p in self.prompts[first : first + size] for _ in range(self.num_generations)]
        out = self.rollout_func(prompts, self)
        lengths = {len(prompts)} | {len(values) for values in out.values()}
        assert len(lengths) == 1, f"rollout_func gave {lengths} rows for {len(prompts)} prompts"
        for name in ("completion_ids", "logprobs", "env_mask"):
            assert [len(row) for row in out[name]] == [len(row) for row in out["completion_ids"]], name
        metrics = {}
        extra = {k: v for k, v in out.items() if k not in ("prompt_ids", "completion_ids", "logprobs", "env_mask")}
        rewards = self.reward(
            completions=prompts,
            log_metric=lambda name, value: metrics.setdefault(name, value),
            trainer_state=self.state,
            **extra,
        )
        for row in zip(out["prompt_ids"], out["completion_ids"], out["env_mask"], rewards, strict=True):
            assert row[3] is not None or not any(row[2]), "a sample without a reward is trained"
        self.model.weights.append(
            [[i for i, m in zip(ids, mask) if m] for ids, mask in zip(out["completion_ids"], out["env_mask"])]
        )
        known = [r for r in rewards if r is not None]
        return {"loss": 0.1, "reward": sum(known) / len(known) if known else None, "entropy": float("nan"), **metrics}

    def save(self):
        folder = pathlib.Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").write_text(json.dumps(self.model.weights))
        (folder / "config.json").write_text("{}")
        (folder / "trainer_state.json").write_text(json.dumps({"global_step": self.state.global_step}))
