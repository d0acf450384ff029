"""Which rows follow from a chat template."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import tempfile
import unittest

try:
    from awhost import Error
except ImportError:  # the bridge's tests run without the SDK's packages
    raise unittest.SkipTest("the SDK's packages are not installed") from None
from awhost.templates import Judged, judge

# As Qwen2's: all messages as they are, tools in the system's message.
PLAIN = """{%- if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}{% for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""

# As Qwen3's: thoughts are shown after the last question only.
DROPPING = """{%- set ns = namespace(last=0) %}
{%- for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}
{%- for m in messages %}
{%- set content = m.content %}{% set thought = m.reasoning_content or '' %}
{%- if m.role == 'assistant' and '</think>' in content %}
{%- set thought = content.split('</think>')[0].split('<think>')[-1].strip() %}
{%- set content = content.split('</think>')[-1].lstrip() %}
{%- endif %}<|im_start|>{{ m.role }}
{% if m.role == 'assistant' and loop.index0 > ns.last %}<think>
{{ thought }}
</think>

{% endif %}{% generation %}{{ content }}{% endgeneration %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking %}<think>

</think>

{% endif %}{% endif %}"""

# Its first line says how long the conversation is.
COUNTING = "{{ messages | length }} messages\n" + PLAIN
REFUSING = "{{ raise_exception('roles must alternate, ' ~ bos_token) }}"


@unittest.skipIf(importlib.util.find_spec("jinja2") is None, "there is no jinja2")
class TemplatesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.model = pathlib.Path(folder.name)

    def write(self, template: str | None, **settings: object) -> pathlib.Path:
        (self.model / "tokenizer_config.json").write_text(
            json.dumps({"eos_token": {"content": "<|im_end|>"}, "bos_token": "<s>", **settings})
        )
        if template is not None:
            (self.model / "chat_template.jinja").write_text(template)
        return self.model

    def test_templates(self) -> None:
        for template, want, says in (
            (PLAIN, Judged(extends=True, keeps_thinking=True), "only appends: a conversation is one row"),
            (DROPPING, Judged(extends=True, keeps_thinking=False), "drops earlier thinking"),
            (COUNTING, Judged(extends=False, keeps_thinking=False), "each turn becomes a row of its own"),
        ):
            judged = judge(self.write(template))
            self.assertEqual(want, judged)
            self.assertIn(says, judged.note("m"))
        self.assertEqual(
            Judged(extends=True, keeps_thinking=False), judge(self.write(DROPPING), {"enable_thinking": False})
        )

    def test_where_a_template_stands(self) -> None:
        self.assertTrue(judge(self.write(None, chat_template=PLAIN)).keeps_thinking)
        several = [{"name": "tool_use", "template": PLAIN}, {"name": "default", "template": DROPPING}]
        self.assertFalse(judge(self.write(None, chat_template=several)).keeps_thinking)

    def test_what_cannot_be_judged_says_why(self) -> None:
        for template, settings, says in (
            (REFUSING, {}, "roles must alternate, <s>"),
            ("{% for %}", {}, "cannot be read"),
            (None, {"chat_template": None}, "has no chat template"),
            (PLAIN, {"eos_token": None}, "no eos_token"),
            (PLAIN, {"eos_token": "</s>"}, "ends a message of the assistant with none"),
            ("{{ ''.__class__.__mro__ }}", {}, "cannot be judged"),
        ):
            (self.model / "chat_template.jinja").unlink(missing_ok=True)
            with self.assertRaisesRegex(Error, says):
                judge(self.write(template, **settings))
        with self.assertRaisesRegex(Error, "no folder on this machine"):
            judge(pathlib.Path("Qwen/Qwen3-8B"))

    @unittest.skipUnless(os.environ.get("AWHOST_TESTDATA"), "AWHOST_TESTDATA names no folder with a model")
    def test_a_real_tokenizer(self) -> None:
        self.assertTrue(judge(pathlib.Path(os.environ["AWHOST_TESTDATA"]) / "frameworks" / "tiny-qwen2").extends)


if __name__ == "__main__":
    unittest.main()
