import datetime

from awhost.v1 import adapter_pb2 as _adapter_pb2
from awhost.v1 import agent_pb2 as _agent_pb2
from awhost.v1 import config_pb2 as _config_pb2
from awhost.v1 import environment_pb2 as _environment_pb2
from awhost.v1 import reward_pb2 as _reward_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ComponentKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPONENT_KIND_UNSPECIFIED: _ClassVar[ComponentKind]
    COMPONENT_KIND_ENVIRONMENT: _ClassVar[ComponentKind]
    COMPONENT_KIND_REWARD: _ClassVar[ComponentKind]
    COMPONENT_KIND_ADAPTER: _ClassVar[ComponentKind]
    COMPONENT_KIND_AGENT: _ClassVar[ComponentKind]
COMPONENT_KIND_UNSPECIFIED: ComponentKind
COMPONENT_KIND_ENVIRONMENT: ComponentKind
COMPONENT_KIND_REWARD: ComponentKind
COMPONENT_KIND_ADAPTER: ComponentKind
COMPONENT_KIND_AGENT: ComponentKind

class DescribeRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DescribeResponse(_message.Message):
    __slots__ = ("name", "version", "protocol_versions", "components", "required_host_features", "sdk", "max_message_bytes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_HOST_FEATURES_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    protocol_versions: _containers.RepeatedScalarFieldContainer[int]
    components: _containers.RepeatedCompositeFieldContainer[Component]
    required_host_features: _containers.RepeatedScalarFieldContainer[str]
    sdk: str
    max_message_bytes: int
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., protocol_versions: _Optional[_Iterable[int]] = ..., components: _Optional[_Iterable[_Union[Component, _Mapping]]] = ..., required_host_features: _Optional[_Iterable[str]] = ..., sdk: _Optional[str] = ..., max_message_bytes: _Optional[int] = ...) -> None: ...

class Component(_message.Message):
    __slots__ = ("kind", "type", "description", "schema", "reward_components", "reward_components_attribute", "metrics", "environment", "reward", "adapter", "agent")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    REWARD_COMPONENTS_FIELD_NUMBER: _ClassVar[int]
    REWARD_COMPONENTS_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ENVIRONMENT_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    ADAPTER_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    kind: ComponentKind
    type: str
    description: str
    schema: _config_pb2.Schema
    reward_components: _containers.RepeatedScalarFieldContainer[str]
    reward_components_attribute: str
    metrics: _containers.RepeatedScalarFieldContainer[str]
    environment: _environment_pb2.EnvironmentCapabilities
    reward: _reward_pb2.RewardCapabilities
    adapter: _adapter_pb2.AdapterCapabilities
    agent: _agent_pb2.AgentCapabilities
    def __init__(self, kind: _Optional[_Union[ComponentKind, str]] = ..., type: _Optional[str] = ..., description: _Optional[str] = ..., schema: _Optional[_Union[_config_pb2.Schema, _Mapping]] = ..., reward_components: _Optional[_Iterable[str]] = ..., reward_components_attribute: _Optional[str] = ..., metrics: _Optional[_Iterable[str]] = ..., environment: _Optional[_Union[_environment_pb2.EnvironmentCapabilities, _Mapping]] = ..., reward: _Optional[_Union[_reward_pb2.RewardCapabilities, _Mapping]] = ..., adapter: _Optional[_Union[_adapter_pb2.AdapterCapabilities, _Mapping]] = ..., agent: _Optional[_Union[_agent_pb2.AgentCapabilities, _Mapping]] = ...) -> None: ...

class ValidateConfigRequest(_message.Message):
    __slots__ = ("kind", "type", "config", "probe")
    class Probe(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        PROBE_UNSPECIFIED: _ClassVar[ValidateConfigRequest.Probe]
        PROBE_ASK: _ClassVar[ValidateConfigRequest.Probe]
        PROBE_START: _ClassVar[ValidateConfigRequest.Probe]
    PROBE_UNSPECIFIED: ValidateConfigRequest.Probe
    PROBE_ASK: ValidateConfigRequest.Probe
    PROBE_START: ValidateConfigRequest.Probe
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    PROBE_FIELD_NUMBER: _ClassVar[int]
    kind: ComponentKind
    type: str
    config: _config_pb2.Value
    probe: ValidateConfigRequest.Probe
    def __init__(self, kind: _Optional[_Union[ComponentKind, str]] = ..., type: _Optional[str] = ..., config: _Optional[_Union[_config_pb2.Value, _Mapping]] = ..., probe: _Optional[_Union[ValidateConfigRequest.Probe, str]] = ...) -> None: ...

class ValidateConfigResponse(_message.Message):
    __slots__ = ("diagnostics", "offered")
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    diagnostics: _containers.RepeatedCompositeFieldContainer[_config_pb2.Diagnostic]
    offered: _environment_pb2.ToolSet
    def __init__(self, diagnostics: _Optional[_Iterable[_Union[_config_pb2.Diagnostic, _Mapping]]] = ..., offered: _Optional[_Union[_environment_pb2.ToolSet, _Mapping]] = ...) -> None: ...

class ConfigureRequest(_message.Message):
    __slots__ = ("kind", "type", "config", "run_id", "incarnation", "directory", "host")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    INCARNATION_FIELD_NUMBER: _ClassVar[int]
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    kind: ComponentKind
    type: str
    config: _config_pb2.Value
    run_id: str
    incarnation: int
    directory: str
    host: HostAddress
    def __init__(self, kind: _Optional[_Union[ComponentKind, str]] = ..., type: _Optional[str] = ..., config: _Optional[_Union[_config_pb2.Value, _Mapping]] = ..., run_id: _Optional[str] = ..., incarnation: _Optional[int] = ..., directory: _Optional[str] = ..., host: _Optional[_Union[HostAddress, _Mapping]] = ...) -> None: ...

class HostAddress(_message.Message):
    __slots__ = ("network", "address", "server_name")
    NETWORK_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    SERVER_NAME_FIELD_NUMBER: _ClassVar[int]
    network: str
    address: str
    server_name: str
    def __init__(self, network: _Optional[str] = ..., address: _Optional[str] = ..., server_name: _Optional[str] = ...) -> None: ...

class ConfigureResponse(_message.Message):
    __slots__ = ("diagnostics", "offered")
    DIAGNOSTICS_FIELD_NUMBER: _ClassVar[int]
    OFFERED_FIELD_NUMBER: _ClassVar[int]
    diagnostics: _containers.RepeatedCompositeFieldContainer[_config_pb2.Diagnostic]
    offered: _environment_pb2.ToolSet
    def __init__(self, diagnostics: _Optional[_Iterable[_Union[_config_pb2.Diagnostic, _Mapping]]] = ..., offered: _Optional[_Union[_environment_pb2.ToolSet, _Mapping]] = ...) -> None: ...

class StopRequest(_message.Message):
    __slots__ = ("grace", "reason")
    GRACE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    grace: _duration_pb2.Duration
    reason: str
    def __init__(self, grace: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class StopResponse(_message.Message):
    __slots__ = ("progress",)
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    progress: str
    def __init__(self, progress: _Optional[str] = ...) -> None: ...
