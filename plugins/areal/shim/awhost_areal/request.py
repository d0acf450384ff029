"""What a worker needs to know, and how it asks for an episode. Standard library only."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the adapter tells AReaL's workers through ``workflow_kwargs``. No secrets: AReaL logs them."""

    endpoint_file: str
    launch_id: str
    stage: str
    steps_before: int  # steps that were finished when AReaL's version was 0
    samples: int  # of a group, in training
    validation_samples: int
    tokenizer_path: str
    max_context: int  # tokens
    gconfig: dict[str, Any]
    eval_gconfig: dict[str, Any]
    keep_group_size: bool  # AReaL before 2.0 needs rows for all samples
    tool_format: str
    reasoning_format: str
    template: dict[str, Any]  # further arguments of the chat template
    framework_version: str
    scripts: str = ""  # of a smoke run: the folder of what the policy is to say

    def group_size(self, validation: bool) -> int:
        return self.validation_samples if validation else self.samples


def episode_request(settings: Settings, data: dict[str, Any], number: int, version: int, validation: bool) -> dict[str, Any]:
    """RunEpisodeRequest in JSON. Its id says which sample it is: a repeat after a lost connection is the same. ``version`` is AReaL's,
    which counts updates from where this launch began; the host counts those of all stages."""
    index = int(data["awhost_index"])
    finished = settings.steps_before + version
    group = f"v{finished:06d}.{index:06d}" if validation else f"d{index:07d}"
    return {
        "episode_id": f"{settings.launch_id}/{group}/s{number:03d}",
        "group_id": group, "group_size": settings.group_size(validation), "sample_index": number,
        "dataset_index": index, "stage": settings.stage, "split": "SPLIT_VALIDATION" if validation else "SPLIT_TRAIN",
        "step": finished if validation else finished + 1, "policy_version": finished,
    }
