"""Drives verl's own agent loop and awhost's through the same conversation, and says what each used.

    python driver.py CONVERSATION SCRATCH ENDPOINT_FILE        a line with an order in, a line with a figure out

No Ray, no engine, no trainer: the loops run in one event loop, as they do in a process of verl's AgentLoopWorker, and the
engine's place is taken by a server that answers at once with ids that are known before. So what is left is the loops' own
work. CPU time is that of the whole process: verl's loop tokenises in threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import cProfile
import hashlib
import json
import os
import pstats
import sys
import time
from array import array
from typing import Any, AsyncIterator, Awaitable, Callable

SAMPLING = {"temperature": 1.0, "top_p": 1.0, "top_k": -1, "repetition_penalty": 1.0, "logprobs": True}
PROMPT_TOKENS, RESPONSE_TOKENS = 4096, 1 << 16
TEMPLATE = """{%- if tools %}<|im_start|>system
# Tools
{%- for tool in tools %}
{{ tool | tojson }}{%- endfor %}<|im_end|>
{% endif %}{%- for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{%- if m.tool_calls %}{%- for call in m.tool_calls %}<tool_call>
{{ call.function | tojson }}
</tool_call>{%- endfor %}{%- endif %}<|im_end|>
{% endfor %}{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""


def make_tokenizer() -> Any:
    """A tokenizer of transformers with a token for each byte and a template with tools: ids are many, and nothing has to be
    downloaded."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(alphabet)}, merges=[]))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=["<|im_start|>"]
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def make_config(scratch: str, endpoint_file: str) -> Any:
    """The configuration of main_ppo, as far as loops look at it."""
    import verl
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    wanted = [
        f"actor_rollout_ref.model.path={scratch}", "actor_rollout_ref.rollout.name=vllm", "actor_rollout_ref.rollout.mode=async",
        f"actor_rollout_ref.rollout.prompt_length={PROMPT_TOKENS}", f"actor_rollout_ref.rollout.response_length={RESPONSE_TOKENS}",
        "actor_rollout_ref.rollout.calculate_log_probs=true", "actor_rollout_ref.rollout.multi_turn.format=hermes",
        "data.return_raw_chat=true", f"+awhost.endpoint_file={endpoint_file}", "+awhost.tool_format=hermes",
    ]  # fmt: skip
    with initialize_config_dir(os.path.join(os.path.dirname(verl.__file__), "trainer/config"), version_base=None):
        config = compose("ppo_trainer", overrides=wanted)
    OmegaConf.resolve(config)
    return config


class Server:
    """In the engine's place."""

    def __init__(self, answers: list[list[int]]) -> None:
        from verl.workers.rollout.replica import TokenOutput

        self._make = TokenOutput
        self._answers = [(ids, [-0.25 - i / 1024 for i in range(len(ids))]) for ids in answers]
        self._turns: dict[str, int] = {}

    async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: dict[str, Any], **_: Any) -> Any:
        turn = self._turns.get(request_id, 0)
        if turn + 1 < len(self._answers):
            self._turns[request_id] = turn + 1
        else:
            self._turns.pop(request_id, None)
        ids, logprobs = self._answers[turn]
        return self._make(
            token_ids=list(ids), log_probs=list(logprobs), stop_reason="completed", extra_fields={"min_global_steps": 0, "max_global_steps": 0}
        )


class Loops:
    """What a worker of verl holds, and the loops that it makes of it, one for each sample."""

    def __init__(self, conversation: dict[str, Any], scratch: str, endpoint_file: str) -> None:
        from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
        from verl.utils.dataset.rl_dataset import RLHFDataset

        tokenizer, config = make_tokenizer(), make_config(scratch, endpoint_file)
        self.conversation = conversation
        self.server = Server([tokenizer.encode(text, add_special_tokens=False) for text in conversation["answers"]])
        self._given = {
            "trainer_config": DictConfigWrap(config), "server_manager": self.server, "tokenizer": tokenizer, "processor": None,
            "dataset_cls": RLHFDataset, "data_config": DictConfigWrap(config.data), "hf_model_type": "qwen2",
        }  # fmt: skip
        self._tools = ToolListWrap([self._tool()])

    def _tool(self) -> Any:
        """What the environment does, as a function."""
        from verl.tools.function_tool import FunctionTool
        from verl.tools.schemas import OpenAIFunctionToolSchema

        results = self.conversation["results"]

        async def look_up(key: str) -> str:
            return str(results[key])

        schema = OpenAIFunctionToolSchema.model_validate(self.conversation["tool"])
        return FunctionTool(name=schema.function.name, fn=look_up, tool_schema=schema, is_async=True)

    async def verl(self, row: dict[str, Any]) -> Any:
        from verl.experimental.agent_loop.tool_agent_loop import ToolAgentLoop

        return await ToolAgentLoop(**self._given, tools=self._tools).run(dict(SAMPLING), **row)

    async def awhost(self, row: dict[str, Any]) -> Any:
        from awhost_verl.loop import AwhostAgentLoop

        (output,) = await AwhostAgentLoop(**self._given, tools=self._tools).run(dict(SAMPLING), **row)
        return output

    async def generate(self, row: dict[str, Any]) -> Any:
        """The calls alone: what both loops pay for the server."""
        for _ in self.conversation["answers"]:
            await self.server.generate(row["uid"], prompt_ids=[], sampling_params=dict(SAMPLING))


def row_of(conversation: dict[str, Any], order: dict[str, Any], sample: int) -> dict[str, Any]:
    """A row of the dataset with what verl adds, for both loops alike."""
    group, index = divmod(sample, order["group_size"])
    return {
        "raw_prompt": [{"role": "user", "content": conversation["prompt"]}], "uid": f"{order['name']}-{group}", "session_id": index,
        "global_steps": order["step"], "awhost_split": "train", "awhost_index": group,
    }  # fmt: skip


async def drive(run: Callable[[dict[str, Any]], Awaitable[Any]], rows: list[dict[str, Any]], concurrency: int) -> list[Any]:
    """So many samples at a time."""
    outputs: list[Any] = [None] * len(rows)
    samples = iter(range(len(rows)))

    async def one_after_the_other() -> None:
        for i in samples:
            outputs[i] = await run(rows[i])

    async with asyncio.TaskGroup() as tasks:
        for _ in range(concurrency):
            tasks.create_task(one_after_the_other())
    return outputs


def digest(output: Any) -> str:
    """What would be trained."""
    total = hashlib.sha256()
    for name, kind in (("prompt_ids", "q"), ("response_ids", "q"), ("response_mask", "q"), ("response_logprobs", "d")):
        total.update(array(kind, getattr(output, name)).tobytes() + b"|")
    return total.hexdigest()


async def frames(endpoint_file: str) -> int:
    """Data frames of this worker's session so far, both ways."""
    from awhost_bridge import shared
    from awhost_verl import version

    bridge = await shared(endpoint_file, role="rollout", framework="verl", framework_version=version.installed(), capabilities=("generate",))
    session = bridge._link._session
    return int(session._last + session.received)


async def carry_out(loops: Loops, order: dict[str, Any], endpoint_file: str) -> dict[str, Any]:
    ours = order["loop"] == "awhost"
    before = await frames(endpoint_file) if ours else 0
    rows = [row_of(loops.conversation, order, i) for i in range(order["episodes"])]
    cpu, wall = time.process_time(), time.perf_counter()
    outputs = await drive(getattr(loops, order["loop"]), rows, order["concurrency"])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    figure: dict[str, Any] = {"cpu": cpu, "wall": wall, "frames": await frames(endpoint_file) - before if ours else 0}
    if order["loop"] != "generate":
        figure["rows"] = sorted({digest(output) for output in outputs})
        figure["tokens"] = len(outputs[0].prompt_ids) + len(outputs[0].response_ids)
    return figure


async def orders() -> AsyncIterator[dict[str, Any]]:
    """Lines of the standard input. Not read in a thread of the pool in which verl's loop tokenises."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        yield json.loads(line)


async def serve(conversation: str, scratch: str, endpoint_file: str, answers: Any) -> None:
    with open(conversation, encoding="utf-8") as file:
        loops = Loops(json.load(file), scratch, endpoint_file)
    print("{}", file=answers, flush=True)  # ready
    async for order in orders():
        profile = cProfile.Profile() if order.get("profile") else contextlib.nullcontext()
        with profile:
            figure = await carry_out(loops, order, endpoint_file)
        if isinstance(profile, cProfile.Profile):
            pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(40)
        print(json.dumps(figure), file=answers, flush=True)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer
    asyncio.run(serve(*sys.argv[1:4], answers))


if __name__ == "__main__":
    main()
