package sdk

import (
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// DefaultMessageBytes is the message limit, in either direction, for a plugin that does not declare one.
const DefaultMessageBytes = 32 << 20

// MaxMessageBytes is the largest limit that a plugin may declare.
const MaxMessageBytes = 1 << 30

// MessageBytes returns the plugin's message limit in both directions, which is its declared limit, within the
// protocol's bounds.
func (d *Description) MessageBytes() int {
	return int(min(max(d.MaxMessageBytes, DefaultMessageBytes), MaxMessageBytes))
}

func (p Plugin) messageBytes() int { return max(p.MaxMessageBytes, DefaultMessageBytes) }

// OversizeError reports that a message exceeded the plugin's limit. The process and its other calls are not affected.
type OversizeError struct {
	Plugin string // the address of its block
	RPC    string
	Bytes  int64
	Limit  int64
	Fault  OversizeFault
}

// OversizeFault is the reason why a message is too large.
type OversizeFault int

// The causes.
const (
	OversizeAnswer  OversizeFault = iota // the plugin's answer is too long
	OversizeRequest                      // the caller's request is too long
	OversizeServer                       // the request fits, but the plugin's server accepts less than it must
)

// Error names the plugin, the call, the size, the limit, and the remedy.
func (e *OversizeError) Error() string {
	const more = "a plugin can increase this limit by max_message_bytes in its description"
	switch e.Fault {
	case OversizeRequest:
		return fmt.Sprintf("%s of plugin %s: the request has %d bytes, but the plugin accepts at most %d (%s): "+
			"send smaller requests, or the path of a file; %s", e.RPC, e.Plugin, e.Bytes, e.Limit, mebibytes(e.Limit), more)
	case OversizeServer:
		return fmt.Sprintf("%s of plugin %s: the request has %d bytes, but the plugin's server refuses more than %d, "+
			"which is below the required limit: set the message limits of its gRPC server to 32 MiB, or to the "+
			"max_message_bytes of its description", e.RPC, e.Plugin, e.Bytes, e.Limit)
	}
	return fmt.Sprintf("%s of plugin %s: the response has %d bytes, but the plugin may send at most %d (%s): "+
		"send smaller responses, or the path of a file; %s", e.RPC, e.Plugin, e.Bytes, e.Limit, mebibytes(e.Limit), more)
}

// GRPCStatus allows the error to be used as a call's status.
func (e *OversizeError) GRPCStatus() *status.Status {
	return status.New(codes.ResourceExhausted, e.Error())
}

func mebibytes(n int64) string { return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20)) }

var _ error = (*OversizeError)(nil)
