"""Starts verl's main_ppo, as ``python -m awhost_verl.main ...``, with the trainers of ``awhost_verl.trainer``.

The arguments, the Ray cluster and the steps are verl's. verl 0.9 creates its trainer in a Ray actor, so the actor
replaces the trainers before it creates one.
"""

from __future__ import annotations

from typing import Any

import ray
from verl.trainer import main_ppo


Upstream = main_ppo.TaskRunnerV1.__ray_metadata__.modified_class.__ray_actor_class__  # the class below @ray.remote


class TaskRunner(Upstream):
    """verl's task runner, with awhost's trainers."""

    def run(self, config: Any) -> None:
        from awhost_verl import trainer

        trainer.install()
        super().run(config)


if __name__ == "__main__":
    main_ppo.TaskRunnerV1 = ray.remote(TaskRunner)
    main_ppo.main()
