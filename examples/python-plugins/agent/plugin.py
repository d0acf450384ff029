"""An agent: it lets the policy use tools until it answers."""

from typing import Annotated

import awhost


@awhost.agent("pysolver", needs_environment=True)
async def solve(episode: awhost.Episode, *, environment: Annotated[str, awhost.Field(ref="environment")], style: str = "") -> str | None:
    """Lets the policy use the environment's tools until it answers.

    environment: where the tools are
    style: what the policy is told first
    """
    messages = [*([awhost.system(style)] if style else []), *episode.messages]
    while True:
        reply = await episode.ask(messages)
        if not reply.message.tool_calls:
            return reply.message.content
        step = await episode.step(reply)
        if step.done:
            return None
        messages += [reply.message, *step.messages]


def main() -> None:
    awhost.serve("pysolver", "1.0.0", solve)
