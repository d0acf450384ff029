"""Asks the real transformers what it makes of an exported model.

    python transformers_check.py MODEL < cases.json > answers.json

A case is {"messages": [...], "max_new_tokens": n}. The answer to it is {"prompt": ids by the chat template, "ids": greedily
sampled ids, "logits": scores after the prompt}, in the order of the cases.
"""

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds two numbers.",
            "parameters": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}},
        },
    }
]


def main():
    path = sys.argv[1]
    tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    model, loading = AutoModelForCausalLM.from_pretrained(
        path, local_files_only=True, output_loading_info=True, attn_implementation="eager"
    )
    problems = {k: sorted(map(str, v)) for k, v in loading.items() if v}
    if problems:
        sys.exit(f"the weights do not fit the model: {problems}")
    model.eval()
    answers = []
    for case in json.load(sys.stdin):
        encoded = tokenizer.apply_chat_template(
            case["messages"], tools=TOOLS, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        prompt = encoded["input_ids"]
        with torch.no_grad():
            logits = model(**encoded).logits[0, -1]
            out = model.generate(**encoded, do_sample=False, max_new_tokens=case["max_new_tokens"])
        answers.append(
            {"prompt": prompt[0].tolist(), "ids": out[0, prompt.shape[1] :].tolist(), "logits": logits.tolist()}
        )
    json.dump(answers, sys.stdout)


main()
