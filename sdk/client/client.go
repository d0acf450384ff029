// Package client runs a plugin and gives it to Go code as the SDK's interfaces.
//
//	p, err := client.Start(ctx, client.Config{Name: "reward.gaia.answer", Command: command, Authority: authority, SocketDir: dir})
//	description, err := p.Describe(ctx)
//	problems, err := p.Configure(ctx, sdk.ConfigureRequest{…})
//	scores, err := p.Reward().Score(ctx, request)
//	err = p.Stop(ctx, 30*time.Second, "the run has finished", func(string) {})
//
// It owns the handshake, mutual TLS, health and the diagnosis of what goes wrong at the start or by a crash. It must not
// know restart policy: a plugin that died stays dead, and its calls return a *process.Exit that says how. The host and
// the conformance suite use the same client.
package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Config says what to run.
type Config struct {
	Name      string   // of the instance: the address of its block
	Command   []string // program and arguments
	Dir       string   // working directory
	Env       map[string]string
	PassEnv   []string
	LogFile   string
	Log       *slog.Logger
	Authority *mtls.Authority
	// SocketDir is a private directory with a short path; sockets and the TLS files go there.
	SocketDir string
	// StartTimeout bounds the time to the handshake; 0 means 60 s.
	StartTimeout time.Duration
	// Grace is how long the process may take to obey SIGTERM; 0 means 2 s.
	Grace time.Duration
}

const defaultStartTimeout = 60 * time.Second

// Plugin is a running plugin.
type Plugin struct {
	*sdk.RemotePlugin
	name    string
	process *process.Process
	client  *goplugin.Client
	conn    *grpc.ClientConn
	tlsDir  string
}

// Start runs the program and waits for its handshake. An error says what the user can do about it.
func Start(ctx context.Context, config Config) (*Plugin, error) {
	if config.StartTimeout == 0 {
		config.StartTimeout = defaultStartTimeout
	}
	tlsDir, err := os.MkdirTemp(config.SocketDir, "tls")
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", config.Name, err)
	}
	identity, err := config.Authority.Issue(config.Name, tlsDir)
	if err != nil {
		return nil, fmt.Errorf("start plugin %s: %w", config.Name, err)
	}
	env := map[string]string{sdk.EnvTLSDir: tlsDir}
	for name, value := range config.Env {
		env[name] = value
	}
	proc, err := process.New(process.Config{
		Name: "plugin " + config.Name, Command: config.Command, Dir: config.Dir, Env: env, PassEnv: config.PassEnv,
		LogFile: config.LogFile, Log: config.Log, Grace: config.Grace,
	})
	if err != nil {
		return nil, err
	}
	p := &Plugin{name: config.Name, process: proc, tlsDir: tlsDir}
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  sdk.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion: {"awhost": connection{}}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		TLSConfig:        identity.Client(),
		RunnerFunc:       proc.RunnerFunc(),
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: config.SocketDir},
		SkipHostEnv:      true,
		StartTimeout:     config.StartTimeout,
		Logger:           hclog.NewNullLogger(),
	})
	if err := p.connect(ctx, config); err != nil {
		p.Kill()
		return nil, err
	}
	return p, nil
}

func (p *Plugin) connect(ctx context.Context, config Config) error {
	type connected struct {
		conn *grpc.ClientConn
		err  error
	}
	done := make(chan connected, 1)
	go func() {
		protocol, err := p.client.Client()
		if err != nil {
			done <- connected{err: err}
			return
		}
		raw, err := protocol.Dispense("awhost")
		if err != nil {
			done <- connected{err: err}
			return
		}
		done <- connected{conn: raw.(*grpc.ClientConn)}
	}()
	select {
	case c := <-done:
		if c.err != nil {
			return p.diagnoseStart(c.err, config)
		}
		p.conn, p.RemotePlugin = c.conn, sdk.NewRemotePlugin(c.conn)
		return nil
	case <-ctx.Done():
		p.Kill()
		<-done // ends, because the process is gone
		return fmt.Errorf("start plugin %s: %w", p.name, ctx.Err())
	}
}

// diagnoseStart makes one clear message of what go-plugin says.
func (p *Plugin) diagnoseStart(err error, config Config) error {
	text := err.Error()
	program := config.Command[0]
	exit := p.waitExit(exitSettle)
	switch {
	case strings.Contains(text, "incompatible API version") || strings.Contains(text, "Incompatible API version"):
		return fmt.Errorf("start plugin %s: it speaks another version of the plugin protocol than this host (%d): use a release of the plugin, or of awhost, that matches", p.name, sdk.ProtocolVersion)
	case strings.Contains(text, "timeout"):
		return fmt.Errorf("start plugin %s: %s gave no handshake within %s: it hangs, or is no plugin of awhost (its main must call sdk.Serve)%s", p.name, program, config.StartTimeout, p.lastWords())
	case exit != nil:
		return fmt.Errorf("start plugin %s: %w", p.name, notAPlugin(exit, program))
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission):
		return fmt.Errorf("start plugin %s: %w: check the path and its permissions", p.name, err)
	}
	return fmt.Errorf("start plugin %s: %s is no plugin of awhost: its main must call sdk.Serve (%s)%s", p.name, program, firstLine(text), p.lastWords())
}

// exitSettle is how long a failing start may take to become an exit: the handshake's pipe closes first.
const exitSettle = 500 * time.Millisecond

func notAPlugin(exit *process.Exit, program string) error {
	if exit.Code == 0 && exit.Signal == "" {
		return fmt.Errorf("%s ended at once without a handshake: it is no plugin of awhost (its main must call sdk.Serve)", program)
	}
	return fmt.Errorf("it ended before its handshake: %w", exit)
}

func (p *Plugin) waitExit(limit time.Duration) *process.Exit {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.process.Done():
	case <-timer.C:
	}
	return p.process.Exit()
}

func (p *Plugin) lastWords() string {
	lines := p.process.LastLines()
	if len(lines) == 0 {
		return ""
	}
	return "\n  | " + strings.Join(lines[max(0, len(lines)-8):], "\n  | ")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Name is the instance's.
func (p *Plugin) Name() string { return p.name }

// PID is the process's.
func (p *Plugin) PID() int { return p.process.PID() }

// Done is closed when the process has exited.
func (p *Plugin) Done() <-chan struct{} { return p.process.Done() }

// Exit says how the process ended; nil while it runs.
func (p *Plugin) Exit() *process.Exit { return p.process.Exit() }

// Conn is the connection to the plugin.
func (p *Plugin) Conn() *grpc.ClientConn { return p.conn }

// Environment is the configured component as an environment.
func (p *Plugin) Environment() sdk.Environment { return sdk.RemoteEnvironment(p.conn) }

// Reward is the configured component as a reward.
func (p *Plugin) Reward() sdk.Reward { return sdk.RemoteReward(p.conn) }

// Adapter is the configured component as an adapter.
func (p *Plugin) Adapter() sdk.Adapter { return sdk.RemoteAdapter(p.conn) }

// Explain turns the error of a call into the plugin's end when it died: it waits a moment for the exit that a broken
// connection announces.
func (p *Plugin) Explain(err error) error {
	if !errors.Is(err, sdk.ErrUnavailable) {
		return err
	}
	if exit := p.waitExit(crashSettle); exit != nil {
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, exit)
	}
	return err
}

// crashSettle bounds the wait for the exit of a plugin whose connection broke.
const crashSettle = 3 * time.Second

// Stop lets the component finish within grace, then ends the process.
func (p *Plugin) Stop(ctx context.Context, grace time.Duration, reason string, progress func(string)) error {
	stopCtx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	err := p.RemotePlugin.Stop(stopCtx, grace, reason, progress)
	p.Kill()
	if err != nil {
		return fmt.Errorf("stop plugin %s: %w", p.name, err)
	}
	return nil
}

// Kill ends the process: politely, then with SIGKILL. It is safe to call twice.
func (p *Plugin) Kill() {
	if p.conn != nil {
		_ = p.conn.Close()
	}
	_ = p.process.Kill(context.Background())
	p.client.Kill()
	_ = os.RemoveAll(p.tlsDir)
	for _, socket := range sockets(filepath.Dir(p.tlsDir), p) {
		_ = os.Remove(socket)
	}
}

// sockets are what a killed plugin could not remove itself.
func sockets(dir string, p *Plugin) []string {
	if p.conn == nil {
		return nil
	}
	path := strings.TrimPrefix(p.conn.Target(), "unix:")
	if filepath.Dir(path) == dir {
		return []string{path}
	}
	return nil
}

// connection hands out the raw connection.
type connection struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer implements goplugin.GRPCPlugin; the plugin side has its own.
func (connection) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is the host's side")
}

// GRPCClient implements goplugin.GRPCPlugin.
func (connection) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

var _ goplugin.GRPCPlugin = connection{}
