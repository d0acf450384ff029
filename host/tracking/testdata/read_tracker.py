"""Prints what a tracker has of a run in a folder: by tag, the steps and values."""

import glob
import json
import os
import sys

kind, folder, name = sys.argv[1:]
points = {}


def add(tag, step, value):
    points.setdefault(tag, []).append([step, value])


def wandb():
    from wandb.proto import wandb_internal_pb2
    from swanlab.converter.wb.wbdatastore import WBDataStoreReader  # W&B's own package has no reader in Python

    for path in sorted(glob.glob(folder + "/wandb/offline-run-*/*.wandb"))[-1:]:  # each start has the whole run
        store = WBDataStoreReader()
        store.open(path)
        while True:
            data = store.scan()
            if data is None:
                break
            record = wandb_internal_pb2.Record()
            record.ParseFromString(data)
            if record.WhichOneof("record_type") != "history":
                continue
            row = {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
            for tag, value in row.items():
                if isinstance(value, (int, float)) and not tag.startswith(("_", "generations/")):
                    add(tag, row["_step"], value)


def swanlab():
    from swanlab.proto.swanlab.record.v1.record_pb2 import Record
    from swanlab.sdk.internal.core_python.store import DataStoreReader

    for path in sorted(glob.glob(folder + "/run-*/*.swanlab"), key=os.path.getmtime)[-1:]:
        reader = DataStoreReader()
        reader.open(path)
        for data in reader:
            record = Record.FromString(data)
            if record.HasField("scalar"):
                add(record.scalar.key, record.scalar.step, record.scalar.value.number)


def mlflow():
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    from mlflow import MlflowClient

    client = MlflowClient("file://" + folder)
    runs = client.search_runs([e.experiment_id for e in client.search_experiments()])
    assert len(runs) == 1, runs
    assert runs[0].info.status == "FINISHED" and runs[0].info.run_name == name, runs[0].info
    for tag in runs[0].data.metrics:
        for metric in client.get_metric_history(runs[0].info.run_id, tag):
            add(tag, metric.step, metric.value)


{"wandb": wandb, "swanlab": swanlab, "mlflow": mlflow}[kind]()
print(json.dumps(points))
