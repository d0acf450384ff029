"""Which prompts a step trained on. AReaL forgets it: what its rollout controller returns has tensors only."""

from __future__ import annotations

from typing import Any


class Consumption:
    """Watches AReaL's dispatcher: which position each task is for, and which tasks make up a batch."""

    def __init__(self, dispatcher: Any) -> None:
        self._index: dict[int, int] = {}  # by task id
        self._taken: list[int] = []
        self._submit = dispatcher.submit_task_input
        self._collect = dispatcher.active_submit_and_wait
        dispatcher.submit_task_input = self._submitted
        dispatcher.active_submit_and_wait = self._collected

    def _submitted(self, task: Any) -> Any:
        if isinstance(task.data, dict) and "awhost_index" in task.data:
            self._index[task.task_id] = int(task.data["awhost_index"])
        return self._submit(task)

    def _collected(self, *args: Any, **kwargs: Any) -> Any:
        results = self._collect(*args, **kwargs)
        for result in results:
            if result is not None:
                self._taken.append(self._index.pop(result.task_id))
        return results

    def take(self) -> list[int]:
        """The positions of the batch that was trained last, in order."""
        taken, self._taken = sorted(self._taken), []
        return taken
