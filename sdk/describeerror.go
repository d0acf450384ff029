package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os/exec"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// plainErrors words errors of libraries for users.
var plainErrors = map[error]string{
	context.DeadlineExceeded: "the time limit has passed", io.ErrUnexpectedEOF: "the data end too early",
	exec.ErrNotFound: "no such program on PATH", fs.ErrNotExist: "does not exist",
	fs.ErrPermission: "cannot be used: permission denied", syscall.EISDIR: "is a directory, not a file",
}

// DescribeError returns the text of an error for users. It replaces the wording of libraries for files, connections,
// JSON, time limits, and gRPC statuses with the path, the address, the member, or the status that is to blame.
func DescribeError(err error) string {
	text := err.Error()
	replace := func(part error, with string) { text = strings.ReplaceAll(text, part.Error(), with) }
	var rpc interface{ GRPCStatus() *status.Status }
	if errors.As(err, &rpc) {
		s := rpc.GRPCStatus()
		text = strings.ReplaceAll(text, s.String(), codeName(s.Code())+": "+s.Message())
	}
	var path *fs.PathError
	var network *net.OpError
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &network) && errors.Is(network, syscall.ECONNREFUSED) && network.Addr != nil:
		replace(network, fmt.Sprintf("no program accepts connections at %s", network.Addr))
	case errors.As(err, &syntax):
		_, problem := DescribeDecodeError(nil, syntax)
		replace(syntax, problem)
	case errors.As(err, &wrong):
		_, problem := DescribeDecodeError(nil, wrong)
		replace(wrong, problem)
	}
	for known, plain := range plainErrors {
		switch {
		case errors.As(err, &path) && errors.Is(path, known):
			replace(path, path.Path+" "+plain)
		case errors.Is(err, known):
			replace(known, plain)
		}
	}
	return text
}

// codeName returns the name of a code in the protocol documentation, such as NOT_FOUND.
func codeName(code codes.Code) string {
	name := ""
	for i, r := range code.String() {
		if i > 0 && 'A' <= r && r <= 'Z' {
			name += "_"
		}
		name += strings.ToUpper(string(r))
	}
	return strings.ReplaceAll(name, "O_K", "OK")
}
