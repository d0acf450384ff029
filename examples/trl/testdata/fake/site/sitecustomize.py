# SPDX-License-Identifier: Apache-2.0
"""A policy without weights: it says what its seed and its prompt give. Python imports this at its start."""

import random
import sys
import types


def sample(model, messages, ends, pad, decode):
    assert not model.training
    for m in messages:
        draw = random.Random(f"{m.seed} {m.prompt}")
        m.ids = [draw.randrange(97, 123) for _ in range(min(m.max_tokens, 5) - 1)] + [min(ends)]
        m.logprobs, m.finish = [-1.0] * len(m.ids), "stop"


module = types.ModuleType("awhost_bridge.hf.sampler")
module.sample = sample
sys.modules[module.__name__] = module
