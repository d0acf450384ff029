import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_SYSTEM: _ClassVar[Role]
    ROLE_USER: _ClassVar[Role]
    ROLE_ASSISTANT: _ClassVar[Role]
    ROLE_TOOL: _ClassVar[Role]

class AttachmentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTACHMENT_KIND_UNSPECIFIED: _ClassVar[AttachmentKind]
    ATTACHMENT_KIND_IMAGE: _ClassVar[AttachmentKind]
    ATTACHMENT_KIND_AUDIO: _ClassVar[AttachmentKind]
    ATTACHMENT_KIND_RESOURCE: _ClassVar[AttachmentKind]
    ATTACHMENT_KIND_RESOURCE_LINK: _ClassVar[AttachmentKind]
    ATTACHMENT_KIND_STRUCTURED: _ClassVar[AttachmentKind]

class Split(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPLIT_UNSPECIFIED: _ClassVar[Split]
    SPLIT_TRAIN: _ClassVar[Split]
    SPLIT_VALIDATION: _ClassVar[Split]

class FailureClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAILURE_CLASS_UNSPECIFIED: _ClassVar[FailureClass]
    FAILURE_CLASS_POLICY: _ClassVar[FailureClass]
    FAILURE_CLASS_MODEL: _ClassVar[FailureClass]
    FAILURE_CLASS_ENVIRONMENT: _ClassVar[FailureClass]
    FAILURE_CLASS_REWARD: _ClassVar[FailureClass]
    FAILURE_CLASS_AGENT: _ClassVar[FailureClass]
    FAILURE_CLASS_INFRASTRUCTURE: _ClassVar[FailureClass]
    FAILURE_CLASS_TIMEOUT: _ClassVar[FailureClass]
ROLE_UNSPECIFIED: Role
ROLE_SYSTEM: Role
ROLE_USER: Role
ROLE_ASSISTANT: Role
ROLE_TOOL: Role
ATTACHMENT_KIND_UNSPECIFIED: AttachmentKind
ATTACHMENT_KIND_IMAGE: AttachmentKind
ATTACHMENT_KIND_AUDIO: AttachmentKind
ATTACHMENT_KIND_RESOURCE: AttachmentKind
ATTACHMENT_KIND_RESOURCE_LINK: AttachmentKind
ATTACHMENT_KIND_STRUCTURED: AttachmentKind
SPLIT_UNSPECIFIED: Split
SPLIT_TRAIN: Split
SPLIT_VALIDATION: Split
FAILURE_CLASS_UNSPECIFIED: FailureClass
FAILURE_CLASS_POLICY: FailureClass
FAILURE_CLASS_MODEL: FailureClass
FAILURE_CLASS_ENVIRONMENT: FailureClass
FAILURE_CLASS_REWARD: FailureClass
FAILURE_CLASS_AGENT: FailureClass
FAILURE_CLASS_INFRASTRUCTURE: FailureClass
FAILURE_CLASS_TIMEOUT: FailureClass

class Message(_message.Message):
    __slots__ = ("role", "content", "reasoning", "tool_calls", "tool_call_id", "name", "is_error", "malformed", "attachments")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_ERROR_FIELD_NUMBER: _ClassVar[int]
    MALFORMED_FIELD_NUMBER: _ClassVar[int]
    ATTACHMENTS_FIELD_NUMBER: _ClassVar[int]
    role: Role
    content: _containers.RepeatedCompositeFieldContainer[ContentPart]
    reasoning: str
    tool_calls: _containers.RepeatedCompositeFieldContainer[ToolCall]
    tool_call_id: str
    name: str
    is_error: bool
    malformed: _containers.RepeatedCompositeFieldContainer[MalformedCall]
    attachments: _containers.RepeatedCompositeFieldContainer[Attachment]
    def __init__(self, role: _Optional[_Union[Role, str]] = ..., content: _Optional[_Iterable[_Union[ContentPart, _Mapping]]] = ..., reasoning: _Optional[str] = ..., tool_calls: _Optional[_Iterable[_Union[ToolCall, _Mapping]]] = ..., tool_call_id: _Optional[str] = ..., name: _Optional[str] = ..., is_error: bool = ..., malformed: _Optional[_Iterable[_Union[MalformedCall, _Mapping]]] = ..., attachments: _Optional[_Iterable[_Union[Attachment, _Mapping]]] = ...) -> None: ...

class Attachment(_message.Message):
    __slots__ = ("kind", "mime_type", "uri", "name", "data", "text", "structured_json", "marker", "sha256", "size")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    STRUCTURED_JSON_FIELD_NUMBER: _ClassVar[int]
    MARKER_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    kind: AttachmentKind
    mime_type: str
    uri: str
    name: str
    data: bytes
    text: str
    structured_json: bytes
    marker: str
    sha256: str
    size: int
    def __init__(self, kind: _Optional[_Union[AttachmentKind, str]] = ..., mime_type: _Optional[str] = ..., uri: _Optional[str] = ..., name: _Optional[str] = ..., data: _Optional[bytes] = ..., text: _Optional[str] = ..., structured_json: _Optional[bytes] = ..., marker: _Optional[str] = ..., sha256: _Optional[str] = ..., size: _Optional[int] = ...) -> None: ...

class ContentPart(_message.Message):
    __slots__ = ("text", "image")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_FIELD_NUMBER: _ClassVar[int]
    text: str
    image: Image
    def __init__(self, text: _Optional[str] = ..., image: _Optional[_Union[Image, _Mapping]] = ...) -> None: ...

class Image(_message.Message):
    __slots__ = ("mime_type", "data", "url")
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    mime_type: str
    data: bytes
    url: str
    def __init__(self, mime_type: _Optional[str] = ..., data: _Optional[bytes] = ..., url: _Optional[str] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("id", "name", "arguments_json")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    arguments_json: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., arguments_json: _Optional[str] = ...) -> None: ...

class MalformedCall(_message.Message):
    __slots__ = ("text", "reason")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    text: str
    reason: str
    def __init__(self, text: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Tool(_message.Message):
    __slots__ = ("name", "description", "parameters_json", "origin")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_JSON_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    parameters_json: bytes
    origin: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., parameters_json: _Optional[bytes] = ..., origin: _Optional[str] = ...) -> None: ...

class Task(_message.Message):
    __slots__ = ("id", "public_json", "private_json", "columns")
    class ColumnsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_JSON_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_JSON_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    id: str
    public_json: bytes
    private_json: bytes
    columns: _containers.ScalarMap[str, str]
    def __init__(self, id: _Optional[str] = ..., public_json: _Optional[bytes] = ..., private_json: _Optional[bytes] = ..., columns: _Optional[_Mapping[str, str]] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("detail", "retryable", "stop_run")
    CLASS_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    STOP_RUN_FIELD_NUMBER: _ClassVar[int]
    detail: str
    retryable: bool
    stop_run: bool
    def __init__(self, detail: _Optional[str] = ..., retryable: bool = ..., stop_run: bool = ..., **kwargs) -> None: ...

class Sampling(_message.Message):
    __slots__ = ("temperature", "top_p", "top_k", "max_tokens", "stop")
    TEMPERATURE_FIELD_NUMBER: _ClassVar[int]
    TOP_P_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    temperature: float
    top_p: float
    top_k: int
    max_tokens: int
    stop: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, temperature: _Optional[float] = ..., top_p: _Optional[float] = ..., top_k: _Optional[int] = ..., max_tokens: _Optional[int] = ..., stop: _Optional[_Iterable[str]] = ...) -> None: ...

class VersionSpan(_message.Message):
    __slots__ = ("version", "tokens")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    version: int
    tokens: int
    def __init__(self, version: _Optional[int] = ..., tokens: _Optional[int] = ...) -> None: ...

class Timings(_message.Message):
    __slots__ = ("queue", "model", "environment", "reward", "siblings", "host")
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    SIBLINGS_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    queue: _duration_pb2.Duration
    model: _duration_pb2.Duration
    environment: _duration_pb2.Duration
    reward: _duration_pb2.Duration
    siblings: _duration_pb2.Duration
    host: _duration_pb2.Duration
    def __init__(self, queue: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., model: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., environment: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reward: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., siblings: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., host: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class DecodingConstraints(_message.Message):
    __slots__ = ("tool_required", "tool", "single_call", "format_json")
    TOOL_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    SINGLE_CALL_FIELD_NUMBER: _ClassVar[int]
    FORMAT_JSON_FIELD_NUMBER: _ClassVar[int]
    tool_required: bool
    tool: str
    single_call: bool
    format_json: bytes
    def __init__(self, tool_required: bool = ..., tool: _Optional[str] = ..., single_call: bool = ..., format_json: _Optional[bytes] = ...) -> None: ...
