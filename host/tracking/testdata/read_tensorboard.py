"""Prints what TensorBoard has of a folder of event files: by its library, and by the server that a person starts."""

import json
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import plugin_data_pb2
from tensorboard.util import tensor_util

folder, last = sys.argv[1], int(sys.argv[2])


def library():
    events = EventAccumulator(folder, size_guidance={"scalars": 0, "tensors": 0, "histograms": 0})
    events.Reload()
    hparams = {}
    tags = events.Tags()
    for tag in tags["tensors"]:
        content = events.SummaryMetadata(tag).plugin_data
        if content.plugin_name == "hparams" and tag.endswith("session_start_info"):
            info = plugin_data_pb2.HParamsPluginData.FromString(content.content).session_start_info
            for name, value in info.hparams.items():
                hparams[name] = getattr(value, value.WhichOneof("kind"))
    return {
        "scalars": {tag: [[e.step, e.value] for e in events.Scalars(tag)] for tag in tags["scalars"]},
        "texts": {tag: [[e.step, tensor_util.make_ndarray(e.tensor_proto).item().decode()] for e in events.Tensors(tag)]
                  for tag in tags["tensors"] if events.SummaryMetadata(tag).plugin_data.plugin_name == "text"},
        "histograms": {tag: [[e.step, e.histogram_value.num] for e in events.Histograms(tag)]
                       for tag in tags["histograms"]},
        "hparams": hparams,
    }


def server():
    """What the page gets from a server with the options that a user has."""
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", folder, "--port", "0", "--host", "127.0.0.1"]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        for line in program.stderr:
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            if found:
                break
        base = found.group()
        while True:  # it reads in the background
            with urllib.request.urlopen(base + "data/plugin/scalars/tags") as answer:
                tags = json.load(answer).get(".", {})
            out = {}
            for tag in tags:
                query = urllib.parse.urlencode({"run": ".", "tag": tag})
                with urllib.request.urlopen(base + "data/plugin/scalars/scalars?" + query) as answer:
                    out[tag] = [[step, value] for _, step, value in json.load(answer)]
            if any(points and points[-1][0] >= last for points in out.values()):
                return out
            time.sleep(0.1)
    finally:
        program.kill()
        program.wait()


print(json.dumps({"library": library(), "server": server()}))
