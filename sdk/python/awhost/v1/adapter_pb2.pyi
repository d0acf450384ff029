import datetime

from awhost.v1 import config_pb2 as _config_pb2
from awhost.v1 import message_pb2 as _message_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FinishReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINISH_REASON_UNSPECIFIED: _ClassVar[FinishReason]
    FINISH_REASON_STOP: _ClassVar[FinishReason]
    FINISH_REASON_LENGTH: _ClassVar[FinishReason]
    FINISH_REASON_TOOL_CALLS: _ClassVar[FinishReason]

class Drift(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRIFT_UNSPECIFIED: _ClassVar[Drift]
    DRIFT_CLEAN: _ClassVar[Drift]
    DRIFT_REALIGN: _ClassVar[Drift]
    DRIFT_FORK: _ClassVar[Drift]
FINISH_REASON_UNSPECIFIED: FinishReason
FINISH_REASON_STOP: FinishReason
FINISH_REASON_LENGTH: FinishReason
FINISH_REASON_TOOL_CALLS: FinishReason
DRIFT_UNSPECIFIED: Drift
DRIFT_CLEAN: Drift
DRIFT_REALIGN: Drift
DRIFT_FORK: Drift

class AdapterCapabilities(_message.Message):
    __slots__ = ("token_custody", "rows_per_episode", "behaviour_logprobs", "per_token_versions", "unscorable", "group_semantics", "credit", "sampling_owned", "stop_strings", "modalities", "max_context", "max_episode", "interruptible", "resume", "live_metrics", "evaluate", "step_barrier", "smoke", "scale", "serve", "export_formats", "recover", "group_of_one", "trains_all", "remote_checkpoints")
    TOKEN_CUSTODY_FIELD_NUMBER: _ClassVar[int]
    ROWS_PER_EPISODE_FIELD_NUMBER: _ClassVar[int]
    BEHAVIOUR_LOGPROBS_FIELD_NUMBER: _ClassVar[int]
    PER_TOKEN_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    UNSCORABLE_FIELD_NUMBER: _ClassVar[int]
    GROUP_SEMANTICS_FIELD_NUMBER: _ClassVar[int]
    CREDIT_FIELD_NUMBER: _ClassVar[int]
    SAMPLING_OWNED_FIELD_NUMBER: _ClassVar[int]
    STOP_STRINGS_FIELD_NUMBER: _ClassVar[int]
    MODALITIES_FIELD_NUMBER: _ClassVar[int]
    MAX_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    MAX_EPISODE_FIELD_NUMBER: _ClassVar[int]
    INTERRUPTIBLE_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    LIVE_METRICS_FIELD_NUMBER: _ClassVar[int]
    EVALUATE_FIELD_NUMBER: _ClassVar[int]
    STEP_BARRIER_FIELD_NUMBER: _ClassVar[int]
    SMOKE_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    SERVE_FIELD_NUMBER: _ClassVar[int]
    EXPORT_FORMATS_FIELD_NUMBER: _ClassVar[int]
    RECOVER_FIELD_NUMBER: _ClassVar[int]
    GROUP_OF_ONE_FIELD_NUMBER: _ClassVar[int]
    TRAINS_ALL_FIELD_NUMBER: _ClassVar[int]
    REMOTE_CHECKPOINTS_FIELD_NUMBER: _ClassVar[int]
    token_custody: str
    rows_per_episode: str
    behaviour_logprobs: bool
    per_token_versions: bool
    unscorable: str
    group_semantics: bool
    credit: _containers.RepeatedScalarFieldContainer[str]
    sampling_owned: _containers.RepeatedScalarFieldContainer[str]
    stop_strings: bool
    modalities: _containers.RepeatedScalarFieldContainer[str]
    max_context: int
    max_episode: _duration_pb2.Duration
    interruptible: bool
    resume: bool
    live_metrics: bool
    evaluate: bool
    step_barrier: bool
    smoke: bool
    scale: _containers.RepeatedScalarFieldContainer[str]
    serve: bool
    export_formats: _containers.RepeatedScalarFieldContainer[str]
    recover: bool
    group_of_one: str
    trains_all: bool
    remote_checkpoints: bool
    def __init__(self, token_custody: _Optional[str] = ..., rows_per_episode: _Optional[str] = ..., behaviour_logprobs: bool = ..., per_token_versions: bool = ..., unscorable: _Optional[str] = ..., group_semantics: bool = ..., credit: _Optional[_Iterable[str]] = ..., sampling_owned: _Optional[_Iterable[str]] = ..., stop_strings: bool = ..., modalities: _Optional[_Iterable[str]] = ..., max_context: _Optional[int] = ..., max_episode: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., interruptible: bool = ..., resume: bool = ..., live_metrics: bool = ..., evaluate: bool = ..., step_barrier: bool = ..., smoke: bool = ..., scale: _Optional[_Iterable[str]] = ..., serve: bool = ..., export_formats: _Optional[_Iterable[str]] = ..., recover: bool = ..., group_of_one: _Optional[str] = ..., trains_all: bool = ..., remote_checkpoints: bool = ...) -> None: ...

class Knobs(_message.Message):
    __slots__ = ("json",)
    JSON_FIELD_NUMBER: _ClassVar[int]
    json: bytes
    def __init__(self, json: _Optional[bytes] = ...) -> None: ...

class PlanRequest(_message.Message):
    __slots__ = ("config_json", "stages", "policy_json", "agent", "data", "group_reward", "on_failure", "run_dir", "smoke", "elsewhere")
    CONFIG_JSON_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    POLICY_JSON_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    GROUP_REWARD_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    RUN_DIR_FIELD_NUMBER: _ClassVar[int]
    SMOKE_FIELD_NUMBER: _ClassVar[int]
    ELSEWHERE_FIELD_NUMBER: _ClassVar[int]
    config_json: bytes
    stages: _containers.RepeatedCompositeFieldContainer[StagePlan]
    policy_json: bytes
    agent: AgentSummary
    data: DataSummary
    group_reward: bool
    on_failure: _containers.RepeatedCompositeFieldContainer[FailurePreference]
    run_dir: str
    smoke: bool
    elsewhere: bool
    def __init__(self, config_json: _Optional[bytes] = ..., stages: _Optional[_Iterable[_Union[StagePlan, _Mapping]]] = ..., policy_json: _Optional[bytes] = ..., agent: _Optional[_Union[AgentSummary, _Mapping]] = ..., data: _Optional[_Union[DataSummary, _Mapping]] = ..., group_reward: bool = ..., on_failure: _Optional[_Iterable[_Union[FailurePreference, _Mapping]]] = ..., run_dir: _Optional[str] = ..., smoke: bool = ..., elsewhere: bool = ...) -> None: ...

class StagePlan(_message.Message):
    __slots__ = ("name", "knobs", "data")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KNOBS_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    name: str
    knobs: Knobs
    data: DataSummary
    def __init__(self, name: _Optional[str] = ..., knobs: _Optional[_Union[Knobs, _Mapping]] = ..., data: _Optional[_Union[DataSummary, _Mapping]] = ...) -> None: ...

class AgentSummary(_message.Message):
    __slots__ = ("type", "max_turns", "has_tools", "members", "chat_template_kwargs_json", "decoding_constraints")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    HAS_TOOLS_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    CHAT_TEMPLATE_KWARGS_JSON_FIELD_NUMBER: _ClassVar[int]
    DECODING_CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    type: str
    max_turns: int
    has_tools: bool
    members: int
    chat_template_kwargs_json: bytes
    decoding_constraints: bool
    def __init__(self, type: _Optional[str] = ..., max_turns: _Optional[int] = ..., has_tools: bool = ..., members: _Optional[int] = ..., chat_template_kwargs_json: _Optional[bytes] = ..., decoding_constraints: bool = ...) -> None: ...

class DataSummary(_message.Message):
    __slots__ = ("train_tasks", "validation_tasks")
    TRAIN_TASKS_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_TASKS_FIELD_NUMBER: _ClassVar[int]
    train_tasks: int
    validation_tasks: int
    def __init__(self, train_tasks: _Optional[int] = ..., validation_tasks: _Optional[int] = ...) -> None: ...

class FailurePreference(_message.Message):
    __slots__ = ("actions",)
    CLASS_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, actions: _Optional[_Iterable[str]] = ..., **kwargs) -> None: ...

class PlanResponse(_message.Message):
    __slots__ = ("files", "commands", "effective", "knobs", "requirements", "diagnostics", "capabilities", "notes")
    FILES_FIELD_NUMBER: _ClassVar[int]
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_FIELD_NUMBER: _ClassVar[int]
    KNOBS_FIELD_NUMBER: _ClassVar[int]
    REQUIREMENTS_FIELD_NUMBER: _ClassVar[int]
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[PlannedFile]
    commands: _containers.RepeatedCompositeFieldContainer[PlannedCommand]
    effective: _containers.RepeatedCompositeFieldContainer[EffectiveKey]
    knobs: _containers.RepeatedCompositeFieldContainer[KnobMapping]
    requirements: _containers.RepeatedCompositeFieldContainer[Requirement]
    diagnostics: _containers.RepeatedCompositeFieldContainer[_config_pb2.Diagnostic]
    capabilities: AdapterCapabilities
    notes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, files: _Optional[_Iterable[_Union[PlannedFile, _Mapping]]] = ..., commands: _Optional[_Iterable[_Union[PlannedCommand, _Mapping]]] = ..., effective: _Optional[_Iterable[_Union[EffectiveKey, _Mapping]]] = ..., knobs: _Optional[_Iterable[_Union[KnobMapping, _Mapping]]] = ..., requirements: _Optional[_Iterable[_Union[Requirement, _Mapping]]] = ..., diagnostics: _Optional[_Iterable[_Union[_config_pb2.Diagnostic, _Mapping]]] = ..., capabilities: _Optional[_Union[AdapterCapabilities, _Mapping]] = ..., notes: _Optional[_Iterable[str]] = ...) -> None: ...

class PlannedFile(_message.Message):
    __slots__ = ("path", "content")
    PATH_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    path: str
    content: bytes
    def __init__(self, path: _Optional[str] = ..., content: _Optional[bytes] = ...) -> None: ...

class PlannedCommand(_message.Message):
    __slots__ = ("argv", "env")
    class EnvEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ARGV_FIELD_NUMBER: _ClassVar[int]
    ENV_FIELD_NUMBER: _ClassVar[int]
    argv: _containers.RepeatedScalarFieldContainer[str]
    env: _containers.ScalarMap[str, str]
    def __init__(self, argv: _Optional[_Iterable[str]] = ..., env: _Optional[_Mapping[str, str]] = ...) -> None: ...

class EffectiveKey(_message.Message):
    __slots__ = ("key", "value_json", "origin")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_JSON_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    key: str
    value_json: bytes
    origin: str
    def __init__(self, key: _Optional[str] = ..., value_json: _Optional[bytes] = ..., origin: _Optional[str] = ...) -> None: ...

class KnobMapping(_message.Message):
    __slots__ = ("knob", "key", "refused")
    KNOB_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    knob: str
    key: str
    refused: str
    def __init__(self, knob: _Optional[str] = ..., key: _Optional[str] = ..., refused: _Optional[str] = ...) -> None: ...

class Requirement(_message.Message):
    __slots__ = ("kind", "detail", "met")
    KIND_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    MET_FIELD_NUMBER: _ClassVar[int]
    kind: str
    detail: str
    met: bool
    def __init__(self, kind: _Optional[str] = ..., detail: _Optional[str] = ..., met: bool = ...) -> None: ...

class TrainRequest(_message.Message):
    __slots__ = ("launch_id", "stage", "stage_index", "config_json", "knobs", "first_step", "from_checkpoint", "checkpoint_dir", "carry_optimizer", "data", "incarnation", "steps_done", "resumed", "policy_json", "smoke")
    LAUNCH_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    STAGE_INDEX_FIELD_NUMBER: _ClassVar[int]
    CONFIG_JSON_FIELD_NUMBER: _ClassVar[int]
    KNOBS_FIELD_NUMBER: _ClassVar[int]
    FIRST_STEP_FIELD_NUMBER: _ClassVar[int]
    FROM_CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_DIR_FIELD_NUMBER: _ClassVar[int]
    CARRY_OPTIMIZER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    STEPS_DONE_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    POLICY_JSON_FIELD_NUMBER: _ClassVar[int]
    SMOKE_FIELD_NUMBER: _ClassVar[int]
    launch_id: str
    stage: str
    stage_index: int
    config_json: bytes
    knobs: Knobs
    first_step: int
    from_checkpoint: str
    checkpoint_dir: str
    carry_optimizer: bool
    data: DataSummary
    incarnation: int
    steps_done: int
    resumed: bool
    policy_json: bytes
    smoke: bool
    def __init__(self, launch_id: _Optional[str] = ..., stage: _Optional[str] = ..., stage_index: _Optional[int] = ..., config_json: _Optional[bytes] = ..., knobs: _Optional[_Union[Knobs, _Mapping]] = ..., first_step: _Optional[int] = ..., from_checkpoint: _Optional[str] = ..., checkpoint_dir: _Optional[str] = ..., carry_optimizer: bool = ..., data: _Optional[_Union[DataSummary, _Mapping]] = ..., incarnation: _Optional[int] = ..., steps_done: _Optional[int] = ..., resumed: bool = ..., policy_json: _Optional[bytes] = ..., smoke: bool = ...) -> None: ...

class TrainResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: TrainEvent
    def __init__(self, event: _Optional[_Union[TrainEvent, _Mapping]] = ...) -> None: ...

class RecoverRequest(_message.Message):
    __slots__ = ("launch_id", "handle", "after_seq")
    LAUNCH_ID_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQ_FIELD_NUMBER: _ClassVar[int]
    launch_id: str
    handle: bytes
    after_seq: int
    def __init__(self, launch_id: _Optional[str] = ..., handle: _Optional[bytes] = ..., after_seq: _Optional[int] = ...) -> None: ...

class RecoverResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: TrainEvent
    def __init__(self, event: _Optional[_Union[TrainEvent, _Mapping]] = ...) -> None: ...

class TrainEvent(_message.Message):
    __slots__ = ("seq", "phase", "metrics", "consumed", "checkpoint", "log", "handle", "finished", "tokens")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CONSUMED_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    seq: int
    phase: PhaseEvent
    metrics: MetricsEvent
    consumed: ConsumedEvent
    checkpoint: CheckpointEvent
    log: LogEvent
    handle: HandleEvent
    finished: FinishedEvent
    tokens: TokensEvent
    def __init__(self, seq: _Optional[int] = ..., phase: _Optional[_Union[PhaseEvent, _Mapping]] = ..., metrics: _Optional[_Union[MetricsEvent, _Mapping]] = ..., consumed: _Optional[_Union[ConsumedEvent, _Mapping]] = ..., checkpoint: _Optional[_Union[CheckpointEvent, _Mapping]] = ..., log: _Optional[_Union[LogEvent, _Mapping]] = ..., handle: _Optional[_Union[HandleEvent, _Mapping]] = ..., finished: _Optional[_Union[FinishedEvent, _Mapping]] = ..., tokens: _Optional[_Union[TokensEvent, _Mapping]] = ...) -> None: ...

class TokensEvent(_message.Message):
    __slots__ = ("step", "rows")
    STEP_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    step: int
    rows: _containers.RepeatedCompositeFieldContainer[TokensRow]
    def __init__(self, step: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[TokensRow, _Mapping]]] = ...) -> None: ...

class TokensRow(_message.Message):
    __slots__ = ("episode_id", "chain", "ids", "texts", "trained", "sampler_logprobs", "trainer_logprobs", "advantages", "total")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    TRAINED_FIELD_NUMBER: _ClassVar[int]
    SAMPLER_LOGPROBS_FIELD_NUMBER: _ClassVar[int]
    TRAINER_LOGPROBS_FIELD_NUMBER: _ClassVar[int]
    ADVANTAGES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    chain: str
    ids: _containers.RepeatedScalarFieldContainer[int]
    texts: _containers.RepeatedScalarFieldContainer[str]
    trained: _containers.RepeatedScalarFieldContainer[bool]
    sampler_logprobs: _containers.RepeatedScalarFieldContainer[float]
    trainer_logprobs: _containers.RepeatedScalarFieldContainer[float]
    advantages: _containers.RepeatedScalarFieldContainer[float]
    total: int
    def __init__(self, episode_id: _Optional[str] = ..., chain: _Optional[str] = ..., ids: _Optional[_Iterable[int]] = ..., texts: _Optional[_Iterable[str]] = ..., trained: _Optional[_Iterable[bool]] = ..., sampler_logprobs: _Optional[_Iterable[float]] = ..., trainer_logprobs: _Optional[_Iterable[float]] = ..., advantages: _Optional[_Iterable[float]] = ..., total: _Optional[int] = ...) -> None: ...

class PhaseEvent(_message.Message):
    __slots__ = ("name", "step", "done", "total", "ended")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    name: str
    step: int
    done: int
    total: int
    ended: bool
    def __init__(self, name: _Optional[str] = ..., step: _Optional[int] = ..., done: _Optional[int] = ..., total: _Optional[int] = ..., ended: bool = ...) -> None: ...

class MetricsEvent(_message.Message):
    __slots__ = ("step", "values", "policy_gap", "not_finite")
    class ValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    STEP_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    POLICY_GAP_FIELD_NUMBER: _ClassVar[int]
    NOT_FINITE_FIELD_NUMBER: _ClassVar[int]
    step: int
    values: _containers.ScalarMap[str, float]
    policy_gap: PolicyGap
    not_finite: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, step: _Optional[int] = ..., values: _Optional[_Mapping[str, float]] = ..., policy_gap: _Optional[_Union[PolicyGap, _Mapping]] = ..., not_finite: _Optional[_Iterable[str]] = ...) -> None: ...

class PolicyGap(_message.Message):
    __slots__ = ("mean", "p99", "max", "bias", "episode_id", "token")
    MEAN_FIELD_NUMBER: _ClassVar[int]
    P99_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    BIAS_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    mean: float
    p99: float
    max: float
    bias: float
    episode_id: str
    token: int
    def __init__(self, mean: _Optional[float] = ..., p99: _Optional[float] = ..., max: _Optional[float] = ..., bias: _Optional[float] = ..., episode_id: _Optional[str] = ..., token: _Optional[int] = ...) -> None: ...

class ConsumedEvent(_message.Message):
    __slots__ = ("step", "version_after", "episodes")
    STEP_FIELD_NUMBER: _ClassVar[int]
    VERSION_AFTER_FIELD_NUMBER: _ClassVar[int]
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    step: int
    version_after: int
    episodes: _containers.RepeatedCompositeFieldContainer[ConsumedEpisode]
    def __init__(self, step: _Optional[int] = ..., version_after: _Optional[int] = ..., episodes: _Optional[_Iterable[_Union[ConsumedEpisode, _Mapping]]] = ...) -> None: ...

class ConsumedEpisode(_message.Message):
    __slots__ = ("episode_id", "use")
    class Use(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        USE_UNSPECIFIED: _ClassVar[ConsumedEpisode.Use]
        USE_TRAINED: _ClassVar[ConsumedEpisode.Use]
        USE_MASKED: _ClassVar[ConsumedEpisode.Use]
        USE_FILTERED: _ClassVar[ConsumedEpisode.Use]
        USE_STALE: _ClassVar[ConsumedEpisode.Use]
        USE_LOST: _ClassVar[ConsumedEpisode.Use]
    USE_UNSPECIFIED: ConsumedEpisode.Use
    USE_TRAINED: ConsumedEpisode.Use
    USE_MASKED: ConsumedEpisode.Use
    USE_FILTERED: ConsumedEpisode.Use
    USE_STALE: ConsumedEpisode.Use
    USE_LOST: ConsumedEpisode.Use
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    USE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    use: ConsumedEpisode.Use
    def __init__(self, episode_id: _Optional[str] = ..., use: _Optional[_Union[ConsumedEpisode.Use, str]] = ...) -> None: ...

class CheckpointEvent(_message.Message):
    __slots__ = ("step", "path", "digest")
    STEP_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    step: int
    path: str
    digest: str
    def __init__(self, step: _Optional[int] = ..., path: _Optional[str] = ..., digest: _Optional[str] = ...) -> None: ...

class LogEvent(_message.Message):
    __slots__ = ("level", "message", "fields")
    class FieldsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    level: str
    message: str
    fields: _containers.ScalarMap[str, str]
    def __init__(self, level: _Optional[str] = ..., message: _Optional[str] = ..., fields: _Optional[_Mapping[str, str]] = ...) -> None: ...

class HandleEvent(_message.Message):
    __slots__ = ("handle",)
    HANDLE_FIELD_NUMBER: _ClassVar[int]
    handle: bytes
    def __init__(self, handle: _Optional[bytes] = ...) -> None: ...

class FinishedEvent(_message.Message):
    __slots__ = ("outcome", "reason", "step")
    class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        OUTCOME_UNSPECIFIED: _ClassVar[FinishedEvent.Outcome]
        OUTCOME_COMPLETED: _ClassVar[FinishedEvent.Outcome]
        OUTCOME_STOPPED: _ClassVar[FinishedEvent.Outcome]
        OUTCOME_FAILED: _ClassVar[FinishedEvent.Outcome]
        OUTCOME_HALTED: _ClassVar[FinishedEvent.Outcome]
    OUTCOME_UNSPECIFIED: FinishedEvent.Outcome
    OUTCOME_COMPLETED: FinishedEvent.Outcome
    OUTCOME_STOPPED: FinishedEvent.Outcome
    OUTCOME_FAILED: FinishedEvent.Outcome
    OUTCOME_HALTED: FinishedEvent.Outcome
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    outcome: FinishedEvent.Outcome
    reason: str
    step: int
    def __init__(self, outcome: _Optional[_Union[FinishedEvent.Outcome, str]] = ..., reason: _Optional[str] = ..., step: _Optional[int] = ...) -> None: ...

class GenerateRequest(_message.Message):
    __slots__ = ("episode_id", "attempt", "call_id", "agent", "chain", "base", "messages", "tools", "sampling", "trainable", "seed", "deadline", "validation", "scripted", "chat_template_kwargs_json", "constraints")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    SAMPLING_FIELD_NUMBER: _ClassVar[int]
    TRAINABLE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    VALIDATION_FIELD_NUMBER: _ClassVar[int]
    SCRIPTED_FIELD_NUMBER: _ClassVar[int]
    CHAT_TEMPLATE_KWARGS_JSON_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    attempt: int
    call_id: str
    agent: str
    chain: str
    base: int
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    tools: _containers.RepeatedCompositeFieldContainer[_message_pb2.Tool]
    sampling: _message_pb2.Sampling
    trainable: bool
    seed: int
    deadline: _duration_pb2.Duration
    validation: bool
    scripted: _message_pb2.Message
    chat_template_kwargs_json: bytes
    constraints: _message_pb2.DecodingConstraints
    def __init__(self, episode_id: _Optional[str] = ..., attempt: _Optional[int] = ..., call_id: _Optional[str] = ..., agent: _Optional[str] = ..., chain: _Optional[str] = ..., base: _Optional[int] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., tools: _Optional[_Iterable[_Union[_message_pb2.Tool, _Mapping]]] = ..., sampling: _Optional[_Union[_message_pb2.Sampling, _Mapping]] = ..., trainable: bool = ..., seed: _Optional[int] = ..., deadline: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., validation: bool = ..., scripted: _Optional[_Union[_message_pb2.Message, _Mapping]] = ..., chat_template_kwargs_json: _Optional[bytes] = ..., constraints: _Optional[_Union[_message_pb2.DecodingConstraints, _Mapping]] = ...) -> None: ...

class GenerateResponse(_message.Message):
    __slots__ = ("message", "finish_reason", "usage", "remaining_tokens", "versions", "chain", "chain_length", "chain_digest", "drift", "tokens", "codec", "codec_digest")
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FINISH_REASON_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    REMAINING_TOKENS_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    CHAIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    CHAIN_DIGEST_FIELD_NUMBER: _ClassVar[int]
    DRIFT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    CODEC_FIELD_NUMBER: _ClassVar[int]
    CODEC_DIGEST_FIELD_NUMBER: _ClassVar[int]
    message: _message_pb2.Message
    finish_reason: FinishReason
    usage: Usage
    remaining_tokens: int
    versions: _containers.RepeatedCompositeFieldContainer[_message_pb2.VersionSpan]
    chain: str
    chain_length: int
    chain_digest: str
    drift: Drift
    tokens: Tokens
    codec: str
    codec_digest: str
    def __init__(self, message: _Optional[_Union[_message_pb2.Message, _Mapping]] = ..., finish_reason: _Optional[_Union[FinishReason, str]] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., remaining_tokens: _Optional[int] = ..., versions: _Optional[_Iterable[_Union[_message_pb2.VersionSpan, _Mapping]]] = ..., chain: _Optional[str] = ..., chain_length: _Optional[int] = ..., chain_digest: _Optional[str] = ..., drift: _Optional[_Union[Drift, str]] = ..., tokens: _Optional[_Union[Tokens, _Mapping]] = ..., codec: _Optional[str] = ..., codec_digest: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("prompt_tokens", "output_tokens")
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    prompt_tokens: int
    output_tokens: int
    def __init__(self, prompt_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ...) -> None: ...

class Tokens(_message.Message):
    __slots__ = ("ids", "logprobs")
    IDS_FIELD_NUMBER: _ClassVar[int]
    LOGPROBS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[int]
    logprobs: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, ids: _Optional[_Iterable[int]] = ..., logprobs: _Optional[_Iterable[float]] = ...) -> None: ...

class GenerateError(_message.Message):
    __slots__ = ("kind", "detail")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[GenerateError.Kind]
        KIND_CONTEXT_FULL: _ClassVar[GenerateError.Kind]
        KIND_ABORTED: _ClassVar[GenerateError.Kind]
        KIND_ENGINE: _ClassVar[GenerateError.Kind]
        KIND_PAUSED: _ClassVar[GenerateError.Kind]
        KIND_REFUSED: _ClassVar[GenerateError.Kind]
    KIND_UNSPECIFIED: GenerateError.Kind
    KIND_CONTEXT_FULL: GenerateError.Kind
    KIND_ABORTED: GenerateError.Kind
    KIND_ENGINE: GenerateError.Kind
    KIND_PAUSED: GenerateError.Kind
    KIND_REFUSED: GenerateError.Kind
    KIND_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    kind: GenerateError.Kind
    detail: str
    def __init__(self, kind: _Optional[_Union[GenerateError.Kind, str]] = ..., detail: _Optional[str] = ...) -> None: ...

class EvaluateRequest(_message.Message):
    __slots__ = ("launch_id",)
    LAUNCH_ID_FIELD_NUMBER: _ClassVar[int]
    launch_id: str
    def __init__(self, launch_id: _Optional[str] = ...) -> None: ...

class EvaluateResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ControlRequest(_message.Message):
    __slots__ = ("launch_id", "action", "reason")
    class Action(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ACTION_UNSPECIFIED: _ClassVar[ControlRequest.Action]
        ACTION_PAUSE: _ClassVar[ControlRequest.Action]
        ACTION_RESUME: _ClassVar[ControlRequest.Action]
        ACTION_DRAIN: _ClassVar[ControlRequest.Action]
        ACTION_CHECKPOINT_NOW: _ClassVar[ControlRequest.Action]
        ACTION_ABORT: _ClassVar[ControlRequest.Action]
    ACTION_UNSPECIFIED: ControlRequest.Action
    ACTION_PAUSE: ControlRequest.Action
    ACTION_RESUME: ControlRequest.Action
    ACTION_DRAIN: ControlRequest.Action
    ACTION_CHECKPOINT_NOW: ControlRequest.Action
    ACTION_ABORT: ControlRequest.Action
    LAUNCH_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    launch_id: str
    action: ControlRequest.Action
    reason: str
    def __init__(self, launch_id: _Optional[str] = ..., action: _Optional[_Union[ControlRequest.Action, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ControlResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class LoadRequest(_message.Message):
    __slots__ = ("checkpoint", "seed", "policy_json")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    POLICY_JSON_FIELD_NUMBER: _ClassVar[int]
    checkpoint: str
    seed: int
    policy_json: bytes
    def __init__(self, checkpoint: _Optional[str] = ..., seed: _Optional[int] = ..., policy_json: _Optional[bytes] = ...) -> None: ...

class LoadResponse(_message.Message):
    __slots__ = ("policy", "step", "max_context", "policy_version", "digest")
    POLICY_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    MAX_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    POLICY_VERSION_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    policy: str
    step: int
    max_context: int
    policy_version: int
    digest: str
    def __init__(self, policy: _Optional[str] = ..., step: _Optional[int] = ..., max_context: _Optional[int] = ..., policy_version: _Optional[int] = ..., digest: _Optional[str] = ...) -> None: ...

class ReleaseRequest(_message.Message):
    __slots__ = ("episode_id",)
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    def __init__(self, episode_id: _Optional[str] = ...) -> None: ...

class ReleaseResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExportRequest(_message.Message):
    __slots__ = ("checkpoint", "format", "target")
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    checkpoint: str
    format: str
    target: str
    def __init__(self, checkpoint: _Optional[str] = ..., format: _Optional[str] = ..., target: _Optional[str] = ...) -> None: ...

class ExportResponse(_message.Message):
    __slots__ = ("files", "notes")
    FILES_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[ExportedFile]
    notes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, files: _Optional[_Iterable[_Union[ExportedFile, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ...) -> None: ...

class ExportedFile(_message.Message):
    __slots__ = ("name", "bytes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    name: str
    bytes: int
    def __init__(self, name: _Optional[str] = ..., bytes: _Optional[int] = ...) -> None: ...

class DeleteCheckpointRequest(_message.Message):
    __slots__ = ("checkpoint",)
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    checkpoint: str
    def __init__(self, checkpoint: _Optional[str] = ...) -> None: ...

class DeleteCheckpointResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
