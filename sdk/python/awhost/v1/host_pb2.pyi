import datetime

from awhost.v1 import adapter_pb2 as _adapter_pb2
from awhost.v1 import environment_pb2 as _environment_pb2
from awhost.v1 import message_pb2 as _message_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EpisodeOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EPISODE_OUTCOME_UNSPECIFIED: _ClassVar[EpisodeOutcome]
    EPISODE_OUTCOME_SCORED: _ClassVar[EpisodeOutcome]
    EPISODE_OUTCOME_TRUNCATED: _ClassVar[EpisodeOutcome]
    EPISODE_OUTCOME_FAILED: _ClassVar[EpisodeOutcome]
    EPISODE_OUTCOME_DROPPED: _ClassVar[EpisodeOutcome]
    EPISODE_OUTCOME_CANCELLED: _ClassVar[EpisodeOutcome]
EPISODE_OUTCOME_UNSPECIFIED: EpisodeOutcome
EPISODE_OUTCOME_SCORED: EpisodeOutcome
EPISODE_OUTCOME_TRUNCATED: EpisodeOutcome
EPISODE_OUTCOME_FAILED: EpisodeOutcome
EPISODE_OUTCOME_DROPPED: EpisodeOutcome
EPISODE_OUTCOME_CANCELLED: EpisodeOutcome

class RunEpisodeRequest(_message.Message):
    __slots__ = ("episode_id", "group_id", "group_size", "sample_index", "draw", "task", "dataset_index", "stage", "split", "step", "policy_version", "active_budget", "hard_deadline", "endpoint", "group_index")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_SIZE_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_INDEX_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    DATASET_INDEX_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    POLICY_VERSION_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_BUDGET_FIELD_NUMBER: _ClassVar[int]
    HARD_DEADLINE_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    GROUP_INDEX_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    group_id: str
    group_size: int
    sample_index: int
    draw: int
    task: _message_pb2.Task
    dataset_index: int
    stage: str
    split: _message_pb2.Split
    step: int
    policy_version: int
    active_budget: _duration_pb2.Duration
    hard_deadline: _duration_pb2.Duration
    endpoint: Endpoint
    group_index: int
    def __init__(self, episode_id: _Optional[str] = ..., group_id: _Optional[str] = ..., group_size: _Optional[int] = ..., sample_index: _Optional[int] = ..., draw: _Optional[int] = ..., task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ..., dataset_index: _Optional[int] = ..., stage: _Optional[str] = ..., split: _Optional[_Union[_message_pb2.Split, str]] = ..., step: _Optional[int] = ..., policy_version: _Optional[int] = ..., active_budget: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., hard_deadline: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., endpoint: _Optional[_Union[Endpoint, _Mapping]] = ..., group_index: _Optional[int] = ...) -> None: ...

class Endpoint(_message.Message):
    __slots__ = ("base_url", "api_key", "model")
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    base_url: str
    api_key: str
    model: str
    def __init__(self, base_url: _Optional[str] = ..., api_key: _Optional[str] = ..., model: _Optional[str] = ...) -> None: ...

class RunEpisodeResponse(_message.Message):
    __slots__ = ("queued", "started", "heartbeat", "result")
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    queued: EpisodeQueued
    started: EpisodeStarted
    heartbeat: EpisodeHeartbeat
    result: EpisodeResult
    def __init__(self, queued: _Optional[_Union[EpisodeQueued, _Mapping]] = ..., started: _Optional[_Union[EpisodeStarted, _Mapping]] = ..., heartbeat: _Optional[_Union[EpisodeHeartbeat, _Mapping]] = ..., result: _Optional[_Union[EpisodeResult, _Mapping]] = ...) -> None: ...

class EpisodeQueued(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EpisodeStarted(_message.Message):
    __slots__ = ("attempt",)
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    attempt: int
    def __init__(self, attempt: _Optional[int] = ...) -> None: ...

class EpisodeHeartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EpisodeResult(_message.Message):
    __slots__ = ("episode_id", "attempt", "draw", "outcome", "reward", "components", "turn_rewards", "is_success", "chains", "failure", "masked", "drop_group", "num_turns", "task_id", "timings", "drift_count", "metrics", "rows")
    class ComponentsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    DRAW_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    TURN_REWARDS_FIELD_NUMBER: _ClassVar[int]
    IS_SUCCESS_FIELD_NUMBER: _ClassVar[int]
    CHAINS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    MASKED_FIELD_NUMBER: _ClassVar[int]
    DROP_GROUP_FIELD_NUMBER: _ClassVar[int]
    NUM_TURNS_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_FIELD_NUMBER: _ClassVar[int]
    DRIFT_COUNT_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    attempt: int
    draw: int
    outcome: EpisodeOutcome
    reward: float
    components: _containers.ScalarMap[str, float]
    turn_rewards: _containers.RepeatedCompositeFieldContainer[TurnReward]
    is_success: bool
    chains: _containers.RepeatedCompositeFieldContainer[ChainResult]
    failure: _message_pb2.Failure
    masked: bool
    drop_group: bool
    num_turns: int
    task_id: str
    timings: _message_pb2.Timings
    drift_count: int
    metrics: _containers.ScalarMap[str, float]
    rows: _containers.RepeatedCompositeFieldContainer[TokenRow]
    def __init__(self, episode_id: _Optional[str] = ..., attempt: _Optional[int] = ..., draw: _Optional[int] = ..., outcome: _Optional[_Union[EpisodeOutcome, str]] = ..., reward: _Optional[float] = ..., components: _Optional[_Mapping[str, float]] = ..., turn_rewards: _Optional[_Iterable[_Union[TurnReward, _Mapping]]] = ..., is_success: bool = ..., chains: _Optional[_Iterable[_Union[ChainResult, _Mapping]]] = ..., failure: _Optional[_Union[_message_pb2.Failure, _Mapping]] = ..., masked: bool = ..., drop_group: bool = ..., num_turns: _Optional[int] = ..., task_id: _Optional[str] = ..., timings: _Optional[_Union[_message_pb2.Timings, _Mapping]] = ..., drift_count: _Optional[int] = ..., metrics: _Optional[_Mapping[str, float]] = ..., rows: _Optional[_Iterable[_Union[TokenRow, _Mapping]]] = ...) -> None: ...

class TurnReward(_message.Message):
    __slots__ = ("call_id", "reward")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    call_id: str
    reward: float
    def __init__(self, call_id: _Optional[str] = ..., reward: _Optional[float] = ...) -> None: ...

class ChainResult(_message.Message):
    __slots__ = ("chain", "agent", "train", "reward")
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    TRAIN_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    chain: str
    agent: str
    train: bool
    reward: float
    def __init__(self, chain: _Optional[str] = ..., agent: _Optional[str] = ..., train: bool = ..., reward: _Optional[float] = ...) -> None: ...

class TokenRow(_message.Message):
    __slots__ = ("chain", "ids", "loss_mask", "logprobs", "versions", "turn_ids", "prompt_length")
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    LOSS_MASK_FIELD_NUMBER: _ClassVar[int]
    LOGPROBS_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    TURN_IDS_FIELD_NUMBER: _ClassVar[int]
    PROMPT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    chain: str
    ids: _containers.RepeatedScalarFieldContainer[int]
    loss_mask: _containers.RepeatedScalarFieldContainer[bool]
    logprobs: _containers.RepeatedScalarFieldContainer[float]
    versions: _containers.RepeatedCompositeFieldContainer[_message_pb2.VersionSpan]
    turn_ids: _containers.RepeatedScalarFieldContainer[int]
    prompt_length: int
    def __init__(self, chain: _Optional[str] = ..., ids: _Optional[_Iterable[int]] = ..., loss_mask: _Optional[_Iterable[bool]] = ..., logprobs: _Optional[_Iterable[float]] = ..., versions: _Optional[_Iterable[_Union[_message_pb2.VersionSpan, _Mapping]]] = ..., turn_ids: _Optional[_Iterable[int]] = ..., prompt_length: _Optional[int] = ...) -> None: ...

class CancelEpisodeRequest(_message.Message):
    __slots__ = ("episode_id", "reason")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    reason: str
    def __init__(self, episode_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelEpisodeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HostServiceTasksRequest(_message.Message):
    __slots__ = ("split", "dataset", "stage", "cursor")
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    DATASET_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    split: _message_pb2.Split
    dataset: str
    stage: str
    cursor: int
    def __init__(self, split: _Optional[_Union[_message_pb2.Split, str]] = ..., dataset: _Optional[str] = ..., stage: _Optional[str] = ..., cursor: _Optional[int] = ...) -> None: ...

class HostServiceTasksResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _message_pb2.Task
    def __init__(self, task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ...) -> None: ...

class StepBoundaryRequest(_message.Message):
    __slots__ = ("launch_id", "stage", "step", "validated", "after_seq")
    LAUNCH_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    VALIDATED_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQ_FIELD_NUMBER: _ClassVar[int]
    launch_id: str
    stage: str
    step: int
    validated: bool
    after_seq: int
    def __init__(self, launch_id: _Optional[str] = ..., stage: _Optional[str] = ..., step: _Optional[int] = ..., validated: bool = ..., after_seq: _Optional[int] = ...) -> None: ...

class StepBoundaryResponse(_message.Message):
    __slots__ = ("directive", "reason")
    class Directive(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        DIRECTIVE_UNSPECIFIED: _ClassVar[StepBoundaryResponse.Directive]
        DIRECTIVE_CONTINUE: _ClassVar[StepBoundaryResponse.Directive]
        DIRECTIVE_FINISH_STAGE: _ClassVar[StepBoundaryResponse.Directive]
        DIRECTIVE_STOP: _ClassVar[StepBoundaryResponse.Directive]
        DIRECTIVE_ABORT: _ClassVar[StepBoundaryResponse.Directive]
    DIRECTIVE_UNSPECIFIED: StepBoundaryResponse.Directive
    DIRECTIVE_CONTINUE: StepBoundaryResponse.Directive
    DIRECTIVE_FINISH_STAGE: StepBoundaryResponse.Directive
    DIRECTIVE_STOP: StepBoundaryResponse.Directive
    DIRECTIVE_ABORT: StepBoundaryResponse.Directive
    DIRECTIVE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    directive: StepBoundaryResponse.Directive
    reason: str
    def __init__(self, directive: _Optional[_Union[StepBoundaryResponse.Directive, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class AgentGenerateRequest(_message.Message):
    __slots__ = ("lease", "member", "chain", "base", "messages", "tools", "max_tokens", "stop", "repeat", "chat_template_kwargs_json", "constraints")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    MEMBER_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    REPEAT_FIELD_NUMBER: _ClassVar[int]
    CHAT_TEMPLATE_KWARGS_JSON_FIELD_NUMBER: _ClassVar[int]
    CONSTRAINTS_FIELD_NUMBER: _ClassVar[int]
    lease: str
    member: str
    chain: str
    base: int
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    tools: _containers.RepeatedCompositeFieldContainer[_message_pb2.Tool]
    max_tokens: int
    stop: _containers.RepeatedScalarFieldContainer[str]
    repeat: int
    chat_template_kwargs_json: bytes
    constraints: _message_pb2.DecodingConstraints
    def __init__(self, lease: _Optional[str] = ..., member: _Optional[str] = ..., chain: _Optional[str] = ..., base: _Optional[int] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., tools: _Optional[_Iterable[_Union[_message_pb2.Tool, _Mapping]]] = ..., max_tokens: _Optional[int] = ..., stop: _Optional[_Iterable[str]] = ..., repeat: _Optional[int] = ..., chat_template_kwargs_json: _Optional[bytes] = ..., constraints: _Optional[_Union[_message_pb2.DecodingConstraints, _Mapping]] = ...) -> None: ...

class AgentGenerateResponse(_message.Message):
    __slots__ = ("call_id", "message", "finish_reason", "prompt_tokens", "output_tokens", "chain", "chain_length")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FINISH_REASON_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CHAIN_FIELD_NUMBER: _ClassVar[int]
    CHAIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    call_id: str
    message: _message_pb2.Message
    finish_reason: _adapter_pb2.FinishReason
    prompt_tokens: int
    output_tokens: int
    chain: str
    chain_length: int
    def __init__(self, call_id: _Optional[str] = ..., message: _Optional[_Union[_message_pb2.Message, _Mapping]] = ..., finish_reason: _Optional[_Union[_adapter_pb2.FinishReason, str]] = ..., prompt_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., chain: _Optional[str] = ..., chain_length: _Optional[int] = ...) -> None: ...

class AgentStepRequest(_message.Message):
    __slots__ = ("lease", "call_id", "message")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    lease: str
    call_id: str
    message: _message_pb2.Message
    def __init__(self, lease: _Optional[str] = ..., call_id: _Optional[str] = ..., message: _Optional[_Union[_message_pb2.Message, _Mapping]] = ...) -> None: ...

class AgentStepResponse(_message.Message):
    __slots__ = ("messages", "done", "truncated", "tools_changed")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    TOOLS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    done: bool
    truncated: bool
    tools_changed: _environment_pb2.ToolSet
    def __init__(self, messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., done: bool = ..., truncated: bool = ..., tools_changed: _Optional[_Union[_environment_pb2.ToolSet, _Mapping]] = ...) -> None: ...

class LogRequest(_message.Message):
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

class LogResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
