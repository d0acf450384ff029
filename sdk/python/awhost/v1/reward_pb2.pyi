from awhost.v1 import message_pb2 as _message_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RewardCapabilities(_message.Message):
    __slots__ = ("batch_size", "group_relative", "model_judge", "needs", "truth_optional", "truth_types")
    BATCH_SIZE_FIELD_NUMBER: _ClassVar[int]
    GROUP_RELATIVE_FIELD_NUMBER: _ClassVar[int]
    MODEL_JUDGE_FIELD_NUMBER: _ClassVar[int]
    NEEDS_FIELD_NUMBER: _ClassVar[int]
    TRUTH_OPTIONAL_FIELD_NUMBER: _ClassVar[int]
    TRUTH_TYPES_FIELD_NUMBER: _ClassVar[int]
    batch_size: int
    group_relative: bool
    model_judge: bool
    needs: _containers.RepeatedScalarFieldContainer[str]
    truth_optional: bool
    truth_types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, batch_size: _Optional[int] = ..., group_relative: bool = ..., model_judge: bool = ..., needs: _Optional[_Iterable[str]] = ..., truth_optional: bool = ..., truth_types: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoreRequest(_message.Message):
    __slots__ = ("items", "missing")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ScoreItem]
    missing: int
    def __init__(self, items: _Optional[_Iterable[_Union[ScoreItem, _Mapping]]] = ..., missing: _Optional[int] = ...) -> None: ...

class ScoreItem(_message.Message):
    __slots__ = ("episode_id", "chain_digests", "task", "messages", "final_answer", "environment_state_json", "agent_metadata_json", "turn_rewards", "sampled")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    CHAIN_DIGESTS_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    FINAL_ANSWER_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_STATE_JSON_FIELD_NUMBER: _ClassVar[int]
    AGENT_METADATA_JSON_FIELD_NUMBER: _ClassVar[int]
    TURN_REWARDS_FIELD_NUMBER: _ClassVar[int]
    SAMPLED_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    chain_digests: _containers.RepeatedScalarFieldContainer[str]
    task: _message_pb2.Task
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    final_answer: str
    environment_state_json: bytes
    agent_metadata_json: bytes
    turn_rewards: _containers.RepeatedScalarFieldContainer[float]
    sampled: SampledMessages
    def __init__(self, episode_id: _Optional[str] = ..., chain_digests: _Optional[_Iterable[str]] = ..., task: _Optional[_Union[_message_pb2.Task, _Mapping]] = ..., messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., final_answer: _Optional[str] = ..., environment_state_json: _Optional[bytes] = ..., agent_metadata_json: _Optional[bytes] = ..., turn_rewards: _Optional[_Iterable[float]] = ..., sampled: _Optional[_Union[SampledMessages, _Mapping]] = ...) -> None: ...

class SampledMessages(_message.Message):
    __slots__ = ("places",)
    PLACES_FIELD_NUMBER: _ClassVar[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, places: _Optional[_Iterable[int]] = ...) -> None: ...

class ScoreResponse(_message.Message):
    __slots__ = ("items", "metrics")
    class MetricsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ScoreResult]
    metrics: _containers.ScalarMap[str, float]
    def __init__(self, items: _Optional[_Iterable[_Union[ScoreResult, _Mapping]]] = ..., metrics: _Optional[_Mapping[str, float]] = ...) -> None: ...

class ScoreResult(_message.Message):
    __slots__ = ("value", "failure")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    value: ScoreValue
    failure: _message_pb2.Failure
    def __init__(self, value: _Optional[_Union[ScoreValue, _Mapping]] = ..., failure: _Optional[_Union[_message_pb2.Failure, _Mapping]] = ...) -> None: ...

class ScoreValue(_message.Message):
    __slots__ = ("score", "components", "is_success", "notes")
    class ComponentsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    class NotesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SCORE_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    IS_SUCCESS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    score: float
    components: _containers.ScalarMap[str, float]
    is_success: bool
    notes: _containers.ScalarMap[str, str]
    def __init__(self, score: _Optional[float] = ..., components: _Optional[_Mapping[str, float]] = ..., is_success: bool = ..., notes: _Optional[_Mapping[str, str]] = ...) -> None: ...
