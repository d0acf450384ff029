"""A checkpoint as verl's FSDP workers leave it, of a tiny random model; and whether a directory holds its weights.

export.py make MODEL CHECKPOINT | export.py compare CHECKPOINT DIRECTORY
"""

import json
import pathlib
import sys

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

command, first, second = sys.argv[1:]
if command == "make":
    actor = pathlib.Path(second) / "actor"
    config = AutoConfig.from_pretrained(first)
    model = AutoModelForCausalLM.from_config(config)
    (actor / "huggingface").mkdir(parents=True)
    torch.save(model.state_dict(), actor / "model_world_size_1_rank_0.pt")
    (actor / "fsdp_config.json").write_text(json.dumps({"FSDP_version": 2, "world_size": 1}))
    config.save_pretrained(actor / "huggingface")
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(pathlib.Path(first) / "tokenizer.json"))  # for each transformers in its own words
    tokenizer.chat_template = (pathlib.Path(first) / "chat_template.jinja").read_text()
    tokenizer.save_pretrained(actor / "huggingface")
else:
    want = torch.load(pathlib.Path(first) / "actor" / "model_world_size_1_rank_0.pt")
    got = AutoModelForCausalLM.from_pretrained(second, torch_dtype=torch.bfloat16).state_dict()
    AutoTokenizer.from_pretrained(second).apply_chat_template([{"role": "user", "content": "hi"}], tokenize=True)
    assert set(want) == set(got), set(want) ^ set(got)
    assert all(torch.equal(got[name], tensor.bfloat16()) for name, tensor in want.items())
    print("EQUAL")
