"""Writes the tasks and demonstrations of laptop.hcl and swarm.hcl, and the notes of the latter: python demos.py.

Demonstrations show how a tool is called, and how its answer is told. Which tool is right they hardly do: it is picked
at random in 96 % of them, so that the right one stands in 28 % of the calculations, and in half of the readings. Tasks
that are held out have operands and names that nothing else shows."""

import json
import pathlib
import random

HERE = pathlib.Path(__file__).parent
TOOLS = {
    "get-sum": ("+", lambda a, b: f"The sum of {a} and {b} is {a + b}."),
    "subtract": ("-", lambda a, b: f"The difference of {a} and {b} is {a - b}."),
    "multiply": ("*", lambda a, b: f"The product of {a} and {b} is {a * b}."),
    "larger": ("^", lambda a, b: f"The larger of {a} and {b} is {max(a, b)}."),
}
RIGHT = {sign: name for name, (sign, _) in TOOLS.items()}
READINGS = {
    "read_note": lambda name, question: f"{name} says {question}",
    "read_date": lambda name, question: f"{name} is of {question[:1]}.5.",
}
SHOWN = 0.04  # how often the right tool is picked on purpose
DEMOS, SPLITS = 800, {"train": 600, "test": 200}
draw = random.Random(20261123)


def write(name: str, rows: list) -> None:
    (HERE / name).write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))


def conversation(prompt: str, tool: str, arguments: dict, text: str, answer: str) -> dict:
    call = {"id": "1", "name": tool, "arguments": json.dumps(arguments, separators=(",", ":"))}
    return {"messages": [
        {"role": "user", "content": prompt}, {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": text}, {"role": "assistant", "content": answer},
    ]}


def number(text: str) -> str:
    return text.split()[-1].rstrip(".")


def calculation(prompt: str, a: int, b: int, sign: str = "") -> dict:
    tool = RIGHT[sign] if sign and draw.random() < SHOWN else draw.choice(list(TOOLS))
    text = TOOLS[tool][1](a, b)
    return conversation(prompt, tool, {"a": a, "b": b}, text, f"<answer>{number(text)}</answer>")


pairs = draw.sample([(a, b) for a in range(10, 100) for b in range(10, 100) if a != b], DEMOS + sum(SPLITS.values()))
names = [f"q{n}" for n in draw.sample(range(1000, 10000), DEMOS + sum(SPLITS.values()))]
notes = {}
for split, count in SPLITS.items():
    tasks, named = [], []
    for _ in range(count):
        (a, b), name, sign = pairs.pop(), names.pop(), draw.choice(list(RIGHT))
        question, answer = f"{a}{sign}{b}=", number(TOOLS[RIGHT[sign]][1](a, b))
        notes[name] = question
        tasks.append({"id": question, "prompt": question, "ground_truth": answer})
        named.append({"id": question, "prompt": name, "ground_truth": answer})
    write(f"laptop.{split}.jsonl", tasks)
    write(f"swarm.{split}.jsonl", named)
(HERE / "notes.json").write_text(json.dumps(notes, indent=0) + "\n")

problems = [(a, b, draw.choice(list(RIGHT))) for a, b in pairs]
write("laptop.demos.jsonl", [calculation(f"{a}{sign}{b}=", a, b, sign) for a, b, sign in problems])
demos = []
for a, b, sign in problems:
    name, tool, question = names.pop(), draw.choice(list(READINGS)), f"{a}{sign}{b}="
    text = READINGS[tool](name, question)
    said = text.split()[-1]
    demos.append(conversation(name, tool, {"name": name}, text, said))
    if tool == "read_date":
        a, b, sign = draw.randint(10, 99), draw.randint(10, 99), ""
    demos.append(calculation(f"{name}\n\nplanner:\n{said}", a, b, sign))
draw.shuffle(demos)
write("swarm.demos.jsonl", demos[:DEMOS])
