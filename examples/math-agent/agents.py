"""Agents of laptop.hcl. Nothing of awhost is imported."""


def solve(messages, model, tools):
    """Lets the model run code until it answers."""
    while True:
        message = model.chat(messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message.content
        messages += results


def deaf(messages, model, tools):
    """The control: the code runs, and the model is not told what came of it."""
    while True:
        message = model.chat(messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message.content
        messages += [{**result, "content": "0"} for result in results]
