package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Attachment is the address of a plugin that was started elsewhere, as printed by `PROGRAM debug`.
type Attachment struct {
	Dir string // of the identities, which only the user can read
	sdk.DebugAddress
}

// ReadAttachment reads the address file that a plugin started as `PROGRAM debug` printed. It creates the identities for
// which the plugin is waiting.
func ReadAttachment(path string) (*Attachment, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the address of a plugin: %w; start the plugin as `PROGRAM debug`, which "+
			"prints the value to use here", err)
	}
	a := &Attachment{Dir: filepath.Dir(path)}
	if err := json.Unmarshal(text, &a.DebugAddress); err != nil || a.Network == "" || a.Address == "" {
		return nil, fmt.Errorf("%s contains no address of a plugin: start the plugin as `PROGRAM debug`, which "+
			"prints the value to use here", path)
	}
	if a.ProtocolVersion != sdk.ProtocolVersion {
		return nil, fmt.Errorf("the plugin of %s supports version %d of the protocol, this awhost %d: build the "+
			"plugin with a matching SDK", path, a.ProtocolVersion, sdk.ProtocolVersion)
	}
	if a.Identities == "" {
		return a, nil
	}
	a.Dir = filepath.Join(a.Dir, filepath.Base(a.Identities))
	if err := mtls.IssueForPlugin("attached", a.Dir); err != nil {
		return nil, fmt.Errorf("create TLS identities for the plugin of %s: %w", path, err)
	}
	return a, nil
}

// socketPoll is the interval at which the socket of a plugin that has just received its identity is polled.
const socketPoll = 50 * time.Millisecond

// await waits until the plugin is listening, which happens once it has its identity.
func (a *Attachment) await(ctx context.Context) error {
	ticker := time.NewTicker(socketPoll)
	defer ticker.Stop()
	for {
		if _, err := os.Stat(a.Address); err == nil {
			return nil
		}
		process, err := os.FindProcess(a.PID)
		if err == nil {
			err = process.Signal(syscall.Signal(0))
		}
		if errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("process %d has exited", a.PID)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

// Attach connects to a plugin that was started elsewhere, using go-plugin's reattach mechanism. It uses config's Name,
// MaxMessageBytes and GreetTimeout. It never ends the process, which belongs to the user.
func Attach(ctx context.Context, config Config, to *Attachment) (_ *Plugin, err error) {
	defer func() { err = startError(config.Name, err) }()
	identity, err := mtls.LoadHost(to.Dir)
	if err != nil {
		return nil, fmt.Errorf("load the plugin's TLS identity from %s: %w", to.Dir, err)
	}
	attached := newAttachedProcess(config.Name, to.PID)
	p := &Plugin{name: config.Name, process: attached, limits: newLimits(config.Name, config.MaxMessageBytes)}
	p.client = goplugin.NewClient(&goplugin.ClientConfig{
		HandshakeConfig: sdk.Handshake,
		Plugins:         goplugin.PluginSet{"awhost": connection{}},
		Reattach: &goplugin.ReattachConfig{
			Protocol: goplugin.ProtocolGRPC, ProtocolVersion: to.ProtocolVersion, Pid: to.PID, Test: true,
			Addr:         &net.UnixAddr{Net: to.Network, Name: to.Address},
			ReattachFunc: func() (runner.AttachedRunner, error) { return attached, nil },
		},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		TLSConfig:        identity.Client(),
		Logger:           hclog.NewNullLogger(),
		GRPCDialOptions:  p.limits.options(),
	})
	if err = to.await(ctx); err == nil {
		err = p.connect(ctx)
	}
	if err == nil {
		err = p.firstCall(ctx, config.GreetTimeout)
	}
	if err != nil {
		p.Kill()
		return nil, fmt.Errorf("%w; is the plugin waiting at %s still running?", err, to.Address)
	}
	attached.watch(p.conn)
	return p, nil
}

// attachedProcess is a process that was started elsewhere. It counts as gone when its connection breaks.
type attachedProcess struct {
	name string
	pid  int

	once      sync.Once
	done      chan struct{}
	stopWatch context.CancelFunc
	watcher   sync.WaitGroup
}

func newAttachedProcess(name string, pid int) *attachedProcess {
	return &attachedProcess{name: name, pid: pid, done: make(chan struct{}), stopWatch: func() {}}
}

// watch waits until the connection ends or Shutdown is called.
func (p *attachedProcess) watch(conn *grpc.ClientConn) {
	ctx, cancel := context.WithCancel(context.Background())
	p.stopWatch = cancel
	p.watcher.Go(func() {
		lives := func(s connectivity.State) bool { return s == connectivity.Ready || s == connectivity.Connecting }
		for state := conn.GetState(); lives(state); state = conn.GetState() {
			if !conn.WaitForStateChange(ctx, state) {
				return
			}
		}
		p.markExited()
	})
}

func (p *attachedProcess) markExited() { p.once.Do(func() { close(p.done) }) }

// PID implements life.
func (p *attachedProcess) PID() int { return p.pid }

// Done implements life.
func (p *attachedProcess) Done() <-chan struct{} { return p.done }

// Exit implements life.
func (p *attachedProcess) Exit() *process.Exit {
	select {
	case <-p.done:
		return &process.Exit{Name: "plugin " + p.name, PID: p.pid, StatusUnknown: true}
	default:
		return nil
	}
}

// LastLines implements life. It returns nil: the lines went to the process's starter.
func (p *attachedProcess) LastLines() []string { return nil }

// Unresponsive implements life.
func (p *attachedProcess) Unresponsive(silent time.Duration, working bool, calls []string) *process.UnresponsiveError {
	return &process.UnresponsiveError{Name: "plugin " + p.name, PID: p.pid, For: silent, Working: working, Calls: calls}
}

// StartError implements life.
func (*attachedProcess) StartError(err error) error { return err }

// Shutdown implements life. It does not end the process.
func (p *attachedProcess) Shutdown(ctx context.Context, _ func()) error { return p.Kill(ctx) }

// Kill implements life: it disconnects from the process.
func (p *attachedProcess) Kill(context.Context) error {
	p.stopWatch()
	p.watcher.Wait()
	p.markExited()
	return nil
}

// Wait implements runner.AttachedRunner.
func (p *attachedProcess) Wait(ctx context.Context) error {
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ID implements runner.AttachedRunner.
func (p *attachedProcess) ID() string { return fmt.Sprint(p.pid) }

// PluginToHost implements runner.AddrTranslator: both sides see the same files.
func (*attachedProcess) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin implements runner.AddrTranslator.
func (*attachedProcess) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

var (
	_ pluginProcess         = (*attachedProcess)(nil)
	_ runner.AttachedRunner = (*attachedProcess)(nil)
)
