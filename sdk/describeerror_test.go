package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
)

// Errors of libraries reach users without Go's types, system calls, and the names of packages.
func TestDescribeError(t *testing.T) {
	dir := t.TempDir()
	_, absent := os.ReadFile(filepath.Join(dir, "absent"))
	_, directory := os.ReadFile(dir)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := listener.Addr().String()
	_ = listener.Close()
	_, refused := new(net.Dialer).DialContext(t.Context(), "tcp", free)
	_, get := http.Get("http://" + free)
	noHost := &net.DNSError{Err: "no such host", Name: "gpu1", IsNotFound: true}
	unknown := &net.OpError{Op: "dial", Net: "tcp", Err: noHost}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	_, tls := http.Get(strings.Replace(plain.URL, "http:", "https:", 1))
	_, missing := exec.LookPath("awhost-no-such-program")
	parent := os.WriteFile(filepath.Join(dir, "no", "file"), nil, 0o600)
	script := filepath.Join(dir, "pip")
	if err := os.WriteFile(script, []byte("#!/nowhere/bin/python\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	moved := exec.Command(script).Run()
	var episode struct {
		Seed uint `json:"seed"`
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{absent, filepath.Join(dir, "absent") + " does not exist"},
		{directory, dir + " is a directory, not a file"},
		{refused, "no program accepts connections at " + free},
		{get, "no program accepts connections at " + free},
		{unknown, "no host has the name gpu1"},
		{tls, "the server does not use TLS: write http:// instead of https://"},
		{missing, `exec: "awhost-no-such-program": no such program on PATH`},
		{context.DeadlineExceeded, "the time limit has passed"},
		{io.ErrUnexpectedEOF, "unexpected end of the data"},
		{&fs.PathError{Op: "read", Path: "x.gz", Err: io.ErrUnexpectedEOF}, "x.gz: unexpected end of the data"},
		{parent, "the directory " + filepath.Join(dir, "no") + " does not exist"},
		{moved, "the interpreter of " + script + " does not exist"},
		{status.Error(codes.NotFound, "no such episode"), "NOT_FOUND: no such episode"},
		{json.Unmarshal([]byte(`{"seed":"x"}`), &episode), "seed cannot be a JSON string: write a whole number from 0"},
		{json.Unmarshal([]byte(`{"seed":`), &episode), "the JSON text ends before it is complete"},
		{json.Unmarshal([]byte(`{"seed":]`), &episode), "invalid JSON: invalid character ']' looking for beginning of value"},
	} {
		if c.err == nil {
			t.Fatalf("no error for %q", c.want)
		}
		if got := sdk.DescribeError(fmt.Errorf("read x: %w", c.err)); got != "read x: "+c.want {
			t.Errorf("%v is described as %q, want %q", c.err, got, c.want)
		}
	}
}

// A decoding error has the line of its member.
func TestDescribeDecodeError(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"a\": 1,\n\"b\": \"x\"}": "3: b cannot be a JSON string: write a list",
		"{\n\"a\": 1,\n\"d\": 2}":     `3: unknown member "d": correct its name, or remove it`,
		"{\n\"a\": tru}":              "2: invalid JSON: invalid character '}' in literal true (expecting 'e')",
		"{\n\"a\": 1,\n":              "3: the JSON text ends before it is complete",
	} {
		var into struct {
			A int   `json:"a"`
			B []int `json:"b"`
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		line, problem := sdk.DescribeDecodeError([]byte(text), decoder.Decode(&into))
		if got := fmt.Sprintf("%d: %s", line, problem); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
