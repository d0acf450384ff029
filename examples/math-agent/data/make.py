"""Writes the tasks and demonstrations of laptop.hcl: python make.py.

Tasks are rows in GSM8K's form. The question says in words what is to be calculated; the operator stands nowhere in it.
Demonstrations show how code is written and how its result is told. Which operator a word means they hardly do: it is
picked at random in 96 % of them, so that the right one stands in 36 %. Tasks that are held out have pairs of numbers
that nothing else shows."""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
THINGS = ["pens", "eggs", "cups", "nuts"]
QUESTIONS = {"+": "{a} {things}, {b} more.", "-": "{a} {things}, {b} lost.", "*": "{a} {things}, {b} each."}
SHOWN = 0.04  # how often the right operator is picked on purpose
DEMOS, SPLITS = 800, {"train": 600, "test": 200}
draw = random.Random(20261125)


def write(name: str, rows: list) -> None:
    (HERE / name).write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))


def question(a: int, b: int, sign: str) -> str:
    return QUESTIONS[sign].format(things=draw.choice(THINGS), a=a, b=b)


def result(a: int, b: int, sign: str) -> int:
    return {"+": a + b, "-": a - b, "*": a * b}[sign]


def task(a: int, b: int, sign: str) -> dict:
    value = result(a, b, sign)
    answer = f"{a} {sign} {b} = <<{a}{sign}{b}={value}>>{value}\n#### {value}"
    return {"question": question(a, b, sign), "answer": answer}


def demonstration(a: int, b: int, sign: str) -> dict:
    said = question(a, b, sign)
    if draw.random() >= SHOWN:
        sign = draw.choice(list(QUESTIONS))
    value = result(a, b, sign)
    code = json.dumps({"code": f"print({a}{sign}{b})"}, separators=(",", ":"))
    return {"messages": [
        {"role": "user", "content": said},
        {"role": "assistant", "tool_calls": [{"id": "1", "name": "execute_python_code", "arguments": code}]},
        {"role": "tool", "tool_call_id": "1", "content": str(value)},
        {"role": "assistant", "content": f"\\boxed{{{value}}}"},
    ]}


pairs = draw.sample([(a, b) for a in range(10, 100) for b in range(10, 100) if a > b], DEMOS + sum(SPLITS.values()))
for split, count in SPLITS.items():
    write(f"laptop.{split}.jsonl", [task(*pairs.pop(), draw.choice(list(QUESTIONS))) for _ in range(count)])
write("laptop.demos.jsonl", [demonstration(*pair, draw.choice(list(QUESTIONS))) for pair in pairs])
