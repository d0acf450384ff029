"""Measures BFCL's own multi-turn code on the ground truth of its own data, in CPU time of one thread.

    python3 reference.py [REPEAT]

It prints one JSON object with a figure a second for each workload: the best of REPEAT runs. The package bfcl_eval has to be
importable, and mpmath; reference.sh sees to that. What the package imports beyond (clients of model providers) is not needed
for its executor and checker.
"""

import gc
import json
import pathlib
import sys
import time

import bfcl_eval
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_checker, multi_turn_utils

CATEGORIES = ["base", "miss_func", "miss_param", "long_context"]


def load():
    """The entries with their answers, of every category that the package has."""
    data = pathlib.Path(bfcl_eval.__file__).parent / "data"
    out = []
    for category in CATEGORIES:
        for path in sorted(data.glob(f"BFCL_v*_multi_turn_{category}.json")):
            answers = (data / "possible_answer" / path.name).read_text().splitlines()
            for question, answer in zip(path.read_text().splitlines(), answers):
                entry = json.loads(question)
                out.append((category, entry, json.loads(answer)["ground_truth"]))
    return out


def forget():
    """Drops the instances, which the package keeps for ever, before they make later runs slower."""
    for module in (multi_turn_utils,):
        for name in [n for n in vars(module) if n.endswith("_instance")]:
            del vars(module)[name]
    gc.collect()


def calls(entries):
    done = 0
    for category, entry, truth in entries:
        for turn in truth:
            multi_turn_utils.execute_multi_turn_func_call(
                turn, entry["initial_config"], entry["involved_classes"], "bench", entry["id"],
                long_context="long_context" in category,
            )
            done += len(turn)
    return done


def checks(entries):
    for category, entry, truth in entries:
        model = [[turn] if turn else [] for turn in truth]
        verdict = multi_turn_checker.multi_turn_checker(model, truth, entry, "multi_turn_" + category, "bench")
        assert verdict["valid"], (entry["id"], verdict)
    return len(entries)


def best(work, entries, repeat):
    rates = []
    for _ in range(repeat):
        forget()
        began = time.process_time()
        done = work(entries)
        rates.append(done / (time.process_time() - began))
    return max(rates)


def main():
    repeat = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    entries = load()
    print(json.dumps({
        "python": sys.version.split()[0], "entries": len(entries),
        "calls": best(calls, entries, repeat), "checks": best(checks, entries, repeat),
    }))


if __name__ == "__main__":
    main()
