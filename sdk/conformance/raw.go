package conformance

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// rawPlugin is a plugin that the suite started directly to inspect behavior that the SDK's client hides.
type rawPlugin struct {
	cmd       *exec.Cmd
	stdin     io.WriteCloser
	socketDir string
	identity  *mtls.Identity
	address   string // from the handshake
	exited    chan struct{}

	mu     sync.Mutex
	stdout []string // after the handshake
	kept   int      // their bytes, including dropped lines
	stderr bytes.Buffer
}

// maxOutputBytes limits how much of a plugin's output is kept.
const maxOutputBytes = 16 << 20

// Write implements io.Writer for standard error.
func (r *rawPlugin) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if room := maxOutputBytes - r.stderr.Len(); len(p) > room {
		r.stderr.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return r.stderr.Write(p)
}

func (r *rawPlugin) output() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stderr.String()
}

func (r *rawPlugin) laterOutput() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.stdout)
}

// passedEnv lists this process's environment variables that every plugin receives, as it would from the host.
var passedEnv = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ", "GORACE"}

func (t *T) environ(add map[string]string) []string {
	env := map[string]string{}
	for _, name := range append(slices.Clone(passedEnv), t.suite.config.PassEnv...) {
		if value, ok := os.LookupEnv(name); ok {
			env[name] = value
		}
	}
	maps.Copy(env, t.suite.config.Env)
	maps.Copy(env, add)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// program returns the command with additional arguments.
func (t *T) program(ctx context.Context, args ...string) *exec.Cmd {
	command := append(slices.Clone(t.suite.config.Command), args...)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = t.suite.config.Dir, time.Second
	return cmd
}

// startRaw starts a plugin according to the protocol's rules and reads its handshake.
func (t *T) startRaw() *rawPlugin {
	dir, err := os.MkdirTemp(t.suite.dir, "raw-")
	t.need(err, "make a directory")
	tlsDir := filepath.Join(dir, "tls")
	t.need(os.Mkdir(tlsDir, 0o700), "make a directory")
	identity, err := t.suite.authority.Issue("conformance.raw", tlsDir)
	t.need(err, "issue certificates")
	r := &rawPlugin{socketDir: dir, identity: identity, exited: make(chan struct{})}
	r.cmd = t.program(context.WithoutCancel(t.ctx))
	r.cmd.Env = t.environ(map[string]string{
		sdk.Handshake.MagicCookieKey: sdk.Handshake.MagicCookieValue,
		"PLUGIN_PROTOCOL_VERSIONS":   fmt.Sprint(sdk.ProtocolVersion),
		"PLUGIN_UNIX_SOCKET_DIR":     dir, sdk.EnvTLSDir: tlsDir,
	})
	r.cmd.Stderr = r
	r.stdin, err = r.cmd.StdinPipe()
	t.need(err, "open its standard input")
	stdout, err := r.cmd.StdoutPipe()
	t.need(err, "open its standard output")
	setProcessGroup(r.cmd)
	t.need(r.cmd.Start(), "start the plugin")
	t.cleanup(func() {
		_ = r.stdin.Close()
		killGroup(r.cmd)
		r.awaitExit(t.suite.config.CallTimeout)
	})
	handshake := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, maxOutputBytes)
		for lines.Scan() {
			if line := lines.Text(); isHandshake(line) && r.address == "" {
				r.address = strings.Split(line, "|")[3]
				handshake <- line
			} else if r.address != "" {
				r.mu.Lock()
				if r.kept += len(line) + 1; r.kept <= maxOutputBytes {
					r.stdout = append(r.stdout, line)
				}
				r.mu.Unlock()
			}
		}
		_ = r.cmd.Wait() // the exit status is checked elsewhere
		close(r.exited)
	}()
	select {
	case <-handshake:
	case <-r.exited:
		t.remedy = remedyCrash
		t.fatalf("the plugin exited before its handshake: %s%s", r.cmd.ProcessState,
			outputSection("standard error", slices.Collect(strings.Lines(r.output()))))
	case <-time.After(t.suite.config.CallTimeout):
		t.fatalf("the plugin printed no handshake within %s", t.suite.config.CallTimeout)
	}
	return r
}

// isHandshake reports whether a line has the form `1|1|unix|PATH|grpc|`.
func isHandshake(line string) bool {
	parts := strings.Split(line, "|")
	return len(parts) >= 5 && parts[0] == "1" && parts[2] == "unix" && parts[4] == "grpc"
}

// dial connects with a certificate, or without TLS if config is nil.
func (t *T) dial(r *rawPlugin, config *tls.Config) *grpc.ClientConn {
	transport := insecure.NewCredentials()
	if config != nil {
		transport = credentials.NewTLS(config)
	}
	conn, err := grpc.NewClient("unix:"+r.address, grpc.WithTransportCredentials(transport))
	t.need(err, "dial the plugin")
	t.cleanup(func() { _ = conn.Close() })
	return conn
}

// awaitExit waits for the process to exit and reports whether it did.
func (r *rawPlugin) awaitExit(limit time.Duration) bool {
	select {
	case <-r.exited:
		return true
	case <-time.After(limit):
		return false
	}
}
