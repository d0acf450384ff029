package plugin

import (
	"fmt"
	"regexp"
	"strconv"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
)

// OversizeError says that a message was larger than the protocol allows, whichever side was to send it. The process and its
// other calls are well.
type OversizeError struct {
	Address string // of the plugin
	RPC     string
	Bytes   int64
}

// Error names the plugin, the call, the size and the limit.
func (e *OversizeError) Error() string {
	return fmt.Sprintf("%s of plugin %s: a message of %d bytes was to be sent, and one may have at most %d (256 MiB): send less at a time, or the path of a file",
		e.RPC, e.Address, e.Bytes, sdk.MaxMessageBytes)
}

// tooLarge is how gRPC says it, on either side.
var tooLarge = regexp.MustCompile(`message (?:after \w+ )?larger than max \((\d+) vs\. \d+\)`)

// oversize is the error of a call in our words, if its message was too large; otherwise err.
func (i *Instance) oversize(rpc string, err error) error {
	if status.Code(err) != codes.ResourceExhausted {
		return err
	}
	found := tooLarge.FindStringSubmatch(err.Error())
	if found == nil {
		return err
	}
	bytes, failed := strconv.ParseInt(found[1], 10, 64)
	if failed != nil {
		return err
	}
	return &OversizeError{Address: i.block.Address, RPC: rpc, Bytes: bytes}
}

var _ error = (*OversizeError)(nil)
