"""NeMo Gym's servers and its own collection of rollouts. driver.py ENGINE CONCURRENCY EPISODES [--raise]"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import task

# Each server runs in the folder of its virtual environment. All use this one.
SERVERS = [
    "resources_servers/adding",
    "responses_api_agents/simple_agent",
    "responses_api_models/vllm_model",
    "environment_servers/legacy_agent",
]
engine, concurrency, episodes = sys.argv[1:4]
here, work = pathlib.Path(__file__).parent, pathlib.Path.cwd()
os.environ |= {"HF_HUB_OFFLINE": "1", "WANDB_MODE": "disabled", "RAY_TMPDIR": tempfile.mkdtemp(dir="/tmp")}
if "--raise" in sys.argv:
    os.environ["RAISE"] = "1"
for server in SERVERS:
    (work / "venvs" / server).mkdir(parents=True)
    (work / "venvs" / server / ".venv").symlink_to(sys.prefix)
shutil.copytree(here / "resources_servers", work / "resources_servers")
tool = {**task.TOOL, "type": "function", "strict": True}
tool["parameters"] = {**tool["parameters"], "additionalProperties": False}
with open("tasks.jsonl", "w") as tasks:
    for i in range(int(episodes)):
        params = {"input": [{"role": "user", "content": task.question(i)}], "tools": [tool]}
        print(json.dumps({"responses_create_params": params, "number": i}), file=tasks)

head = [f"++head_server.port={task.free_port()}", "++head_server.host=127.0.0.1"]
servers = subprocess.Popen(
    ["gym", "env", "start", "--config", str(here / "adding.yaml"), "--model-type", "vllm_model", "--model", "fake"]
    + ["--model-url", engine, "--model-api-key", "unused", "+skip_venv_if_present=true"]
    + [f"++uv_venv_dir={work / 'venvs'}", *head],
    stdout=open("servers.log", "w"),
    stderr=subprocess.STDOUT,
)
while "servers ready" not in (log := pathlib.Path("servers.log").read_text()):
    if servers.poll() is not None:
        sys.exit(f"the servers ended before they were ready:\n{log[-8000:]}")
    time.sleep(0.1)
collection = task.start(
    *("gym", "eval", "run", "--no-serve", "--agent", "adding_agent", "--input", "tasks.jsonl", "--output", "out.jsonl"),
    *("--concurrency", concurrency, "--no-health-check", "--disable-aggregation", "+route_failures_to_sidecar=true"),
    *head,
)


def count() -> tuple[list[float], int]:
    """Returns the rewards, and the number of failed episodes."""
    return [row["reward"] for row in task.lines("out.jsonl")], len(task.lines("out_failures.jsonl"))


task.report_if_ended(count)
print("status of the collection:", collection.wait(), file=sys.stderr)
print(pathlib.Path("servers.log").read_text()[-8000:], file=sys.stderr)
task.report(*count())
shutil.rmtree(os.environ["RAY_TMPDIR"], ignore_errors=True)
