"""After each of AReaL's steps: metrics, what was trained on, a checkpoint, and the host's word on how to go on."""

from __future__ import annotations

from typing import Any

from awhost_areal.checkpoints import Checkpoints, optimizer_state
from awhost_areal.consumption import Consumption
from awhost_areal.reporting import Reporter


class Steps:
    """Hooks into the trainer's public parts, on the instance: its statistics logger, which it calls last in each step,
    and its evaluator."""

    def __init__(self, launch: Any, trainer: Any, reporter: Reporter) -> None:
        self._launch, self._trainer, self._reporter = launch, trainer, reporter
        self._consumption = Consumption(trainer.rollout.dispatcher)
        self._checkpoints = Checkpoints(trainer, launch.checkpoint_dir)
        self._last = launch.base + launch.steps_done  # awhost's number of the last finished step
        self._validated = False
        self._outcome, self._reason = "completed", ""
        self._commit = trainer.stats_logger.commit
        trainer.stats_logger.commit = self._committed
        self._evaluate = trainer.evaluator.evaluate
        trainer.evaluator.evaluate = self._evaluated

    def carry_optimizer(self) -> None:
        """A stage that follows another keeps its optimiser where the spec says so. Its weights are in the policy's path."""
        launch = self._launch
        if launch.resumed or not launch.carry_optimizer or not launch.from_checkpoint:
            return
        state = optimizer_state(launch.from_checkpoint)
        if state is None:
            raise FileNotFoundError(f"{launch.from_checkpoint} holds no optimiser: set carry = \"weights\" for the stage")
        from areal.api import SaveLoadMeta

        self._trainer.actor.load(SaveLoadMeta(
            path=state, weight_format="dcp", with_optim=True, tokenizer=None, processor=None, base_model_path=None,
        ))

    def resume_schedule(self) -> None:
        """Brings the learning rate's schedule to where the stage is: AReaL's FSDP engine recovers weights and optimiser, and begins
        its schedule anew (1.0.4, main: DCPState has none). Megatron's checkpoints have it."""
        if str(self._trainer.config.actor.backend).startswith("fsdp"):
            for _ in range(self._launch.schedule_done):
                self._trainer.actor.step_lr_scheduler()

    def before(self) -> bool:
        """The boundary before the first step; False: the stage is over already."""
        if self._launch.resumed:
            return True
        if self._launch.validate_before and self._launch.validation_rows > 0:
            self._validate()
        return self._ask(self._last)

    def _validate(self) -> None:
        workflow = self._launch.workflow
        if self._trainer._requires_proxy_workflow(workflow):
            self._trainer._ensure_proxy_started()
        self._trainer._evaluate_fn(workflow, {"settings": self._launch.settings})
        self._validated = True

    def _evaluated(self, evaluate_fn: Any, epoch: int, step: int, global_step: int) -> Any:
        def run() -> None:
            evaluate_fn()
            self._validated = True

        if self._is_last(global_step):
            step = len(self._trainer.train_dataloader) - 1  # AReaL validates at the end of an epoch, which a stage is
        return self._evaluate(run, epoch, step, global_step)

    def _is_last(self, global_step: int) -> bool:
        """Where AReaL does not count the steps before a resume it ends in the middle of its epoch."""
        return global_step + 1 >= int(self._trainer.config.total_train_steps)

    def _committed(self, epoch: int, step: int, global_step: int, data: Any) -> Any:
        result = self._commit(epoch, step, global_step, data)
        number = self._launch.base + global_step + 1
        for values in data if isinstance(data, list) else [data]:
            self._reporter.metrics(number, values)
        self._reporter.event({"consumed": {
            "step": number, "version_after": number,
            "episodes": [self._episode(index, sample) for index in self._consumption.take() for sample in range(self._launch.settings["samples"])],
        }})
        self._last = number
        announced = self._announce(global_step, number)
        if not announced and self._is_last(global_step):
            self._checkpoints.force(epoch, step, global_step)
            announced = self._announce(global_step, number)
        if not self._ask(number):
            if not announced and self._outcome != "failed":
                self._checkpoints.force(epoch, step, global_step)
                self._announce(global_step, number)
            # AReaL looks at this before each step: it ends by itself, and closes what it opened.
            self._trainer.config.total_train_steps = global_step + 1
        return result

    def _episode(self, index: int, sample: int) -> dict[str, str]:
        return {"episode_id": f"{self._launch.settings['launch_id']}/d{index:07d}/s{sample:03d}", "use": "USE_TRAINED"}

    def _announce(self, global_step: int, number: int) -> bool:
        if not self._checkpoints.saved(global_step):
            return False
        path = self._checkpoints.publish(global_step, number)
        self._reporter.event({"checkpoint": {"step": number, "path": path}})
        return True

    def _ask(self, number: int) -> bool:
        """Asks the host how to go on; False: not at all."""
        launch = self._launch
        validated, self._validated = self._validated, False
        directive, reason = self._reporter.boundary(launch.settings["launch_id"], launch.settings["stage"], number, validated)
        if directive == "continue":
            return True
        outcomes = {"finish_stage": "completed", "stop": "stopped", "abort": "failed"}
        if directive not in outcomes:
            raise ValueError(f"the host answered with the directive {directive!r}, which this shim does not know")
        self._outcome, self._reason = outcomes[directive], reason
        return False

    def finished(self) -> None:
        self._reporter.event({"finished": {
            "outcome": "OUTCOME_" + self._outcome.upper(), "reason": self._reason, "step": self._last,
        }})
