# SPDX-License-Identifier: Apache-2.0
import re

CONTROLS = ["<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"]
END = 259


class TrainerCallback:
    pass


class GenerationConfig:
    pass


class Bytes:
    """A tokenizer of bytes, and a chat template that ends each message."""

    eos_token_id = pad_token_id = END

    def decode(self, ids, **_):
        return b"".join(CONTROLS[i - 256].encode() if i > 255 else bytes([i]) for i in ids).decode("utf-8", "replace")

    def apply_chat_template(self, conversation, tools=None, add_generation_prompt=False, tokenize=True, **_):
        text = "".join(f"<|{m['role']}|>{m['content']}<|end|>" for m in conversation) + ("<|assistant|>" if add_generation_prompt else "")
        parts = re.split("(" + "|".join(map(re.escape, CONTROLS)) + ")", text)
        return [i for part in parts for i in ([256 + CONTROLS.index(part)] if part in CONTROLS else part.encode())] if tokenize else text


class AutoTokenizer:
    @staticmethod
    def from_pretrained(path, **_):
        return Bytes()
