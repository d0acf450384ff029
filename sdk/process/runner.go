package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin/runner"
)

// Start runs the process without go-plugin, as any child: everything on standard output is logged. ctx bounds only the
// start.
func (p *Process) Start(ctx context.Context) error {
	p.handshake.succeed("") // nobody waits for one
	return p.start(ctx, nil)
}

func (p *Process) start(ctx context.Context, goPlugin []string) error {
	err := p.prepare(goPlugin)
	if err == nil {
		err = p.launch(ctx)
	}
	if err == nil {
		err = p.afterLaunch()
	}
	if err != nil {
		p.startErr = fmt.Errorf("start %s: %w", p.config.Name, err)
	}
	return p.startErr
}

// afterLaunch does what needs the pid; when that fails the process is not wanted.
func (p *Process) afterLaunch() error {
	if !p.config.Detachable || p.config.SocketDir == "" {
		return nil
	}
	err := p.ownSocketDir()
	if err != nil {
		p.skipGrace()
		_ = p.Kill(context.Background())
	}
	return err
}

// RunnerFunc is for plugin.ClientConfig. Set SkipHostEnv and StartTimeout (see ClientStartTimeout) beside it. One
// Process serves one start; make another for the next attempt.
func (p *Process) RunnerFunc() func(hclog.Logger, *exec.Cmd, string) (runner.Runner, error) {
	return func(_ hclog.Logger, prepared *exec.Cmd, socketDir string) (runner.Runner, error) {
		if p.config.SocketDir != "" {
			// go-plugin's directory is not used, and it forgets it when a start fails. It is empty.
			_ = os.Remove(socketDir)
			socketDir = ""
		}
		return &pluginRunner{Process: p, goPluginEnv: prepared.Env, ownedDir: socketDir}, nil
	}
}

// ClientStartTimeout is for plugin.ClientConfig.StartTimeout: a little longer than our own, so that the better
// diagnosis wins.
func (p *Process) ClientStartTimeout() time.Duration { return p.config.StartTimeout + 10*time.Second }

// pluginRunner is a Process as go-plugin's client sees it.
type pluginRunner struct {
	*Process
	goPluginEnv []string
	ownedDir    string // made by go-plugin for the socket; "" when there is another
}

// Start implements runner.Runner.
func (r *pluginRunner) Start(ctx context.Context) error {
	if err := r.start(ctx, r.goPluginEnv); err != nil {
		if r.ownedDir != "" {
			_ = os.RemoveAll(r.ownedDir) // go-plugin does not, after a failed start
		}
		return err
	}
	go r.boundStart()
	return nil
}

// boundStart gives the process its start timeout. It ends with the handshake, or with whatever ends the hope of one.
func (p *Process) boundStart() {
	timer := time.NewTimer(p.config.StartTimeout)
	defer timer.Stop()
	select {
	case <-p.handshake.ready:
	case <-timer.C:
		p.handshake.timeOut(describeState(p.PID()))
	}
}

// Wait implements runner.AttachedRunner: it returns when the process is gone, whoever holds its pipes. The error is the
// *Exit unless the status was 0.
func (p *Process) Wait(ctx context.Context) error {
	select {
	case <-p.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if e := p.status(); e.Code != 0 {
		return e
	}
	return nil
}

// Diagnose implements runner.Runner: go-plugin appends it to its own message about a bad handshake.
func (r *pluginRunner) Diagnose(ctx context.Context) string {
	if why := r.diagnose(ctx); why != nil {
		return why.Error()
	}
	return ""
}

// Stdout implements runner.Runner: the handshake line and nothing else.
func (r *pluginRunner) Stdout() io.ReadCloser { return r.handshake }

// Stderr implements runner.Runner: empty, because go-plugin's parser of log lines can be made to panic. Ours has them.
func (r *pluginRunner) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name implements runner.Runner.
func (r *pluginRunner) Name() string { return r.config.Name }

// ID implements runner.AttachedRunner: the pid, empty before the start.
func (p *Process) ID() string {
	if pid := p.PID(); pid != 0 {
		return strconv.Itoa(pid)
	}
	return ""
}

// PluginToHost implements runner.AddrTranslator: both sides see the same files.
func (p *Process) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin implements runner.AddrTranslator.
func (p *Process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

var (
	_ runner.Runner         = (*pluginRunner)(nil)
	_ runner.AttachedRunner = (*Process)(nil)
)
