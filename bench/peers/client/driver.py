"""OpenAI's client with the tool in its process, and no framework. driver.py ENGINE CONCURRENCY EPISODES [--uvloop]"""

import asyncio
import sys

import task


async def main(engine: str, concurrency: int, episodes: int) -> None:
    """Plays all episodes with one client."""
    client = task.openai_client(engine)

    async def episode(i: int) -> float:
        return task.score(i, await task.solve(client, i))

    await task.play(concurrency, episodes, episode)


if "--uvloop" in sys.argv:
    import uvloop

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
