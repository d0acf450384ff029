package sdk

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/status"
)

const withoutTLS = "the server does not use TLS: write http:// instead of https://"

// plainErrors words errors of libraries for users, alone and with the path of a file.
var plainErrors = []struct {
	err            error
	text, withPath string
}{
	{context.DeadlineExceeded, "the time limit has passed", "%s: the time limit has passed"},
	{io.ErrUnexpectedEOF, "unexpected end of the data", "%s: unexpected end of the data"},
	{http.ErrSchemeMismatch, withoutTLS, "%s: " + withoutTLS},
	{exec.ErrNotFound, "no such program on PATH", "%s: no such program on PATH"},
	{fs.ErrNotExist, "does not exist", "%s does not exist"},
	{fs.ErrPermission, "permission denied", "%s: permission denied"},
	{syscall.EISDIR, "is a directory, not a file", "%s is a directory, not a file"},
}

// DescribeError returns the text of an error for users. It replaces the wording of libraries for files, connections,
// HTTP requests, JSON, time limits, and gRPC statuses with the path, the address, the member, or the status that is to
// blame.
func DescribeError(err error) string {
	text := err.Error()
	replace := func(part error, with string) { text = strings.ReplaceAll(text, part.Error(), with) }
	var rpc interface{ GRPCStatus() *status.Status }
	if errors.As(err, &rpc) {
		s := rpc.GRPCStatus()
		text = strings.ReplaceAll(text, s.String(), code.Code(s.Code()).String()+": "+s.Message())
	}
	var request *url.Error
	if errors.As(err, &request) {
		replace(request, request.Err.Error()) // callers name the address
	}
	var path *fs.PathError
	var network *net.OpError
	var name *net.DNSError
	var record tls.RecordHeaderError
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &network) && errors.Is(network, syscall.ECONNREFUSED) && network.Addr != nil:
		replace(network, fmt.Sprintf("no program accepts connections at %s", network.Addr))
	case errors.As(err, &name) && name.IsNotFound:
		text = strings.ReplaceAll(text, "dial tcp: "+name.Error(), name.Error())
		replace(name, "no host has the name "+name.Name)
	case errors.As(err, &record):
		replace(record, withoutTLS)
	case errors.As(err, &syntax):
		_, problem := DescribeDecodeError(nil, syntax)
		replace(syntax, problem)
	case errors.As(err, &wrong):
		_, problem := DescribeDecodeError(nil, wrong)
		replace(wrong, problem)
	}
	for _, plain := range plainErrors {
		switch {
		case errors.As(err, &path) && errors.Is(path, plain.err):
			replace(path, fmt.Sprintf(plain.withPath, missingPart(path)))
		case errors.Is(err, plain.err):
			replace(plain.err, plain.text)
		}
	}
	return text
}

// missingPart returns the path that an error is about. If a file cannot be created, that is its missing directory; if
// an existing program cannot be started, the interpreter in its first line.
func missingPart(err *fs.PathError) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return err.Path
	}
	if _, missing := os.Stat(err.Path); missing == nil && err.Op == "fork/exec" {
		return "the interpreter of " + err.Path
	}
	if dir := filepath.Dir(err.Path); err.Op != "stat" && err.Op != "lstat" {
		if _, missing := os.Stat(dir); errors.Is(missing, fs.ErrNotExist) {
			return "the directory " + dir
		}
	}
	return err.Path
}
