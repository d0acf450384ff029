# SPDX-License-Identifier: Apache-2.0
import asyncio

multi_turns = {}


class MultiTurnScheduler:
    def __init__(self, infer_engine=None, max_turns=None, *args, **kwargs):
        self.infer_engine, self.max_turns = infer_engine, max_turns


def run_multi_turn(requests, outputs, scheduler):
    """The only turn: behind it each request is done. Returns the rows of the requests."""
    for request, choice in zip(requests, outputs, strict=True):
        request.messages.append({"role": "assistant", "content": choice.content})

    async def ends():
        return await asyncio.gather(*(scheduler.on_turn_end(request, choice, 1) for request, choice in zip(requests, outputs)))

    rows = asyncio.run(ends())
    for request, choice, row in zip(requests, outputs, rows):
        if not row["done"]:
            scheduler.step(request, choice, 1)
        ids, mask = row["response_token_ids"], row["response_loss_mask"]
        assert len(ids) == len(mask), f"a row of {len(ids)} ids has a mask of {len(mask)}"
        assert set(mask) <= {0, 1}, mask
        assert len(row["rollout_logprobs"]) == sum(mask), f"{len(row['rollout_logprobs'])} log-probabilities for {sum(mask)} tokens: ms-swift would drop them, and say nothing"
    return rows
