# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass
from types import SimpleNamespace

TEMPLATE_MAPPING = {}


class Template:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def encode(self, messages):
        encoded = self._encode(SimpleNamespace(messages=messages))
        return {key: value for key, value in encoded.items() if value is not None}

    def _encode(self, inputs):
        raise AssertionError("a template of ms-swift renders what was sampled")


@dataclass
class TemplateMeta:
    template_type: str
    prefix: list
    prompt: list
    chat_sep: list | None
    template_cls: type = Template


def register_template(meta):
    assert meta.template_type not in TEMPLATE_MAPPING, f"{meta.template_type} is there already"
    TEMPLATE_MAPPING[meta.template_type] = meta
