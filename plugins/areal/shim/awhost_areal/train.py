"""The driver: AReaL's own PPOTrainer as single controller, with the host's word after each step.

    python -m awhost_areal.train LAUNCH_FILE

The launch file is JSON that the adapter writes: where AReaL's configuration is, what the workers need, where checkpoints go.
Exit codes: 0 it ended as it or the host wanted; 3 AReaL refused its configuration; 4 the bridge could not be reached; 1 anything else.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import traceback
from typing import Any

EXIT_CONFIG, EXIT_BRIDGE = 3, 4


@dataclasses.dataclass(frozen=True)
class Launch:
    """The launch file."""

    config: str  # AReaL's YAML
    endpoint_file: str
    admin_key_file: str  # of the proxy in agent mode; empty: none
    workflow: str  # import path
    dynamic_filter: str  # import path, or empty
    settings: dict[str, Any]  # request.Settings
    rows: int  # of the training loader: steps of the whole stage × prompts. The learning rate's schedule goes by it
    first_row: int
    validation_rows: int
    validate_before: bool
    resumed: bool  # the start of the stage is behind us
    restore: bool  # from AReaL's recover files
    from_checkpoint: str
    carry_optimizer: bool
    checkpoint_dir: str
    steps_done: int  # that AReaL counts
    schedule_done: int  # that the learning rate's schedule counts

    @property
    def base(self) -> int:
        """awhost's number of the last step before AReaL's step 0."""
        return int(self.settings["steps_before"])


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as f:
        launch = Launch(**json.load(f))
    try:
        config = load_config(launch)
        check_tool_format(launch.settings)
    except Exception:
        traceback.print_exc()
        return EXIT_CONFIG
    from awhost_bridge import BridgeError

    from awhost_areal.reporting import Reporter

    try:
        reporter = Reporter(launch.endpoint_file, str(launch.settings["framework_version"]))
    except BridgeError:
        traceback.print_exc()
        return EXIT_BRIDGE
    try:
        run(launch, config, reporter)
        reporter.close()
    except BaseException:
        # AReaL leaves threads behind that would keep this process for ever.
        traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        reporter.leave(1)
    return 0


def load_config(launch: Launch) -> Any:
    from areal.api.cli_args import GRPOConfig, load_expr_config

    config, _ = load_expr_config(["--config", launch.config], GRPOConfig)
    # AReaL has written the resolved configuration by now: no secret before this line.
    if launch.admin_key_file:
        with open(launch.admin_key_file, encoding="utf-8") as f:
            config.rollout.agent.admin_api_key = f.read().strip()
    if launch.restore:
        from awhost_areal.checkpoints import restore

        restore(config, launch.from_checkpoint)
    return config


def check_tool_format(settings: dict[str, Any]) -> None:
    """Raises CodecError if no codec reads the calls that the chat template renders. AReaL would drop each episode."""
    from awhost_bridge import choose

    from awhost_areal.policy import Policy

    template = Policy.load(settings["tokenizer_path"], settings["template"]).template
    choose(template, settings["tool_format"], settings["reasoning_format"])


def random_ports() -> None:
    """AReaL draws the ports of its workers from the generator that it seeds: runs with one seed on one machine draw the same."""
    import random

    from areal.utils import network

    network.random = random.SystemRandom()


def run(launch: Launch, config: Any, reporter: Any) -> None:
    from areal import PPOTrainer

    random_ports()

    from awhost_areal.order import TrainRows, ValidationRows
    from awhost_areal.steps import Steps

    validation = ValidationRows(launch.validation_rows) if launch.validation_rows > 0 else None
    with PPOTrainer(config, train_dataset=TrainRows(launch.rows, launch.first_row), valid_dataset=validation) as trainer:
        steps = Steps(launch, trainer, reporter)
        steps.carry_optimizer()
        steps.resume_schedule()
        if steps.before():
            arguments = {"settings": launch.settings}
            trainer.train(
                workflow=launch.workflow, workflow_kwargs=arguments, dynamic_filter_fn=launch.dynamic_filter or None,
                eval_workflow=launch.workflow if validation is not None else None, eval_workflow_kwargs=arguments,
            )
        steps.finished()


if __name__ == "__main__":
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    sys.exit(main())
