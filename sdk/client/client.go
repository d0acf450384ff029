// Package client runs a plugin and makes it available to Go code through the SDK's interfaces.
//
//	p, err := client.Start(ctx, client.Config{Name: "reward.gaia.answer", Command: command, Authority: authority, SocketDir: dir})
//	description, err := p.Describe(ctx)
//	problems, err := p.Configure(ctx, sdk.ConfigureRequest{…})
//	scores, err := p.Reward().Score(ctx, request)
//	err = p.Stop(ctx, 30*time.Second, "the run has finished", func(string) {})
//
// It owns the handshake, mutual TLS, health and the diagnosis of start failures and crashes. The package must not
// depend on restart policy: a plugin that has exited is not restarted, its calls return sdk.ErrUnavailable, and Explain
// returns how it exited. The host and the conformance suite use the same client.
package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/internal/multiplex"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Config describes the plugin to run.
type Config struct {
	Name      string   // of the instance: the address of its block
	Run       string   // id of the run, which marks the process
	Command   []string // program and arguments
	Dir       string   // working directory
	Env       map[string]string
	PassEnv   []string
	LogFile   string
	Redact    func(line string) string // removes secrets from lines for LogFile; may be nil
	Log       *slog.Logger
	Authority *mtls.Authority
	// SocketDir is a private directory with a short path for sockets and the TLS files.
	SocketDir string
	// StartTimeout limits the time until the handshake; 0 means 30 s.
	StartTimeout time.Duration
	// Grace is how long the process has to exit after the request, and then again after SIGTERM; 0 means 5 s each.
	Grace time.Duration
	// GreetTimeout limits the duration of the first call; 0 means 10 s.
	GreetTimeout time.Duration
	// Line is called for every line that the process writes and receives the line's stream; see process.Config.Line.
	Line func(stream, line string)
	// Limits restricts the resources and the log of the process.
	Limits process.Limits
	// Guard starts the process; if it is nil, this process starts it.
	Guard *process.Guard
	// Inherit lists open files that the process keeps open, such as a lock that must last as long as the process.
	Inherit []*os.File
	// MaxMessageBytes limits the size of the plugin's messages, as declared in its description
	// (sdk.Description.MessageBytes). If the description is unknown, leave it 0: Describe sets it.
	MaxMessageBytes int
}

// Plugin is a running plugin.
type Plugin struct {
	*sdk.RemotePlugin
	name    string
	process pluginProcess
	client  *goplugin.Client
	conn    *grpc.ClientConn
	calls   grpc.ClientConnInterface // conn, with the calls of components in one stream
	limits  *limits
	tlsDir  string
}

// pluginProcess is a plugin's process: a *process.Process, or a process that was started elsewhere.
type pluginProcess interface {
	PID() int
	Done() <-chan struct{}
	Exit() *process.Exit
	LastLines() []string
	Unresponsive(silent time.Duration, working bool, calls []string) *process.UnresponsiveError
	StartError(err error) error
	Shutdown(ctx context.Context, closeClient func()) error
	Kill(ctx context.Context) error
}

// Start runs the program, waits for its handshake and checks that it responds. An error includes a remedy.
func Start(ctx context.Context, config Config) (_ *Plugin, err error) {
	defer func() { err = startError(config.Name, err) }()
	tlsDir, err := os.MkdirTemp(config.SocketDir, "tls")
	if err != nil {
		return nil, err
	}
	p, err := prepare(config, tlsDir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(tlsDir))
	}
	if err := p.connect(ctx); err != nil {
		p.Kill()
		return nil, err
	}
	if err := p.firstCall(ctx, config.GreetTimeout); err != nil {
		p.Kill()
		return nil, err
	}
	if err := mtls.RemoveKey(tlsDir); err != nil { // another plugin could read it, and call the host in this one's name
		p.Kill()
		return nil, err
	}
	return p, nil
}

// prepare creates everything that is needed for a start, without starting a process.
func prepare(config Config, tlsDir string) (*Plugin, error) {
	if config.Dir != "" { // exec would blame the program
		if _, err := os.Stat(config.Dir); err != nil {
			return nil, fmt.Errorf("use its working directory: %w", err)
		}
	}
	identity, err := config.Authority.Issue(config.Name, tlsDir)
	if err != nil {
		return nil, err
	}
	env := map[string]string{sdk.EnvTLSDir: tlsDir}
	for name, value := range config.Env {
		env[name] = value
	}
	proc, err := process.New(process.Config{
		Name: "plugin " + config.Name, Instance: config.Name, Run: config.Run, Command: config.Command, Dir: config.Dir,
		Env: env, PassEnv: config.PassEnv,
		SocketDir: config.SocketDir, LogFile: config.LogFile, Log: config.Log, StartTimeout: config.StartTimeout,
		Grace: config.Grace, Limits: config.Limits,
		Guard: config.Guard, Redact: config.Redact, ExtraFiles: config.Inherit, Line: config.Line,
	})
	if err != nil {
		return nil, err
	}
	p := &Plugin{name: config.Name, process: proc, tlsDir: tlsDir}
	p.limits = newLimits(config.Name, config.MaxMessageBytes)
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig:  sdk.Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{sdk.ProtocolVersion: {"awhost": connection{}}},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		TLSConfig:        identity.Client(),
		RunnerFunc:       proc.RunnerFunc(),
		// go-plugin creates a directory each time it starts a plugin. If a host is killed at that moment, that
		// directory is removed together with ours.
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: config.SocketDir},
		SkipHostEnv:      true,
		StartTimeout:     proc.ClientStartTimeout(),
		Logger:           hclog.NewNullLogger(),
		GRPCDialOptions:  p.limits.options(), // go-plugin's own limits would let a plugin fill the host's memory
	})
	return p, nil
}

func (p *Plugin) connect(ctx context.Context) error {
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
			return p.explainStart(c.err)
		}
		p.conn, p.RemotePlugin = c.conn, sdk.NewRemotePlugin(c.conn)
		p.shareCalls()
		return nil
	case <-ctx.Done():
		// Plugin.Kill is not used, because it would wait for go-plugin's client, which is busy with the start.
		_ = p.process.Kill(context.Background())
		<-done // ends, because the process is gone
		return ctx.Err()
	}
}

// shareCalls lets later calls to the component share a stream.
func (p *Plugin) shareCalls() {
	options := multiplex.Options{MaxMessageBytes: int(p.limits.bytes.Load())}
	p.calls = limitedConn{multiplex.NewConn(p.conn, options), p.limits}
}

// Describe requests the plugin's description. From then on, its declared limit applies to the plugin's messages: call
// it before any call to the component, and not concurrently with one.
func (p *Plugin) Describe(ctx context.Context) (*sdk.Description, error) {
	description, err := p.RemotePlugin.Describe(ctx)
	if err != nil {
		return nil, err
	}
	if bytes := int64(description.MessageBytes()); p.limits.bytes.Swap(bytes) != bytes {
		p.shareCalls()
	}
	return description, nil
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

// Name returns the instance's name.
func (p *Plugin) Name() string { return p.name }

// PID returns the process ID.
func (p *Plugin) PID() int { return p.process.PID() }

// Done returns a channel that is closed when the process has exited.
func (p *Plugin) Done() <-chan struct{} { return p.process.Done() }

// Exit returns how the process exited, or nil while it is running.
func (p *Plugin) Exit() *process.Exit { return p.process.Exit() }

// LastLines returns the last lines that were written to standard error.
func (p *Plugin) LastLines() []string { return p.process.LastLines() }

// Unresponsive describes a plugin that has not responded for a while, together with the calls that are waiting for it.
func (p *Plugin) Unresponsive(silent time.Duration, working bool, calls []string) *process.UnresponsiveError {
	return p.process.Unresponsive(silent, working, calls)
}

// Conn returns the connection to the plugin.
func (p *Plugin) Conn() *grpc.ClientConn { return p.conn }

// Environment returns the configured component as an environment.
func (p *Plugin) Environment() sdk.Environment { return sdk.RemoteEnvironment(p.calls, p.name) }

// Reward returns the configured component as a reward.
func (p *Plugin) Reward() sdk.Reward { return sdk.RemoteReward(p.calls) }

// Adapter returns the configured component as an adapter.
func (p *Plugin) Adapter() sdk.Adapter { return sdk.RemoteAdapter(p.calls) }

// Agent returns the configured component as an agent. Its leases are granted by leases, which the host must serve.
func (p *Plugin) Agent(leases *sdk.Leases) sdk.Agent { return sdk.RemoteAgent(p.calls, leases, p.name) }

// Ping checks that the plugin responds.
func (p *Plugin) Ping(ctx context.Context) error {
	out, err := healthpb.NewHealthClient(p.conn).Check(ctx,
		&healthpb.HealthCheckRequest{Service: goplugin.GRPCServiceName})
	if err != nil {
		return fmt.Errorf("ping plugin %s: %w", p.name, err)
	}
	if out.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		return fmt.Errorf("ping plugin %s: status %s", p.name, out.GetStatus())
	}
	return nil
}

// Explain replaces a call's error with the plugin's exit if the plugin has exited. It waits briefly for the exit that a
// broken connection indicates.
func (p *Plugin) Explain(err error) error {
	if !errors.Is(err, sdk.ErrUnavailable) {
		return err
	}
	if exit := p.waitExit(crashExitTimeout); exit != nil {
		return fmt.Errorf("%w: %w", sdk.ErrUnavailable, exit)
	}
	return err
}

// crashExitTimeout limits how long to wait for the exit of a plugin whose connection broke.
const crashExitTimeout = 3 * time.Second

// stopMargin is the additional time, beyond the component's grace period, for the response to Stop.
const stopMargin = 2 * time.Second

// Stop lets the component finish within grace and then ends the process. When ctx is done, it stops waiting for both.
func (p *Plugin) Stop(ctx context.Context, grace time.Duration, reason string, progress func(string)) error {
	stopCtx, cancel := context.WithTimeout(ctx, grace+stopMargin)
	defer cancel()
	err := p.RemotePlugin.Stop(stopCtx, grace, reason, progress)
	if err != nil {
		err = fmt.Errorf("stop plugin %s: %w", p.name, p.Explain(err))
	}
	return errors.Join(err, p.stop(ctx))
}

// Kill ends the process by a request, by SIGTERM, and by SIGKILL, with Config.Grace between them. It may be called
// twice.
func (p *Plugin) Kill() {
	_ = p.stop(context.Background()) // an error means that the kernel holds the process: nothing is left to do
}

func (p *Plugin) stop(ctx context.Context) error {
	err := p.process.Shutdown(ctx, p.client.Kill)
	if p.conn != nil {
		_ = p.conn.Close() // closed already, unless the process had to be killed
	}
	if p.tlsDir == "" { // an attached plugin owns its identities
		return err
	}
	return errors.Join(err, os.RemoveAll(p.tlsDir))
}

// connection returns the raw connection.
type connection struct {
	goplugin.NetRPCUnsupportedPlugin
}

// GRPCServer implements goplugin.GRPCPlugin; the plugin has its own implementation.
func (connection) GRPCServer(*goplugin.GRPCBroker, *grpc.Server) error {
	return errors.New("this is the host side")
}

// GRPCClient implements goplugin.GRPCPlugin.
func (connection) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

var (
	_ goplugin.GRPCPlugin = connection{}
	_ pluginProcess       = (*process.Process)(nil)
)
