"""ChatTemplate with unusual templates."""

from __future__ import annotations

import base64
import unittest
from typing import Any

from awhost_bridge import ChatTemplate, GenerateError, Ledger
from awhost_bridge.wire import generate_request

from .toy import END, Toy, ids_of, text_of

JSON = dict[str, Any]


def message(role: str, text: str = "", **more: Any) -> JSON:
    return {"role": "ROLE_" + role.upper(), "content": [{"text": text}]} | more


class Strict(Toy):
    """Like some templates, it requires a call before the result of a tool, and writes a call instead of the content."""

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        out = ""
        for i, m in enumerate(conversation):
            if m["role"] == "tool":
                if not i or not conversation[i - 1].get("tool_calls"):
                    raise ValueError("a result without a call")
                out += f"<|tool|>{m['name']}={m['content']}<|end|>"
            elif m.get("tool_calls"):
                out += f"<|assistant|>{m['tool_calls'][0]['function']['name']}()<|end|>"
            else:
                out += f"<|{m['role']}|>{m['content']}<|end|>"
        return out + ("<|assistant|>" if prompt else "")


class Alternating(Toy):
    """It accepts only alternating user and assistant messages."""

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        for m, role in zip(conversation, ["user", "assistant"] * len(conversation)):
            if m["role"] != role:
                raise ValueError("roles must alternate")
        return super().render(conversation, tools, prompt)


class Dropping(Toy):
    """It shows the last message of the assistant only."""

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        last = max((i for i, m in enumerate(conversation) if m["role"] == "assistant"), default=-1)
        kept = [m for i, m in enumerate(conversation) if m["role"] != "assistant" or (i == last and i + 1 == len(conversation))]
        return super().render(kept, tools, prompt)


class Counting(Toy):
    """It begins with the number of messages."""

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        return f"[{len(conversation)}]" + super().render(conversation, tools, prompt)


class EndOfText(Toy):
    """Only messages of the assistant have an end."""

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        return "".join(f" {m['content']}<|end|>" if m["role"] == "assistant" else f"[INST]{m['content']}[/INST]" for m in conversation)


class TemplateTest(unittest.TestCase):
    def extended(self, toy: Toy, *outline: str, **message_of: str) -> str | None:
        ((role, text),) = message_of.items()
        ids = ChatTemplate(toy).extend(outline, [message(role, text, name="calc")], [])
        return None if ids is None else text_of(ids)

    def test_a_result_gets_the_call_that_a_template_insists_on(self) -> None:
        self.assertEqual("<|tool|>calc=5<|end|><|assistant|>", self.extended(Strict(), "user", "assistant", tool="5"))

    def test_a_template_that_drops_messages_cannot_be_extended(self) -> None:
        self.assertIsNone(self.extended(Dropping(), "user", "assistant", user="on"))

    def test_a_template_that_changes_the_opening_cannot_be_extended(self) -> None:
        self.assertIsNone(self.extended(Counting(), "user", "assistant", user="on"))

    def test_only_the_assistant_has_an_end(self) -> None:
        self.assertEqual("[INST]on[/INST]", self.extended(EndOfText(), "user", "assistant", user="on"))

    def test_roles_that_a_template_does_not_take(self) -> None:
        self.assertEqual("\n<|user|>on<|end|>\n<|assistant|>", self.extended(Alternating(), "user", "assistant", user="on"))
        self.assertIsNone(self.extended(Alternating(), "user", "assistant", tool="5"))
        with self.assertRaisesRegex(GenerateError, "cannot render messages of the roles user, tool: ValueError: roles must alternate"):
            ChatTemplate(Alternating()).open([message("user"), message("tool")], [])

    def test_a_wrong_end_is_found_at_once(self) -> None:
        with self.assertRaisesRegex(ValueError, r"none of the ids \[7\]: it renders '<\|user\|>placeholder<\|end\|>"):
            ChatTemplate(Toy(), end_ids=[7])
        no_eos = Toy()
        no_eos.eos_token_id = None  # type: ignore[assignment]
        with self.assertRaisesRegex(ValueError, "no eos_token_id: say which"):
            ChatTemplate(no_eos)
        self.assertEqual((END, 7, 8), ChatTemplate(no_eos, end_ids=[7, END, 8]).end_ids)

    def test_kwargs_reach_the_template(self) -> None:
        seen: list[JSON] = []

        class Watching(Toy):
            def apply_chat_template(self, conversation: list[JSON], **kwargs: Any) -> Any:
                seen.append(kwargs)
                return super().apply_chat_template(conversation, **kwargs)

        ChatTemplate(Watching(), kwargs={"enable_thinking": False}).open([message("user")], [])
        self.assertEqual({False}, {k["enable_thinking"] for k in seen})
        self.assertEqual({True}, {k["tokenize"] for k in seen})

    def test_a_request_overrides_the_arguments(self) -> None:
        seen: list[JSON] = []

        class Watching(Toy):
            def apply_chat_template(self, conversation: list[JSON], **kwargs: Any) -> Any:
                seen.append(kwargs)
                return super().apply_chat_template(conversation, **kwargs)

        template = ChatTemplate(Watching(), kwargs={"enable_thinking": False, "date": "today"})
        written = base64.b64encode(b'{"enable_thinking": true}').decode()
        request = {
            "episode_id": "e", "attempt": 1, "agent": "a", "chain": "", "base": 0, "messages": [message("user")],
            "tools": [], "trainable": True, "call_id": "k", "chat_template_kwargs_json": written,
        }  # fmt: skip
        seen.clear()
        ledger = Ledger(template)
        seen.clear()
        ledger.extend(generate_request(request))
        self.assertEqual({(True, "today")}, {(k["enable_thinking"], k["date"]) for k in seen})
        self.assertIs(template.of(request), template.of(request))
        self.assertIs(template, template.of({}))

    def test_the_stand_in_is_rendered_once(self) -> None:
        toy = Toy()
        template = ChatTemplate(toy)
        costs = []
        for _ in range(3):
            toy.rendered = 0
            template.extend(("user", "assistant"), [message("user", "on")], [])
            costs.append(toy.rendered)
        self.assertGreater(costs[0], costs[1])
        self.assertEqual(costs[1], costs[2])

    def test_open_thoughts(self) -> None:
        template = ChatTemplate(Toy())
        self.assertTrue(template.thinks(ids_of("<|assistant|><think>\n")))
        self.assertFalse(template.thinks(ids_of("<|assistant|><think>\n\n</think>\n\n")))
