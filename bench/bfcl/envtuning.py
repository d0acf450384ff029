"""Measures EnvTuning's own interaction class on dialogues from standard input, in CPU time of one thread.

    python3 envtuning.py CHECKOUT [REPEAT] <dialogues.jsonl

CHECKOUT is the folder EnvTuning of a clone of AWorld-RL. Each line of the input has what an interaction starts with and what a
model says to it. It prints one JSON object: messages a second, the best of REPEAT runs. Of verl the class needs a base class
without any code, which stands in here, and mpmath has to be importable; nothing else of EnvTuning is replaced.
"""

import asyncio
import copy
import gc
import json
import sys
import time
import types


class BaseInteraction:
    """What verl's base class is to a class that overrides all of it."""

    def __init__(self, config):
        self.config = config


def stand_in_for_verl():
    for name in ("verl", "verl.interactions", "verl.interactions.base"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["verl.interactions.base"].BaseInteraction = BaseInteraction


def forget(utils):
    """Drops the instances, which the module keeps for ever, before they make later runs slower."""
    for name in [n for n in vars(utils) if n.endswith("_instance")]:
        del vars(utils)[name]
    gc.collect()


async def play(interaction, dialogue, number):
    """Plays a dialogue as verl does, which copies what it starts with, and says how many messages that were."""
    start = copy.deepcopy(dialogue["start"])
    await interaction.start_interaction(str(number), **start)
    said, done, right = [], False, 0
    for message in dialogue["messages"]:
        assert not done, (start["id"], "is over before all is said")
        said.append({"role": "assistant", "content": message})
        done, user, score, _ = await interaction.generate_response(str(number), said, **start)
        said.append({"role": "user", "content": user})
        right += score == 1
    assert done and right == len(start["question"]), (start["id"], done, right)
    return len(dialogue["messages"])


async def play_all(interaction, dialogues):
    return sum([await play(interaction, d, n) for n, d in enumerate(dialogues)])


def main():
    sys.path.insert(0, sys.argv[1])
    stand_in_for_verl()
    from bfcl_env import multi_turn_utils
    from env_tuning.interaction.new_multi_turn_fc import MultiTurnFunctionCallInteraction

    dialogues = [json.loads(line) for line in sys.stdin]
    rates = []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
        forget(multi_turn_utils)
        interaction = MultiTurnFunctionCallInteraction({"name": "multi_turn_tool_call"})
        began = time.process_time()
        done = asyncio.run(play_all(interaction, dialogues))
        rates.append(done / (time.process_time() - began))
    print(json.dumps({"python": sys.version.split()[0], "dialogues": len(dialogues), "messages": max(rates)}))


if __name__ == "__main__":
    main()
