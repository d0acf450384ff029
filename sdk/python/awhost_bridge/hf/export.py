"""Exports a checkpoint of a transformers.Trainer: python -m awhost_bridge.hf.export CHECKPOINT TARGET. A LoRA adapter
is merged with the weights of its policy."""

import pathlib
import shutil
import sys

# Only needed for training: the host's manifest, the trainer's state, and the frameworks' own records.
_LEFT = (
    "manifest.json", "*.pt", "*.pth", "*.bin", "trainer_state.json", "args.json", "additional_config.json", "*.jsonl",
    "adapter_*", "README.md",
)


def export(checkpoint: pathlib.Path, target: pathlib.Path) -> None:
    """Fills an existing directory."""
    shutil.copytree(checkpoint, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*_LEFT))
    if (checkpoint / "adapter_config.json").is_file():
        from peft import PeftConfig, PeftModel
        from transformers import AutoModelForCausalLM, AutoTokenizer

        policy = PeftConfig.from_pretrained(checkpoint).base_model_name_or_path
        model = AutoModelForCausalLM.from_pretrained(policy, dtype="auto")
        PeftModel.from_pretrained(model, checkpoint).merge_and_unload().save_pretrained(target)
        if not (target / "tokenizer_config.json").is_file():  # some frameworks save no tokenizer with an adapter
            AutoTokenizer.from_pretrained(policy).save_pretrained(target)
    if not any(target.glob("*.safetensors")) or not (target / "config.json").is_file():
        raise ValueError(f"{checkpoint} has no weights in safetensors with a config.json")


if __name__ == "__main__":
    export(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
