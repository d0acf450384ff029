"""Training from Python: train writes a spec, runs the program on it, and returns the results."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from .__main__ import program
from .component import Component
from .errors import Error
from .version import VERSION

Block = str | Mapping[str, Mapping[str, Any]]
"""A type of block, such as "calculator", or a type with its settings: {"calculator": {"max_operand": 9}}."""

FORMATS = {".jsonl": "jsonl", ".json": "jsonl", ".parquet": "parquet", ".csv": "csv", ".tsv": "csv", "": "parquet"}
"""Types of dataset blocks by the extension of the file. A path without one is a directory of Parquet files."""


@dataclass(frozen=True)
class TrainResult:
    """The results of a run.

    outcome: "completed"; or "stopped" after a commit, for example by `awhost stop`: calling train again resumes the run
    run: the run's name in commands: `awhost show RUN --dir OUT`
    directory: the run directory
    metrics: the last value of each metric, such as "validation/success_rate"; None if it is unknown or not finite
    steps: the metrics of each step in order, with its number as "step"; step 0 is before training
    checkpoint: the directory of the last committed checkpoint, or None
    """

    outcome: str
    run: str
    directory: Path
    metrics: dict[str, float | None]
    steps: list[dict[str, float | None]]
    checkpoint: Path | None


class TrainError(Error):
    """A run did not start, failed, or missed an expectation. result contains what the run has achieved, or None if
    there is no run."""

    def __init__(self, text: str, result: TrainResult | None = None) -> None:
        super().__init__(text)
        self.result = result


def train(
    agent: Callable[..., Any] | Block | None = None,
    config: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    reward_func: Callable[..., Any] | Block | None = None,
    train_dataset: Any = None,
    test_dataset: Any = None,
    *,
    adapter: Block = "local",
    environment: Block | None = None,
    blocks: Mapping[str, Any] | None = None,
    out: str | os.PathLike[str] = "awhost-train",
    new: bool = False,
    pass_env: Sequence[str] = (),
) -> TrainResult:
    """Trains, shows the progress, and returns the results. The guide is docs/guides/python.md.

        import awhost
        from rewards import judge

        if __name__ == "__main__":
            result = awhost.train(
                config={"steps": 20, "batch": {"prompts": 16, "group_size": 8}},
                reward_func=judge,
                train_dataset="tasks.jsonl",
            )
            print(result.metrics["train/reward"], result.checkpoint)

    train writes the spec OUT/train.hcl.json, with relative paths based on OUT, and runs `awhost apply` on it. A call
    with the same arguments resumes an interrupted run and returns the results of a finished one.

    agent: a function or class at the top level of a file, for `agent "python"`; "file.py:name"; or a built-in agent.
        Default: "react"
    config: attributes and blocks of the spec's train block, in JSON syntax; a pathlib.Path is based on the current
        directory. Or a YAML configuration of verl, which sets the adapter
    reward_func: as agent, for `reward "python"`; or a built-in reward, such as {"math": {}}
    train_dataset: the tasks: a list of dicts; a datasets.Dataset or a DataFrame, which is written as Parquet; the path
        of a JSON Lines, CSV, or Parquet file; or a dict with one of these as "path" and other attributes of the dataset
        block, such as "map"
    test_dataset: held-out tasks for validation. Default: no validation
    adapter: the trainer. "local" trains a tiny model on the CPU
    environment: the environment in which the agent acts
    blocks: other blocks of the spec: {KIND: {TYPE: {NAME: {…}}}}
    out: the directory for the spec, the data, and the runs
    new: start another run even if this one has finished
    pass_env: names of environment variables that the functions receive

    Raises TypeError or ValueError for a value that a spec cannot refer to, such as a lambda; TrainError if the run does
    not start or fails; KeyboardInterrupt after Ctrl-C. Once, Ctrl-C finishes and commits the step; twice, it ends the
    run immediately.
    """
    if "_awhost_driver" in sys.modules:  # a plugin's Python
        raise Error(
            "awhost.train was called while the file was imported to get a function: "
            'move the call below if __name__ == "__main__":'
        )
    executable = program() or shutil.which("awhost")
    if executable is None:
        raise TrainError(f"the program awhost is missing: {sys.executable} -m pip install awhost=={VERSION}")
    folder = Path(out).absolute()
    with _locked(folder):
        return _train(
            executable, folder, agent, config, reward_func, train_dataset, test_dataset, adapter, environment, blocks,
            new, pass_env,
        )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps other calls from replacing the spec, the data, and the events of a running one."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".train.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            problem = f"another call of awhost.train is running in {folder}: pass another directory as out"
            raise TrainError(problem) from None
        yield


def _train(
    executable: str, folder: Path, agent: Any, config: Any, reward_func: Any, train_dataset: Any, test_dataset: Any,
    adapter: Block, environment: Block | None, blocks: Mapping[str, Any] | None, new: bool, pass_env: Sequence[str],
) -> TrainResult:
    if isinstance(config, (str, os.PathLike)):
        adapter, config = {"verl": {"config": _configuration(config), "python": sys.executable}}, None
    agent = "react" if agent is None else agent
    document: dict[str, Any] = {"agent": _block(agent, "agent"), "adapter": _block(adapter, "adapter")}
    body: dict[str, Any] = {"agent": _address(document, "agent"), "adapter": _address(document, "adapter")}
    if environment is not None:
        document["environment"] = _block(environment, "environment")
        for settings in document["agent"].values():
            settings["main"].setdefault("environment", _address(document, "environment"))
    if reward_func is not None:
        document["reward"] = _block(reward_func, "reward_func")
        body["reward"] = "${" + _address(document, "reward") + ".score}"
    for attribute, name, value in (("dataset", "train", train_dataset), ("validation", "test", test_dataset)):
        if value is not None:
            kind, settings = _dataset(value, folder / name, f"{name}_dataset")
            document.setdefault("dataset", {}).setdefault(kind, {})[name] = settings
            body[attribute] = f"dataset.{kind}.{name}"
    document["train"] = {"train": {**body, **(config or {})}}
    _merge(document, blocks or {}, "blocks")
    spec, events = folder / "train.hcl.json", folder / "events.jsonl"
    spec.write_text(json.dumps(document, indent=2, default=_absolute) + "\n")
    command = [executable, "apply", str(spec), "--events", str(events), "--no-progress", *(["--new"] if new else [])]
    events.unlink(missing_ok=True)
    if "PYTHONPATH" in os.environ:  # the functions are imported as here
        pass_env = [*pass_env, "PYTHONPATH"]
    status, interrupted = _call(command + [f"--pass-env={name}" for name in pass_env])
    return _result(spec, events, status, interrupted)


def _result(spec: Path, events: Path, status: int, interrupted: bool) -> TrainResult:
    told = _lines(events) if events.exists() else []
    last = told[-1] if told and told[-1]["type"] == "run_finished" else None
    if last is None:
        if interrupted:
            raise KeyboardInterrupt
        started = next((Path(e["dir"]).name for e in told if e["type"] == "run_started"), None)
        if started is not None:
            ended = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
            raise TrainError(f"awhost {ended} while it trained {started}: call train again to resume the run")
        found = [d for e in told if e["type"] == "diagnostics" for d in e["diagnostics"] if d["severity"] == "error"]
        if not found:
            raise TrainError(f"awhost did not start a run (status {status}): its message is above")
        why = "".join(f"\n{d['summary']}: {d.get('detail', '')}" for d in found)
        raise TrainError(f"awhost did not start a run (status {status}){why}\nCheck the spec: awhost validate {spec}")
    directory = Path(last["dir"]).absolute()
    steps: dict[int, dict[str, float | None]] = {}
    for row in _lines(directory / "metrics.jsonl"):
        steps.setdefault(row["step"], {"step": row["step"]}).update(row["values"])
    checkpoint = Path(last["checkpoint"]).absolute() if last["checkpoint"] else None
    metrics = last["metrics"] or {}
    result = TrainResult(last["outcome"], last["run"], directory, metrics, list(steps.values()), checkpoint)
    pressed = any(e["type"] == "interrupted" and e.get("source") == "Ctrl-C" for e in told)  # on the live screen
    if (interrupted or pressed) and result.outcome != "completed":
        raise KeyboardInterrupt(f"{result.run} has {last['step']} committed steps: call train again to resume it")
    if last["exit"] not in ("ok", "stopped"):
        missed = [e for e in last.get("expected") or () if not e["holds"]]
        why = "; ".join(f"{e['condition']} does not hold: {e.get('detail', '')}" for e in missed) or last.get("reason")
        more = f"awhost show {result.run} --dir {spec.parent}"
        raise TrainError(f"{result.run}: {last['exit']}: {why}\nMore: {more}", result)
    return result


def _lines(path: Path) -> list[Any]:
    """Reads a JSON Lines file. A last line that a killed process did not complete is omitted."""
    with path.open(encoding="utf-8") as file:  # str.splitlines would also split at U+0085
        return [json.loads(line) for line in file if line.endswith("\n")]


def _call(command: Sequence[str]) -> tuple[int, bool]:
    """Runs the program with this process's terminal. Returns its status, and whether this process was interrupted. The
    program receives each signal once: the terminal sends SIGINT for Ctrl-C, and this process forwards all others."""
    terminal = os.isatty(0)
    inherited = _descriptor(sys.stdout) == 1  # a notebook and a test replace sys.stdout
    output, errors = (None, None) if inherited else (subprocess.PIPE, subprocess.STDOUT)
    received: list[int] = []
    started: list[subprocess.Popen[str]] = []

    def forward(number: int, frame: FrameType | None) -> None:
        received.append(number)
        for child in started:
            if number != signal.SIGINT or not terminal:
                child.send_signal(number)

    sys.stdout.flush()
    numbers = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
    # Before the start: an interrupt that raises KeyboardInterrupt here would leave an orphan.
    handlers = {number: signal.signal(number, forward) for number in numbers}
    try:
        with subprocess.Popen(
            command, stdout=output, stderr=errors, encoding="utf-8", errors="replace", start_new_session=not terminal
        ) as child:
            early = tuple(received)
            started.append(child)
            for number in early:
                child.send_signal(number)
            for line in child.stdout or ():
                print(line, end="", flush=True)
            child.wait()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if signal.SIGTERM in received:
        signal.raise_signal(signal.SIGTERM)
    return child.returncode, bool(received)


def _descriptor(stream: Any) -> int | None:
    try:
        return int(stream.fileno())
    except (AttributeError, OSError):
        return None


def _block(value: Any, what: str) -> dict[str, dict[str, Any]]:
    """Returns a block named main in JSON syntax."""
    if isinstance(value, Mapping):
        if len(value) != 1:
            raise ValueError(f"{what}: give one type with its settings, such as {{\"math\": {{}}}}, not {len(value)}")
        return {kind: {"main": dict(settings)} for kind, settings in value.items()}
    if isinstance(value, str) and ":" not in value:
        return {value: {"main": {}}}
    file, name = value.rsplit(":", 1) if isinstance(value, str) else _reference(value, what)
    return {"python": {"main": {"file": _absolute(Path(file)), "name": name, "python": sys.executable}}}


def _address(document: Mapping[str, Any], kind: str) -> str:
    return f"{kind}.{next(iter(document[kind]))}.main"


def _reference(value: Any, what: str) -> tuple[str, str]:
    """Returns the file and the name of a function or class that another Python can import. Raises TypeError or
    ValueError if another Python cannot."""
    remedy = "put a function at the top level of a Python file, import it, and pass it"
    module, name = sys.modules.get(getattr(value, "__module__", None) or ""), getattr(value, "__qualname__", None)
    code = getattr(value, "__code__", None)
    if isinstance(value, type) and issubclass(value, Component):
        raise TypeError(f"{what}: {name} is a component of a plugin: pass a function without the decorator")
    if name is None or hasattr(value, "__self__") or not callable(value):
        raise TypeError(f"{what}: {value!r} is not a function or class: {remedy}")
    if "<" in name:  # <lambda>, <locals>
        raise ValueError(f"{what}: {name} has no name that another process can import: {remedy}")
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py") or code and code.co_filename.startswith("<"):
        raise ValueError(f"{what}: {name} is defined in a notebook or a session, not in a Python file: {remedy}")
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not value:
        raise ValueError(f"{what}: {name} in {file} is another object: {remedy}")
    return file, name


def _dataset(value: Any, stem: Path, what: str) -> tuple[str, dict[str, Any]]:
    """Returns the type and the settings of a dataset block. Rows are written to a file."""
    settings = dict(value) if isinstance(value, Mapping) and "path" in value else {}
    data = settings.get("path", value)
    if isinstance(data, (str, os.PathLike)):
        path = Path(data)
        name = path.with_suffix("") if path.suffix in (".gz", ".zst") else path
        if name.suffix not in FORMATS:
            raise ValueError(f"{what}: unknown format of {path}: convert it to a .jsonl, .csv, or .parquet file")
        if not name.suffix and not path.is_dir():
            remedy = f"of Hugging Face's hub, pass datasets.load_dataset({str(path)!r}, split=\"train\")"
            raise ValueError(f"{what}: {path} does not exist: give a file, or a directory of Parquet files; {remedy}")
        return FORMATS[name.suffix], {**settings, "path": _absolute(path)}
    if hasattr(data, "to_parquet"):  # of datasets and of pandas
        path = stem.with_suffix(".parquet")
        data.to_parquet(str(path))
    elif isinstance(data, Sequence):
        path = stem.with_suffix(".jsonl")
        path.write_text("".join(_row(row, f"{what}[{number}]") for number, row in enumerate(data)), encoding="utf-8")
    else:
        raise TypeError(
            f"{what}: a {type(data).__name__} is not a dataset: give a path, a list of dicts, a DataFrame, or a "
            "datasets.Dataset (of a DatasetDict, one split)"
        )
    return FORMATS[path.suffix], {**settings, "path": path.name}


def _row(row: Any, what: str) -> str:
    if not isinstance(row, Mapping):
        raise TypeError(f"{what}: a row is a dict of columns, not a {type(row).__name__}")
    try:
        return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}: use strings, finite numbers, booleans, lists, and dicts") from None


def _configuration(path: str | os.PathLike[str]) -> str:
    if Path(path).suffix not in (".yaml", ".yml"):
        raise ValueError(f"config: {path} is not a YAML file of verl: give a dict; train a spec with awhost apply")
    return _absolute(Path(path))


def _absolute(path: Any) -> str:
    """Returns an absolute path as a literal of the spec."""
    if not isinstance(path, os.PathLike):
        raise TypeError(f"{path!r} cannot be in a spec: use strings, numbers, booleans, lists, dicts, and paths")
    return str(Path(path).absolute()).replace("${", "$${").replace("%{", "%%{")


def _merge(into: dict[str, Any], values: Mapping[str, Any], what: str) -> None:
    for key, value in values.items():
        if key not in into:
            into[key] = value
        elif isinstance(into[key], dict) and isinstance(value, Mapping):
            _merge(into[key], value, f"{what}.{key}")
        else:
            raise ValueError(f"{what}.{key} is already {into[key]!r}: remove it")
