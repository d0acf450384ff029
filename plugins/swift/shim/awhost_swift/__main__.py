# SPDX-License-Identifier: Apache-2.0
"""One stage: ms-swift's GRPO with the episodes of the host. swift.json in the working directory has the settings."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from typing import Any

import swift
from awhost_bridge import ChatTemplate, SyncBridge, stage_settings
from awhost_bridge.hf import Over, ends, member
from swift.arguments import RLHFArguments
from swift.pipelines import rlhf_main
from transformers import AutoTokenizer

from .registries import register
from .stage import SwiftStage

JSON = dict[str, Any]


def tasks(count: int) -> str:
    """Writes the data set: positions in the host's order. The messages only make them different. All processes write
    the same file, none of them incompletely."""
    path, rank = pathlib.Path("tasks.jsonl"), os.environ.get("RANK", "0")
    rows = ({"messages": [{"role": "user", "content": str(i)}], "position": i} for i in range(count))
    own = pathlib.Path(f"tasks.{rank}.new")
    own.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    own.replace(path)
    return str(path.absolute())


def stage_of(bridge: SyncBridge, begins: JSON, args: RLHFArguments, *, main: bool) -> SwiftStage:
    tokenizer = AutoTokenizer.from_pretrained(args.model_dir, trust_remote_code=True)  # as ms-swift does
    thinking = {} if args.enable_thinking is None else {"enable_thinking": args.enable_thinking}
    template = ChatTemplate(tokenizer, kwargs=thinking, end_ids=ends(args.model_dir, tokenizer.eos_token_id))
    return SwiftStage(
        bridge, begins, template, framework="swift", main=main,
        pad=tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id,
        response_tokens=args.max_completion_length, max_context=args.max_length or args.model_info.max_model_len,
        names={"clip_fraction": "clip_ratio/region_mean", "entropy": "entropy/mean"},
    )


def train(bridge: SyncBridge, settings: JSON, *, main: bool) -> None:
    begins = stage_settings(settings["request"], **settings["stage"]) | {"rows": settings["rows"]}
    fields = settings["fields"] | {"model": settings["model"], "output_dir": begins["checkpoints"]}
    fields["dataset"] = [tasks(fields["max_steps"] * settings["prompts"])]
    if begins["resumed"]:
        fields["resume_from_checkpoint"] = begins["from"]
    args = RLHFArguments(**fields)
    stage = stage_of(bridge, begins, args, main=main)
    register(stage.rows, stage.follow)
    with contextlib.suppress(Over):
        rlhf_main(args)
    stage.finish()


@member
def main() -> None:
    with open("swift.json", encoding="utf-8") as f:
        settings = json.load(f)
    first = int(os.environ.get("RANK", "0")) == 0
    hello = {"framework": "swift", "framework_version": swift.__version__, "role": "both" if first else "rollout"}
    with SyncBridge(os.environ["AWHOST_BRIDGE"], **hello) as bridge:
        train(bridge, settings, main=first)


main()
