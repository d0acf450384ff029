package sdk

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/awhost/awhost/sdk/process/mtls"
)

// The environment variables that a host sets for a plugin being debugged. A plugin that runs other programs starts the
// debugger in those programs. A plugin that does not support the debugger ignores it. The plugin disables its own
// deadlines.
const (
	// EnvDebug names the debugger: "debugpy", "pdb", or "dlv". It is unset without a debugger.
	EnvDebug = "AWHOST_DEBUG"
	// EnvDebugListen is the debugger's address, such as 127.0.0.1:5678 (port 0 means any free port). For pdb, it is
	// unix:FOLDER: pdb listens on a socket in this directory, which only the user can access.
	EnvDebugListen = "AWHOST_DEBUG_LISTEN"
	// EnvDebugWait is "1" if no user code may run until a debugger is attached.
	EnvDebugWait = "AWHOST_DEBUG_WAIT"
)

// DebugListens is the log message with which a plugin reports that its debugger is listening, with the fields debugger
// and listen. DebugStands reports that a debugger without a protocol, pdb, is waiting for terminal input.
const (
	DebugListens = "listens for a debugger"
	DebugStands  = "stands at a breakpoint"
)

// Debugged reports whether this plugin is being debugged; if so, it has no deadlines.
func Debugged() bool { return os.Getenv(EnvDebug) != "" }

// DebugAddress is the address at which a plugin waits for a host that did not start it.
type DebugAddress struct {
	ProtocolVersion int    `json:"protocol_version"`
	Network         string `json:"network"` // "unix"
	Address         string `json:"address"`
	PID             int    `json:"pid"`
	// Identities is the directory, next to this file, that the first host creates for the identities of both sides; the
	// plugin starts listening then. If it is empty, the plugin is already listening, and the identities are next to
	// this file.
	Identities string `json:"identities,omitempty"`
}

// debugFile holds a plugin's DebugAddress and is stored next to its identities.
const debugFile = "attach.json"

// serveDebug runs `PROGRAM debug`: a plugin that a user starts, for example in a debugger, and that hosts attach to one
// after another. It runs until it is signaled.
func serveDebug(p Plugin, program string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := p.waitForHosts(ctx, program, stdout); err != nil {
		fmt.Fprintf(stderr, "plugin %s: wait for a host: %v\n", p.Name, err)
		return 1
	}
	return 0
}

func (p Plugin) waitForHosts(ctx context.Context, program string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "awhost-debug-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	identity, err := mtls.IssuePending(p.Name, dir)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{EnvDebug: "attached", "PLUGIN_UNIX_SOCKET_DIR": dir} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	listening, ended := make(chan *goplugin.ReattachConfig, 1), make(chan struct{})
	chain := []grpc.UnaryServerInterceptor{recoverUnary}
	go goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{ProtocolVersion: {"awhost": &grpcPlugin{
			plugin: p, log: NewLogger(os.Stderr), client: identity.Client(), chain: chain, reused: true,
		}}},
		TLSProvider: func() (*tls.Config, error) { return identity.Server(), nil },
		GRPCServer: func(options []grpc.ServerOption) *grpc.Server {
			return newServer(p.messageBytes(), options, chain...)
		},
		Logger: hclog.NewNullLogger(),
		Test:   &goplugin.ServeTestConfig{Context: ctx, ReattachConfigCh: listening, CloseCh: ended},
	})
	select {
	case at := <-listening:
		if err := p.writeAddress(dir, at, program, out); err != nil {
			return err
		}
		<-ended
		return nil
	case <-ended:
		return fmt.Errorf("%s did not start serving in time", program)
	}
}

// writeAddress writes the plugin's address to a file and prints how to attach.
func (p Plugin) writeAddress(dir string, at *goplugin.ReattachConfig, program string, out io.Writer) error {
	text, err := json.Marshal(DebugAddress{
		ProtocolVersion: at.ProtocolVersion, Network: at.Addr.Network(), Address: at.Addr.String(), PID: at.Pid,
	})
	if err != nil {
		return err
	}
	path := filepath.Join(dir, debugFile)
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s (process %d) waits for awhost until it is interrupted:\n", filepath.Base(program), at.Pid)
	for _, c := range p.Describe().Components {
		fmt.Fprintf(out, "  awhost debug --attach %s.%s.NAME=%s\n", c.Kind, c.Type, path)
	}
	return nil
}
