from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Schema(_message.Message):
    __slots__ = ("description", "deprecated", "attributes", "blocks")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DEPRECATED_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    description: str
    deprecated: str
    attributes: _containers.RepeatedCompositeFieldContainer[Attribute]
    blocks: _containers.RepeatedCompositeFieldContainer[NestedBlock]
    def __init__(self, description: _Optional[str] = ..., deprecated: _Optional[str] = ..., attributes: _Optional[_Iterable[_Union[Attribute, _Mapping]]] = ..., blocks: _Optional[_Iterable[_Union[NestedBlock, _Mapping]]] = ...) -> None: ...

class Attribute(_message.Message):
    __slots__ = ("name", "type", "required", "default_json", "format", "sensitive", "deprecated", "one_of", "minimum", "maximum", "unit", "description", "example_json", "on_change", "must_exist", "presets")
    class Format(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        FORMAT_UNSPECIFIED: _ClassVar[Attribute.Format]
        FORMAT_PATH: _ClassVar[Attribute.Format]
        FORMAT_DURATION: _ClassVar[Attribute.Format]
        FORMAT_INTEGER: _ClassVar[Attribute.Format]
        FORMAT_MCP_SERVERS: _ClassVar[Attribute.Format]
    FORMAT_UNSPECIFIED: Attribute.Format
    FORMAT_PATH: Attribute.Format
    FORMAT_DURATION: Attribute.Format
    FORMAT_INTEGER: Attribute.Format
    FORMAT_MCP_SERVERS: Attribute.Format
    class OnChange(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ON_CHANGE_UNSPECIFIED: _ClassVar[Attribute.OnChange]
        ON_CHANGE_NEW_RUN: _ClassVar[Attribute.OnChange]
        ON_CHANGE_RESUME: _ClassVar[Attribute.OnChange]
    ON_CHANGE_UNSPECIFIED: Attribute.OnChange
    ON_CHANGE_NEW_RUN: Attribute.OnChange
    ON_CHANGE_RESUME: Attribute.OnChange
    class Preset(_message.Message):
        __slots__ = ("value", "defaults_json")
        VALUE_FIELD_NUMBER: _ClassVar[int]
        DEFAULTS_JSON_FIELD_NUMBER: _ClassVar[int]
        value: str
        defaults_json: bytes
        def __init__(self, value: _Optional[str] = ..., defaults_json: _Optional[bytes] = ...) -> None: ...
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_JSON_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    DEPRECATED_FIELD_NUMBER: _ClassVar[int]
    ONE_OF_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_JSON_FIELD_NUMBER: _ClassVar[int]
    ON_CHANGE_FIELD_NUMBER: _ClassVar[int]
    MUST_EXIST_FIELD_NUMBER: _ClassVar[int]
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    required: bool
    default_json: bytes
    format: Attribute.Format
    sensitive: bool
    deprecated: str
    one_of: _containers.RepeatedScalarFieldContainer[str]
    minimum: float
    maximum: float
    unit: str
    description: str
    example_json: bytes
    on_change: Attribute.OnChange
    must_exist: bool
    presets: _containers.RepeatedCompositeFieldContainer[Attribute.Preset]
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., required: bool = ..., default_json: _Optional[bytes] = ..., format: _Optional[_Union[Attribute.Format, str]] = ..., sensitive: bool = ..., deprecated: _Optional[str] = ..., one_of: _Optional[_Iterable[str]] = ..., minimum: _Optional[float] = ..., maximum: _Optional[float] = ..., unit: _Optional[str] = ..., description: _Optional[str] = ..., example_json: _Optional[bytes] = ..., on_change: _Optional[_Union[Attribute.OnChange, str]] = ..., must_exist: bool = ..., presets: _Optional[_Iterable[_Union[Attribute.Preset, _Mapping]]] = ...) -> None: ...

class NestedBlock(_message.Message):
    __slots__ = ("name", "block", "nesting", "min", "max")
    class Nesting(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        NESTING_UNSPECIFIED: _ClassVar[NestedBlock.Nesting]
        NESTING_SINGLE: _ClassVar[NestedBlock.Nesting]
        NESTING_LIST: _ClassVar[NestedBlock.Nesting]
        NESTING_SET: _ClassVar[NestedBlock.Nesting]
        NESTING_MAP: _ClassVar[NestedBlock.Nesting]
    NESTING_UNSPECIFIED: NestedBlock.Nesting
    NESTING_SINGLE: NestedBlock.Nesting
    NESTING_LIST: NestedBlock.Nesting
    NESTING_SET: NestedBlock.Nesting
    NESTING_MAP: NestedBlock.Nesting
    NAME_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    NESTING_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    name: str
    block: Schema
    nesting: NestedBlock.Nesting
    min: int
    max: int
    def __init__(self, name: _Optional[str] = ..., block: _Optional[_Union[Schema, _Mapping]] = ..., nesting: _Optional[_Union[NestedBlock.Nesting, str]] = ..., min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("json", "unknown", "sensitive")
    JSON_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    SENSITIVE_FIELD_NUMBER: _ClassVar[int]
    json: bytes
    unknown: _containers.RepeatedCompositeFieldContainer[Path]
    sensitive: _containers.RepeatedCompositeFieldContainer[Path]
    def __init__(self, json: _Optional[bytes] = ..., unknown: _Optional[_Iterable[_Union[Path, _Mapping]]] = ..., sensitive: _Optional[_Iterable[_Union[Path, _Mapping]]] = ...) -> None: ...

class Path(_message.Message):
    __slots__ = ("steps",)
    STEPS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, steps: _Optional[_Iterable[str]] = ...) -> None: ...

class Diagnostic(_message.Message):
    __slots__ = ("severity", "summary", "detail", "attribute")
    class Severity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        SEVERITY_UNSPECIFIED: _ClassVar[Diagnostic.Severity]
        SEVERITY_ERROR: _ClassVar[Diagnostic.Severity]
        SEVERITY_WARNING: _ClassVar[Diagnostic.Severity]
        SEVERITY_NOTE: _ClassVar[Diagnostic.Severity]
    SEVERITY_UNSPECIFIED: Diagnostic.Severity
    SEVERITY_ERROR: Diagnostic.Severity
    SEVERITY_WARNING: Diagnostic.Severity
    SEVERITY_NOTE: Diagnostic.Severity
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    severity: Diagnostic.Severity
    summary: str
    detail: str
    attribute: Path
    def __init__(self, severity: _Optional[_Union[Diagnostic.Severity, str]] = ..., summary: _Optional[str] = ..., detail: _Optional[str] = ..., attribute: _Optional[_Union[Path, _Mapping]] = ...) -> None: ...
