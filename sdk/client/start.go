package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
)

// startError adds the plugin's name unless a lower package has already added it.
func startError(name string, err error) error {
	context := "start plugin " + name + ": "
	if err == nil || strings.HasPrefix(err.Error(), context) {
		return err
	}
	return fmt.Errorf("%s%w", context, err)
}

// explainStart explains to the user why a start failed. The process knows whether there was a handshake, and what
// output was produced instead. go-plugin reports handshake problems only as text.
func (p *Plugin) explainStart(err error) error {
	explained := p.process.StartError(err)
	var known *process.StartError
	if errors.As(explained, &known) {
		return known
	}
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "incompatible API version with plugin"):
		return fmt.Errorf("unsupported version of the plugin protocol: this awhost supports %d: use matching "+
			"releases of the plugin and of awhost (%s)", sdk.ProtocolVersion, firstLine(text))
	case strings.HasPrefix(text, "incompatible core API version with plugin"),
		strings.HasPrefix(text, "unsupported plugin protocol"),
		strings.HasPrefix(text, "unknown address type"):
		return fmt.Errorf("not the handshake of an awhost plugin, 1|%d|unix|PATH|grpc| (%s)", sdk.ProtocolVersion,
			firstLine(text))
	}
	if hint := startRemedy(err); hint != "" {
		return fmt.Errorf("%w: %s", err, hint)
	}
	return err
}

// startRemedy returns a remedy for a program that the system is unable to start.
func startRemedy(err error) string {
	switch {
	case errors.Is(err, os.ErrPermission):
		return "make it executable (chmod +x), if it is a program"
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Sprintf("not a program for this machine (%s/%s): start a script with a line such as #!/bin/sh; "+
			"build a binary for this machine", runtime.GOOS, runtime.GOARCH)
	case errors.Is(err, os.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return "check the path, and that the program is installed"
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// defaultGreetTimeout limits the duration of the first call. A plugin that has printed its handshake is already
// listening.
const defaultGreetTimeout = 10 * time.Second

// firstCall makes the first call, so that a plugin that does not respond fails here, with an explanation.
func (p *Plugin) firstCall(ctx context.Context, limit time.Duration) error {
	limit = cmp.Or(limit, defaultGreetTimeout)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := p.Ping(ctx)
	if err == nil {
		return nil
	}
	var why string
	switch status.Code(err) {
	case codes.DeadlineExceeded:
		why = fmt.Sprintf("it printed its handshake, but did not respond within %s: it hangs", limit)
	case codes.Unimplemented:
		why = "it does not serve grpc.health.v1.Health, which is required"
	default:
		why = "it printed its handshake, but cannot be reached at the address in it with the certificates in " + sdk.EnvTLSDir
		if exit := p.waitExit(crashExitTimeout); exit != nil {
			return fmt.Errorf("it exited right after its handshake: %w", exit)
		}
	}
	return fmt.Errorf("%s: %w", why, err)
}
