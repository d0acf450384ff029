"""Makes a tiny model of random weights with the architecture, tokenizer and chat template of another, for smoke runs.

    python -m awhost_smoke.tiny_model MODEL DIRECTORY

Only the configuration and the tokenizer of MODEL are read, never the weights.
"""

from __future__ import annotations

import sys
from typing import Any

# The size settings of a model, by their names in transformers' configurations. Other members, including the vocabulary,
# are kept.
SMALL = {
    "hidden_size": 64, "n_embd": 64, "intermediate_size": 128, "n_inner": 128, "num_hidden_layers": 2, "n_layer": 2,
    "num_attention_heads": 4, "n_head": 4, "num_key_value_heads": 2, "head_dim": 16, "moe_intermediate_size": 64,
    "shared_expert_intermediate_size": 64, "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4,
    "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "q_lora_rank": 32, "kv_lora_rank": 32, "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 16, "v_head_dim": 16,
}
PER_LAYER = ("layer_types", "mlp_layer_types")


def shrink(config: Any) -> Any:
    """Reduces a configuration in place, including nested ones, such as a text model's."""
    for name, value in SMALL.items():
        old = getattr(config, name, None)
        if isinstance(old, int) and not isinstance(old, bool) and old > 0:
            setattr(config, name, min(old, value))
    layers = getattr(config, "num_hidden_layers", None)
    for name in PER_LAYER:
        kinds = getattr(config, name, None)
        if isinstance(kinds, list) and layers:
            setattr(config, name, _one_of_each(kinds, layers))
    if getattr(config, "max_window_layers", None) is not None and layers:
        config.max_window_layers = min(config.max_window_layers, layers)
    for inner in ("text_config", "vision_config"):
        if getattr(config, inner, None) is not None:
            shrink(getattr(config, inner))
    return config


def _one_of_each(kinds: list[str], layers: int) -> list[str]:
    """Keeps every kind of layer, as far as the number of layers allows."""
    distinct = list(dict.fromkeys(kinds))
    return (distinct + kinds)[:layers]


def main(source: str, target: str) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    config = shrink(AutoConfig.from_pretrained(source))
    tokenizer = AutoTokenizer.from_pretrained(source)
    if tokenizer.chat_template is None:
        raise SystemExit(f"awhost: the tokenizer of {source} has no chat template: use an instruct model, or give the tokenizer one")
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32) if _takes_dtype() else AutoModelForCausalLM.from_config(config, torch_dtype=torch.float32)
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    print(f"awhost: {type(model).__name__} with {model.num_parameters()} weights in {target}")


def _takes_dtype() -> bool:
    import transformers

    return int(transformers.__version__.split(".")[0]) >= 5


if __name__ == "__main__":
    main(*sys.argv[1:3])
