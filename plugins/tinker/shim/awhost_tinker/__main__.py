"""One stage. tinker.json in the working directory has the adapter's configuration and the TrainRequest."""

from __future__ import annotations

import json
import os
import pathlib
import sys

import tinker
from awhost_bridge import ChatTemplate, StageDriver, SyncBridge, end_ids, knobs_of, stage_settings
from transformers import AutoTokenizer

from .errors import SessionLost
from .trainer import Tinker


def main() -> None:
    about = json.loads(pathlib.Path("tinker.json").read_text(encoding="utf-8"))
    policy, knobs = about["policy"], knobs_of(about["request"])
    config = about["config"] | {"base_model": about["config"]["base_model"] or policy}
    formats = {name: config[name] for name in ("tool_format", "reasoning_format", "tokens_every")}
    stage = stage_settings(about["request"], patience=1.0, **formats)
    hello = {"role": "both", "framework": "tinker", "framework_version": tinker.__version__}
    with SyncBridge(os.environ["AWHOST_BRIDGE"], **hello) as bridge:
        tokenizer = AutoTokenizer.from_pretrained(policy)
        template = ChatTemplate(tokenizer, end_ids=end_ids(policy, tokenizer.eos_token_id))
        trainer = Tinker(config, knobs, stage, list(template.end_ids))
        StageDriver(
            bridge, stage, template, framework="tinker", response_tokens=knobs["limits"]["response_tokens"],
            max_context=None if stage["smoke"] else trainer.max_context(), names={"loss": "loss:sum"},
        ).run(trainer)


SESSION_LOST = 75  # exit status, as in plugins/tinker/train.go

try:
    main()
except SessionLost as e:
    print(f"awhost: {e}: a new session starts from the last checkpoint", file=sys.stderr, flush=True)
    sys.exit(SESSION_LOST)
