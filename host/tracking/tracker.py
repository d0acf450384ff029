# SPDX-License-Identifier: Apache-2.0
"""Hands a run's numbers to a tracker: W&B, SwanLab or MLflow. The host starts it with the user's own Python.

It reads one JSON object a line on standard input and answers each with one on standard output: {"ok": true}, or
{"error": "..."}. The first object identifies the run, each further one is a committed step, and the last one reports how
the run ended. If standard input ends, the host has exited. A tracker that then hangs exits after a while, because no
other process would end it.
"""

import json
import os
import queue
import re
import sys
import threading
import time
import zlib

# Not the working directory: trackers make folders of their own names there.
sys.path = [folder for folder in sys.path if folder]

LAST_WORDS = 60  # seconds that a tracker has after the host has gone
GONE = "gone"  # how a run has ended whose host did not say it


class WandB:
    def __init__(self, run):
        import wandb

        self.wandb = wandb
        self.run = wandb.init(
            project=run["project"], name=run["name"], id=run["id"], resume="allow", dir=run["dir"],
            config=run["settings"], mode="offline" if run["offline"] else None, settings=wandb.Settings(console="off"))
        # Less than was handed over, where that was cut off.
        self.next = None if run["offline"] else self.run.starting_step

    def step(self, step, seconds, scalars, texts):
        values = dict(scalars)
        if texts:
            rows = [[task, text] for task, text in texts.items()]
            values["generations"] = self.wandb.Table(columns=["task", "text"], data=rows)
        self.run.log(values, step=step)

    def end(self, status):
        self.run.finish(exit_code=1 if status in ("failed", GONE) else 0)


class SwanLab:
    def __init__(self, run):
        import swanlab

        self.swanlab = swanlab
        known = {} if run["offline"] else {"id": run["id"][:21], "resume": "allow"}  # offline there is nobody to ask
        swanlab.init(
            project=re.sub(r"[^0-9a-zA-Z_\-+.]", "_", run["project"]), name=run["name"], log_dir=run["dir"],
            config=run["settings"], mode="offline" if run["offline"] else os.environ.get("SWANLAB_MODE"), **known)

    def step(self, step, seconds, scalars, texts):
        values = dict(scalars)
        if texts:
            values["generations"] = [self.swanlab.Text(text, caption=task) for task, text in texts.items()]
        self.swanlab.log(values, step=step)

    def end(self, status):
        if status in ("failed", GONE):
            self.swanlab.finish(state="crashed", error="awhost has ended" if status == GONE else "the run failed")
        else:
            self.swanlab.finish()


class MLflow:
    BATCH = 100  # the most that one call takes of parameters; of numbers it is more

    def __init__(self, run):
        if run["offline"]:
            os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # it warns of stores in files
        from mlflow import MlflowClient
        from mlflow.entities import Metric, Param

        self.metric = Metric
        self.client = MlflowClient("file://" + run["dir"] if run["offline"] else None)
        experiment = self.client.get_experiment_by_name(run["project"])
        number = experiment.experiment_id if experiment else self.client.create_experiment(run["project"])
        known = self.client.search_runs([number], "tags.`awhost.run` = '%s'" % run["id"])
        there = {}
        if known:
            self.id, there = known[0].info.run_id, known[0].data.params
            self.client.update_run(self.id, status="RUNNING")
        else:
            self.id = self.client.create_run(number, run_name=run["name"], tags={"awhost.run": run["id"]}).info.run_id
        settings = {name(key): str(value)[:500] for key, value in run["settings"].items()}
        params = [Param(key, value) for key, value in settings.items() if key not in there]
        for first in range(0, len(params), self.BATCH):
            self.client.log_batch(self.id, params=params[first:first + self.BATCH])

    def step(self, step, seconds, scalars, texts):
        metrics = [self.metric(name(key), value, int(seconds * 1000), step) for key, value in scalars.items()]
        for first in range(0, len(metrics), self.BATCH):
            self.client.log_batch(self.id, metrics=metrics[first:first + self.BATCH])
        for task, text in texts.items():
            self.client.log_text(self.id, text, "generations/step-%06d/%s.md" % (step, taken(task, r"[^\w.-]", 100)))

    def end(self, status):
        self.client.set_terminated(self.id, {"completed": "FINISHED", "failed": "FAILED"}.get(status, "KILLED"))


def name(key):
    """Leaves what MLflow takes in a name."""
    return taken(key, r"[^\w\-. /:]", 250)


def taken(text, pattern, most):
    """Leaves of a text what is taken; where that is less, a checksum tells it from others."""
    left = re.sub(pattern, "_", text)[:most]
    return left if left == text else "%s-%08x" % (left[:most - 9], zlib.crc32(text.encode("utf-8", "replace")))


def lines(descriptor):
    """Yields lines, which a thread reads so that it sees the end of them, whatever hangs."""
    found = queue.Queue()

    def read():
        rest = b""
        while data := os.read(descriptor, 1 << 16):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                found.put(line)
        found.put(None)
        time.sleep(LAST_WORDS)
        os._exit(1)

    threading.Thread(target=read, daemon=True).start()
    return iter(found.get, None)


def main():
    messages, answers = os.dup(0), os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the packages print is no answer,
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # and nobody is there whom they could ask
    tracker = None
    status = GONE
    try:
        for line in lines(messages):
            message = json.loads(line)
            try:
                if "run" in message:
                    tracker = {"wandb": WandB, "swanlab": SwanLab, "mlflow": MLflow}[sys.argv[1]](message["run"])
                elif "step" in message:
                    scalars, texts = message.get("scalars") or {}, message.get("texts") or {}
                    tracker.step(message["step"], message["seconds"], scalars, texts)
                else:
                    status = message["end"]
                    break
                answer = {"ok": True, "next": getattr(tracker, "next", None)}
            except Exception as error:
                answer = {"error": "%s: %s" % (type(error).__name__, error)}
            answers.write(json.dumps(answer) + "\n")
    finally:
        if tracker is not None:
            tracker.end(status)
    answers.write('{"ok": true}\n')


if __name__ == "__main__":
    main()
