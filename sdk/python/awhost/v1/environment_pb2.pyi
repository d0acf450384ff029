from awhost.v1 import message_pb2 as _message_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EnvironmentCapabilities(_message.Message):
    __slots__ = ("max_sessions", "deterministic_under_seed", "group_safe", "snapshot", "tasks", "multi_user_turn", "needs", "view_url", "ground_truth_attribute")
    MAX_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    DETERMINISTIC_UNDER_SEED_FIELD_NUMBER: _ClassVar[int]
    GROUP_SAFE_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    MULTI_USER_TURN_FIELD_NUMBER: _ClassVar[int]
    NEEDS_FIELD_NUMBER: _ClassVar[int]
    VIEW_URL_FIELD_NUMBER: _ClassVar[int]
    GROUND_TRUTH_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    max_sessions: int
    deterministic_under_seed: bool
    group_safe: bool
    snapshot: bool
    tasks: bool
    multi_user_turn: bool
    needs: _containers.RepeatedScalarFieldContainer[str]
    view_url: str
    ground_truth_attribute: str
    def __init__(self, max_sessions: _Optional[int] = ..., deterministic_under_seed: bool = ..., group_safe: bool = ..., snapshot: bool = ..., tasks: bool = ..., multi_user_turn: bool = ..., needs: _Optional[_Iterable[str]] = ..., view_url: _Optional[str] = ..., ground_truth_attribute: _Optional[str] = ...) -> None: ...

class OpenRequest(_message.Message):
    __slots__ = ("episode_id", "task", "seed", "split")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    task: _message_pb2.Task
    seed: int
    split: _message_pb2.Split
    def __init__(self, episode_id: _Optional[str] = ..., task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ..., seed: _Optional[int] = ..., split: _Optional[_Union[_message_pb2.Split, str]] = ...) -> None: ...

class OpenResponse(_message.Message):
    __slots__ = ("instance_id", "messages", "tools", "limits")
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    instance_id: str
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    tools: _containers.RepeatedCompositeFieldContainer[_message_pb2.Tool]
    limits: EpisodeLimits
    def __init__(self, instance_id: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., tools: _Optional[_Iterable[_Union[_message_pb2.Tool, _Mapping]]] = ..., limits: _Optional[_Union[EpisodeLimits, _Mapping]] = ...) -> None: ...

class EpisodeLimits(_message.Message):
    __slots__ = ("max_turns",)
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    max_turns: int
    def __init__(self, max_turns: _Optional[int] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("episode_id", "instance_id", "step_id", "message")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    instance_id: str
    step_id: str
    message: _message_pb2.Message
    def __init__(self, episode_id: _Optional[str] = ..., instance_id: _Optional[str] = ..., step_id: _Optional[str] = ..., message: _Optional[_Union[_message_pb2.Message, _Mapping]] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("messages", "turn_reward", "done", "truncated", "tools_changed", "metrics")
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TURN_REWARD_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    TOOLS_CHANGED_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    turn_reward: float
    done: bool
    truncated: bool
    tools_changed: ToolSet
    metrics: _containers.ScalarMap[str, float]
    def __init__(self, messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., turn_reward: _Optional[float] = ..., done: bool = ..., truncated: bool = ..., tools_changed: _Optional[_Union[ToolSet, _Mapping]] = ..., metrics: _Optional[_Mapping[str, float]] = ...) -> None: ...

class ToolSet(_message.Message):
    __slots__ = ("tools",)
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    tools: _containers.RepeatedCompositeFieldContainer[_message_pb2.Tool]
    def __init__(self, tools: _Optional[_Iterable[_Union[_message_pb2.Tool, _Mapping]]] = ...) -> None: ...

class SnapshotRequest(_message.Message):
    __slots__ = ("episode_id",)
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    def __init__(self, episode_id: _Optional[str] = ...) -> None: ...

class SnapshotResponse(_message.Message):
    __slots__ = ("state_json",)
    STATE_JSON_FIELD_NUMBER: _ClassVar[int]
    state_json: bytes
    def __init__(self, state_json: _Optional[bytes] = ...) -> None: ...

class CloseRequest(_message.Message):
    __slots__ = ("episode_id", "instance_id", "reason")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    instance_id: str
    reason: str
    def __init__(self, episode_id: _Optional[str] = ..., instance_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CloseResponse(_message.Message):
    __slots__ = ("final_state_digest", "metrics")
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    FINAL_STATE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    final_state_digest: str
    metrics: _containers.ScalarMap[str, float]
    def __init__(self, final_state_digest: _Optional[str] = ..., metrics: _Optional[_Mapping[str, float]] = ...) -> None: ...

class EnvironmentServiceTasksRequest(_message.Message):
    __slots__ = ("split", "cursor")
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    split: _message_pb2.Split
    cursor: int
    def __init__(self, split: _Optional[_Union[_message_pb2.Split, str]] = ..., cursor: _Optional[int] = ...) -> None: ...

class EnvironmentServiceTasksResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _message_pb2.Task
    def __init__(self, task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ...) -> None: ...

class SessionLost(_message.Message):
    __slots__ = ("episode_id",)
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    def __init__(self, episode_id: _Optional[str] = ...) -> None: ...
