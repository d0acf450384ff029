package sdk

// Version of this SDK.
const Version = "0.1.0"

// ProtocolVersion is the major version of the plugin protocol that this SDK implements.
const ProtocolVersion = 1
