import datetime

from awhost.v1 import message_pb2 as _message_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AgentCapabilities(_message.Message):
    __slots__ = ("needs_environment", "max_concurrent", "needs")
    NEEDS_ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    MAX_CONCURRENT_FIELD_NUMBER: _ClassVar[int]
    NEEDS_FIELD_NUMBER: _ClassVar[int]
    needs_environment: bool
    max_concurrent: int
    needs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, needs_environment: bool = ..., max_concurrent: _Optional[int] = ..., needs: _Optional[_Iterable[str]] = ...) -> None: ...

class RunRequest(_message.Message):
    __slots__ = ("episode_id", "task", "models", "tools", "deadline", "lease", "messages", "offered_tools", "has_environment", "max_turns", "place")
    class ModelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: ModelEndpoint
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[ModelEndpoint, _Mapping]] = ...) -> None: ...
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    OFFERED_TOOLS_FIELD_NUMBER: _ClassVar[int]
    HAS_ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    MAX_TURNS_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    task: _message_pb2.Task
    models: _containers.MessageMap[str, ModelEndpoint]
    tools: ToolEndpoint
    deadline: _duration_pb2.Duration
    lease: str
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    offered_tools: _containers.RepeatedCompositeFieldContainer[_message_pb2.Tool]
    has_environment: bool
    max_turns: int
    place: str
    def __init__(self, episode_id: _Optional[str] = ..., task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ..., models: _Optional[_Mapping[str, ModelEndpoint]] = ..., tools: _Optional[_Union[ToolEndpoint, _Mapping]] = ..., deadline: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., lease: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., offered_tools: _Optional[_Iterable[_Union[_message_pb2.Tool, _Mapping]]] = ..., has_environment: bool = ..., max_turns: _Optional[int] = ..., place: _Optional[str] = ...) -> None: ...

class ModelEndpoint(_message.Message):
    __slots__ = ("base_url", "api_key")
    BASE_URL_FIELD_NUMBER: _ClassVar[int]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    base_url: str
    api_key: str
    def __init__(self, base_url: _Optional[str] = ..., api_key: _Optional[str] = ...) -> None: ...

class ToolEndpoint(_message.Message):
    __slots__ = ("mcp_url", "token")
    MCP_URL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    mcp_url: str
    token: str
    def __init__(self, mcp_url: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class RunResponse(_message.Message):
    __slots__ = ("final_answer", "reward", "is_success", "metadata_json", "metrics", "messages", "contacted")
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    FINAL_ANSWER_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    IS_SUCCESS_FIELD_NUMBER: _ClassVar[int]
    METADATA_JSON_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    CONTACTED_FIELD_NUMBER: _ClassVar[int]
    final_answer: str
    reward: float
    is_success: bool
    metadata_json: bytes
    metrics: _containers.ScalarMap[str, float]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    contacted: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, final_answer: _Optional[str] = ..., reward: _Optional[float] = ..., is_success: bool = ..., metadata_json: _Optional[bytes] = ..., metrics: _Optional[_Mapping[str, float]] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., contacted: _Optional[_Iterable[str]] = ...) -> None: ...
