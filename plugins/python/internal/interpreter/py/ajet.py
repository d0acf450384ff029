"""The module `ajet` for workflows and judges that were written for AgentJet: its names, made anew, without its trainer.

`import ajet` finds this one in a process of awhost, whether or not AgentJet is installed: with AgentJet's own a
workflow would ask a trainer that is not there. Modules of an installed AgentJet that are not here are found there."""

import copy
import importlib.abc
import importlib.machinery
import inspect
import sys
import types
import typing


class Fields:
    """An object with the fields that its class declares, as attributes with annotations. Each object has defaults of
    its own. It is no pydantic model: values are kept as they are given."""

    def __init__(self, **given):
        for name, default in declared(type(self)).items():
            if name in given:
                setattr(self, name, given.pop(name))
            elif default is not MISSING:
                setattr(self, name, fresh(default))
            else:
                raise TypeError("%s needs %s" % (type(self).__name__, name))
        if given:
            raise TypeError("%s has no %s; it has %s" % (type(self).__name__, ", ".join(sorted(given)),
                ", ".join(declared(type(self)))))

    def model_dump(self, **_):
        return {name: value.model_dump() if isinstance(value, Fields) else value for name, value in vars(self).items()}

    dict = model_dump

    def model_copy(self, update=None, deep=False):
        other = copy.deepcopy(self) if deep else copy.copy(self)
        vars(other).update(update or {})
        return other

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % item for item in vars(self).items()))

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = object.__hash__


MISSING = object()


def declared(cls):
    """The fields of a class, with their defaults."""
    out = {}
    for c in reversed(cls.__mro__):
        for name, annotation in annotations(c).items():
            if name == "model_config" or "ClassVar" in str(annotation):
                continue
            out[name] = vars(c).get(name, out.get(name, MISSING))
        for name, value in vars(c).items():
            if name in out:  # a subclass that gives a field another default, without an annotation
                out[name] = value
    return out


def annotations(c):
    try:
        if hasattr(inspect, "get_annotations"):
            return inspect.get_annotations(c)
    except NameError:  # of a name that is not there when it is looked at
        return {}
    return vars(c).get("__annotations__", {})


def fresh(default):
    """A default for one object: a copy, also of what pydantic's Field says."""
    if type(default).__name__ in ("FieldInfo", "ModelPrivateAttr") and hasattr(default, "get_default"):
        try:
            value = default.get_default(call_default_factory=True)
        except TypeError:
            value = default.get_default()
        if type(value).__name__ == "PydanticUndefinedType":
            raise TypeError("a field has no default: give it one, or a value in `arguments`")
        return value
    return copy.deepcopy(default)


class Task(Fields):
    """A task of the dataset."""

    main_query: str = ""
    init_messages: list = []
    task_id: str = ""
    env_type: str = ""
    metadata: dict = {}


class WorkflowTask(Fields):
    """A task, and what is known of the episode that plays it."""

    env_type: str = ""
    task_id: str = ""
    task_thread_index: int = 0
    task_batch_index: int = 0
    task_tag: str = ""
    episode_uuid: str = ""
    observation_window: dict = {}
    llm_inference_fn: typing.Any = None
    tokenizer: typing.Any = None
    task: Task = Task()
    gym_env: typing.Any = None


class WorkflowOutput(Fields):
    """What a workflow returns. Without a reward the rewards of the spec judge."""

    reward: typing.Optional[float] = None
    is_success: typing.Optional[bool] = None
    metadata: dict = {}
    log_metrics: dict = {}


class Workflow(Fields):
    """A workflow plays one episode: `async execute(workflow_task, tuner)`. There is an object for each."""

    name: str = "default_workflow"
    trainable_targets: typing.Optional[list] = None

    async def execute(self, workflow_task, tuner):
        raise NotImplementedError("%s has no execute(workflow_task, tuner)" % type(self).__name__)


class BaseJudge:
    """A judge scores an episode: `compute_reward(workflow_task, workflow_output)` returns the reward and whether it is
    a success."""

    def __init__(self, config=None):
        self.config = config

    def compute_reward(self, workflow_task, workflow_output):
        raise NotImplementedError("%s has no compute_reward(workflow_task, workflow_output)" % type(self).__name__)


class Config(dict):
    """The configuration that code of AgentJet reads, by attributes as by items: a part of the block's `arguments`."""

    remedy = "arguments = { %s = … }"

    def __getattr__(self, name):
        try:
            value = self[name]
        except KeyError:
            raise AttributeError("the config has no %r, but %s: write %s as far as the code reads it" % (name,
                ", ".join(self) or "nothing", self.remedy % name)) from None
        return type(self)(value) if isinstance(value, dict) else value


class TunerConfig(Config):
    remedy = "arguments = { config = { %s = … } }"


def with_columns(fields, columns):
    """The fields of a task, and under its own name each column of the data that a field was taken from."""
    out = dict(fields)
    for field, column in columns.items():
        parts = column.split(".")
        if field not in fields or any(p.lstrip("-").isdigit() for p in parts):
            continue  # it is private, or was an element of a list
        inner = out
        for part in parts[:-1]:
            value = inner.get(part)
            inner[part] = dict(value) if isinstance(value, dict) else {}
            inner = inner[part]
        inner.setdefault(parts[-1], fields[field])
    return out


def task_of(columns, task_id, messages):
    """A Task of a task's columns, and of the messages that its episode begins with."""
    query = columns.get("main_query")
    if not isinstance(query, str):
        query = next((m.get("content") or "" for m in reversed(messages) if m.get("role") == "user"), "")
    begin, kind, metadata = columns.get("init_messages"), columns.get("env_type"), columns.get("metadata")
    return Task(
        main_query=query, init_messages=begin if isinstance(begin, list) else [dict(m) for m in messages],
            task_id=str(task_id),
        env_type=kind if isinstance(kind, str) else "no_env", metadata=dict(metadata if isinstance(metadata, dict)
            else columns))


class AgentJetJob:
    """AgentJet's way to start a training from Python."""

    def __init__(self, *_, **__):
        raise RuntimeError("awhost has no AgentJetJob: a run is a spec, and `awhost apply` starts it")


def bp(*_, **__):
    """AgentJet's breakpoint, which does nothing unless its launcher was told its tag."""


def create_external_llm_fn(*_, **__):
    raise RuntimeError("awhost has no create_external_llm_fn, which asks DashScope: ask your model with a client of "
                       "its own")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of LAYOUT before anything that is installed."""

    def __init__(self, layout):
        self.layout = layout

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in self.layout:
            return None
        package = any(name.startswith(fullname + ".") for name in self.layout)
        spec = importlib.machinery.ModuleSpec(fullname, self, origin="awhost", is_package=package)
        if package:
            spec.submodule_search_locations = installed(fullname, path)
        return spec

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        names = self.layout[module.__name__]
        vars(module).update(names)
        module.__all__ = sorted(names)
        module.__doc__ = __doc__
        if module.__name__ == "ajet":
            module.__version__ = "0"
            module.AWHOST = True


def installed(fullname, path):
    """The folders of an installed AgentJet's package, whose other modules are found there."""
    try:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
    except Exception:
        spec = None
    return list(spec.submodule_search_locations or []) if spec else []


def install(tuner):
    """Makes `import ajet` find what is here."""
    for kind in (Task, WorkflowTask, WorkflowOutput, Workflow, BaseJudge, AgentJetJob, tuner):
        kind.__module__ = "ajet"
    schema = {"Task": Task, "WorkflowTask": WorkflowTask, "WorkflowOutput": WorkflowOutput}
    tuners = {"AjetTuner": tuner, "ModelTuner": tuner}
    flow = {"Workflow": Workflow, "WorkflowTask": WorkflowTask, "WorkflowOutput": WorkflowOutput}
    sys.meta_path.insert(0, Finder({
        "ajet": dict(flow, AgentJetJob=AgentJetJob, bp=bp, **tuners),
        "ajet.workflow": dict(flow, **tuners), "ajet.tuner": tuners,
        "ajet.schema": {}, "ajet.schema.task": schema,
        "ajet.task_judge": {}, "ajet.task_judge.base_judge": {"BaseJudge": BaseJudge},
        "ajet.task_rollout": {},
            "ajet.task_rollout.dashscope_llm_bridge": {"create_external_llm_fn": create_external_llm_fn},
        "ajet.copilot": {}, "ajet.copilot.job": {"AgentJetJob": AgentJetJob},
    }))
