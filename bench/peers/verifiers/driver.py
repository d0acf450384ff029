"""verifiers' own evaluation. driver.py ENGINE CONCURRENCY EPISODES [--raise]"""

import json
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
if status := evaluation.wait():
    sys.exit(status)
recorded = [json.loads(line) for line in open("run/traces.jsonl")]
rewards = [e["traces"][0]["rewards"]["correct"]["score"] for e in recorded if e["ok"]]
task.report(rewards, len(recorded) - len(rewards))
