"""Conversations with tools over the chat templates of model families: sampled ids are only ever appended."""

from __future__ import annotations

import json
import unittest
from typing import Any, Sequence

from awhost_bridge import ChatTemplate, EpisodeResult, Ledger
from awhost_bridge.codec import split_answer
from awhost_bridge.ledger import Call
from awhost_bridge.wire import generate_request

from .test_codec import BASH, FAMILIES, LIBRARIES, MISSING, TEMPLATES, family

JSON = dict[str, Any]

NAMES = [name for name, *_, readers in FAMILIES if any(not library or library in LIBRARIES for library in readers)]
ONE_CALL = ("gpt-oss", "llama-3")  # their templates reject several calls in a message
ONLY_CALLS = ("gemma-4", "gpt-oss", "llama-3")  # their templates write text somewhere else than before the calls
# The end that the model samples after calls, and after any other message if that starts the next message.
CALL_ENDS = {"gpt-oss": "<|call|>", "glm-4.5": "<|observation|>", "gemma-4": "<|tool_response>"}
OTHER_ENDS = {"glm-4.5": "<|user|>"}


def user(text: str) -> JSON:
    return {"role": "ROLE_USER", "content": [{"text": text}]}


def answer(text: str = "", reasoning: str = "", calls: Sequence[str] = ()) -> JSON:
    message: JSON = {"role": "ROLE_ASSISTANT", "reasoning": reasoning, "content": [{"text": text}]}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{i}", "name": "bash", "arguments_json": json.dumps({"command": command})}
            for i, command in enumerate(calls)
        ]
    return message


class Conversation:
    """A chain of a ledger, which a test extends. Each call must begin with the ids of the chain."""

    def __init__(self, test: unittest.TestCase, name: str, **kwargs: Any) -> None:
        self.test, self.name = test, name
        self.template: ChatTemplate = family(name, **kwargs)
        self.ledger = Ledger(self.template)
        self.ids: list[int] = []
        self.mask: list[int] = []
        self.chain = ""
        self.messages: list[JSON] = []
        self.answered: list[JSON] = []

    def ask(self, *messages: JSON) -> Call:
        request = {
            "episode_id": "e", "attempt": 1, "agent": "a", "chain": self.chain, "base": len(self.messages),
            "messages": list(messages), "tools": BASH, "trainable": True, "call_id": f"k{len(self.messages)}",
        }  # fmt: skip
        self.call = self.ledger.extend(generate_request(request))
        self.messages += messages
        return self.call

    def results(self, *texts: str) -> list[JSON]:
        """Returns the results of the last message's calls."""
        calls = self.answered[-1]["tool_calls"]
        self.test.assertEqual(len(calls), len(texts))
        return [
            {"role": "ROLE_TOOL", "tool_call_id": call["id"], "name": call["name"], "content": [{"text": text}]}
            for call, text in zip(calls, texts)
        ]

    def samples(self, message: JSON, *, end: str | None = None) -> JSON:
        """Samples a message as the template writes it, with the end of its family, or another one, or none ("")."""
        prompt, whole = self.template.rendered(message, BASH)
        prompt, left, ids, _ = split_answer(self.template, prompt, whole)
        if self.template.thinks(self.call.prompt_ids):
            written = self.template.decode(ids)
            if "</think>" not in written:  # the template leaves the reasoning out
                ids = [*self._ids(message["reasoning"] + "\n</think>\n\n"), *ids]
        if end is None:
            end = (CALL_ENDS if message.get("tool_calls") else OTHER_ENDS).get(self.name)
        if end is None:
            ids = [*ids, self.template.end_ids[0]]
        elif end:
            ids = [*ids, self.template.tokenizer.convert_tokens_to_ids(end)]  # type: ignore[attr-defined]
        return self.sample(ids, "stop" if end != "" else "length")

    def sample(self, ids: list[int], finish: str = "stop") -> JSON:
        prompt = self.call.prompt_ids
        self.test.assertEqual(self.ids, prompt[: len(self.ids)])
        self.mask += [0] * (len(prompt) - len(self.ids)) + [1] * len(ids)
        self.ids = [*prompt, *ids]
        response = self.call.sampled(ids, [-1.0] * len(ids), versions=[(3, len(ids))], finish=finish)
        self.test.assertNotIn("drift", response)
        self.test.assertEqual(self.chain or response["chain"], response["chain"])
        self.chain = response["chain"]
        self.messages.append(response["message"])
        self.test.assertEqual(len(self.messages), response["chain_length"])
        self.answered.append(response["message"])
        message: JSON = response["message"]
        return message

    def added(self) -> str:
        """Returns the text that the last call adds to the chain."""
        return self.template.decode(self.call.prompt_ids[len(self.ids) :])

    def rendered(self) -> str:
        return self.template.decode(self.template.open(self.messages, BASH))

    def check_row(self) -> None:
        result = EpisodeResult.parse({"attempt": 1, "chains": [{"chain": self.chain, "train": True}]})
        (row,) = self.ledger.rows(result)
        self.test.assertEqual((self.ids, self.mask), (row.ids, row.loss_mask))

    def _ids(self, text: str) -> list[int]:
        return list(self.template.tokenizer.encode(text, add_special_tokens=False))  # type: ignore[attr-defined]


@unittest.skipIf(TEMPLATES is None, MISSING)
class RenderingTest(unittest.TestCase):
    def test_two_turns_with_tools(self) -> None:
        for name in NAMES:
            with self.subTest(name):
                c = Conversation(self, name)
                c.ask(user("Look around."))
                text = "" if name in ONLY_CALLS else "I look."
                commands = ["ls a"] if name in ONE_CALL else ["ls a", "ls b"]
                self.commands(commands, c.samples(answer(text, "Which files?", commands)))

                results = [f"file {command[-1]}" for command in commands]
                c.ask(*c.results(*results))
                self.added(c, *results)
                self.commands(["cat c"], c.samples(answer(text, "One more.", ["cat c"])))

                c.ask(*c.results("content c"))
                self.added(c, "content c")
                c.samples(answer("All seen.", "That is all."))

                c.ask(user("And now?"))  # from here on, most templates drop the reasoning above
                self.added(c, "And now?")
                c.samples(answer("Nothing.", "No more."))
                c.check_row()

    def commands(self, want: list[str], message: JSON) -> None:
        calls = [json.loads(c["arguments_json"])["command"] for c in message.get("tool_calls", ())]
        self.assertEqual(want, calls, message)

    def added(self, c: Conversation, *texts: str) -> None:
        """Checks that the last call adds these texts, once each, as the template writes them at the end. The template
        of DeepSeek V3 writes only the first results of a conversation with their first token."""
        added = c.added()
        self.assertEqual([1] * len(texts), [added.count(text) for text in texts], added)
        first = added if c.name != "deepseek-v3" else added.removeprefix("<｜tool▁outputs▁begin｜>")
        self.assertTrue(c.rendered().endswith(first), (added, c.rendered()))


    def test_a_limit_cuts_a_message(self) -> None:
        """The end that is missing is added once, with mask 0."""
        for name in NAMES:
            with self.subTest(name):
                c = Conversation(self, name)
                c.ask(user("Look around."))
                c.samples(answer("I look at all of", "Long."), end="")
                c.ask(user("On."))
                added, closing = c.added(), c.template.closing_ids
                end = c.template.decode(closing[:1])
                self.assertTrue(added.startswith(end) and c.rendered().endswith(added[len(end) :]), added)
                self.assertFalse(end and added[len(end) :].lstrip().startswith(end), added)
                c.samples(answer("Yes.", "Short."))
                c.check_row()

    def test_another_end_than_the_template_writes(self) -> None:
        for name, end, starts in (
            ("glm-4.5", "<|endoftext|>", "<|observation|>\n<tool_response>\nfile a"),
            ("glm-4.5", "<|user|>", "<|observation|>\n<tool_response>\nfile a"),
            ("gemma-4", "<turn|>", "<|tool_response>response:bash{"),
        ):
            if name not in NAMES:
                continue
            with self.subTest(name, end=end):
                c = Conversation(self, name)
                c.ask(user("Look around."))
                c.samples(answer("", "Which files?", ["ls a"]), end=end)
                c.ask(*c.results("file a"))
                self.assertTrue(c.added().startswith(starts), c.added())
                c.samples(answer("All seen.", "That is all."))
                c.check_row()

    def test_empty_reasoning_merges_line_feeds(self) -> None:
        """Templates write empty reasoning as <think>, a double line feed, and </think>. The prompt ends between the
        line feeds, and the model samples the second one. Rendered again, both would be one token."""
        for name in ("qwen3.5", "qwen3.6", "qwen3.8"):
            if name not in NAMES:
                continue
            with self.subTest(name):
                c = Conversation(self, name)
                c.ask(user("Look around."))
                self.assertTrue(c.template.thinks(c.call.prompt_ids))
                double = c._ids("\n\n")
                self.assertEqual(1, len(double))
                for text in ("Nothing.", "Still nothing."):
                    c.sample([*c._ids("\n</think>"), *double, *c._ids(text), c.template.end_ids[0]])
                    c.ask(user("And now?"))
                    self.added(c, "And now?")
                c.samples(answer("No.", "No more."))
                c.check_row()

    def test_without_thinking_the_prompt_closes_the_reasoning(self) -> None:
        for name in ("qwen3", "qwen3.5", "qwen3.6", "glm-4.5"):
            if name not in NAMES:
                continue
            with self.subTest(name):
                c = Conversation(self, name, enable_thinking=False)
                for text in ("Look around.", "And now?"):
                    c.ask(user(text))
                    self.assertTrue(c.template.decode(c.call.prompt_ids).rstrip().endswith("</think>"))
                    c.sample([*c._ids("Nothing."), c.template.end_ids[0]])
                c.check_row()

    def test_results_without_a_name_are_rendered_again_if_the_template_writes_it(self) -> None:
        if "gemma-4" not in NAMES:
            self.skipTest("needs renderers or TRL")
        c = Conversation(self, "gemma-4")
        c.ask(user("Look around."))
        c.samples(answer("", "", ["ls a"]))
        (result,) = c.results("file a")
        del result["name"]
        call = c.ask(result)
        self.assertEqual("FORK", call.drift)
        self.assertIn('response:bash{value:<|"|>file a', c.template.decode(call.prompt_ids))
