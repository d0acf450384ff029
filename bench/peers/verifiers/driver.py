"""verifiers' own evaluation. driver.py ENGINE CONCURRENCY EPISODES [--raise]"""

import os
import pathlib
import sys

import task

engine, concurrency, episodes = sys.argv[1:4]
here = pathlib.Path(__file__).parent
os.environ["PYTHONPATH"] += os.pathsep + str(here)
os.environ["NO_KEY"] = "unused"
if "--raise" in sys.argv:
    os.environ["RAISE"] = "1"
evaluation = task.start(
    *("vf-eval", "adding", "--env.taskset.num-tasks", episodes, "-n", episodes, "-r", "1", "-c", concurrency),
    *("-m", "fake", "--client.base-url", engine, "--client.api-key-var", "NO_KEY", "--no-push", "--no-rich"),
    *("--env.agent.harness.id", "inhost", "--env.agent.runtime.type", "subprocess", "-o", ".", "--run.dir", "run"),
)


def count() -> tuple[list[float], int]:
    """Returns the rewards, and the number of failed episodes."""
    recorded = task.lines("run/traces.jsonl")
    rewards = [e["traces"][0]["rewards"]["correct"]["score"] for e in recorded if e["ok"]]
    return rewards, len(recorded) - len(rewards)


task.report_if_ended(count)
print("status of the evaluation:", evaluation.wait(), file=sys.stderr)
task.report(*count())
