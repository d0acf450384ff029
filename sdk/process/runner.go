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

// Start runs the process without go-plugin, as an ordinary child: all of its standard output is logged. ctx bounds only
// the start.
func (p *Process) Start(ctx context.Context) error {
	p.handshake.succeed("") // no handshake is expected
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

// afterLaunch performs the steps that require the PID. If they fail, it kills the process.
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

// RunnerFunc returns the function to use in plugin.ClientConfig. Also set SkipHostEnv and StartTimeout (see
// ClientStartTimeout). One Process can be started once; create another for the next attempt.
func (p *Process) RunnerFunc() func(hclog.Logger, *exec.Cmd, string) (runner.Runner, error) {
	return func(_ hclog.Logger, prepared *exec.Cmd, socketDir string) (runner.Runner, error) {
		if p.config.SocketDir != "" {
			// go-plugin's directory is unused and empty, and go-plugin does not remove it if a start fails.
			_ = os.Remove(socketDir)
			socketDir = ""
		}
		return &pluginRunner{Process: p, goPluginEnv: prepared.Env, ownedDir: socketDir}, nil
	}
}

// ClientStartTimeout returns the value for plugin.ClientConfig.StartTimeout, which is a little longer than our own
// timeout, so that the better diagnosis is reported.
func (p *Process) ClientStartTimeout() time.Duration { return p.config.StartTimeout + 10*time.Second }

// pluginRunner is a Process for go-plugin's client.
type pluginRunner struct {
	*Process
	goPluginEnv []string
	ownedDir    string // created by go-plugin for the socket; "" if there is another
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

// boundStart enforces the start timeout. It ends when the handshake succeeds or fails.
func (p *Process) boundStart() {
	timer := time.NewTimer(p.config.StartTimeout)
	defer timer.Stop()
	select {
	case <-p.handshake.ready:
	case <-timer.C:
		p.handshake.timeOut(describeState(p.PID()))
	}
}

// Wait implements runner.AttachedRunner: it returns when the process has ended, even if its pipes are still held. The
// error is the *Exit unless the status was 0.
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

// Diagnose implements runner.Runner: go-plugin appends the result to its own message about a bad handshake.
func (r *pluginRunner) Diagnose(ctx context.Context) string {
	if why := r.diagnose(ctx); why != nil {
		return why.Error()
	}
	return ""
}

// Stdout implements runner.Runner: it returns only the handshake line.
func (r *pluginRunner) Stdout() io.ReadCloser { return r.handshake }

// Stderr implements runner.Runner: it is empty, because some input makes go-plugin's log parser panic. Ours reads it.
func (r *pluginRunner) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name implements runner.Runner.
func (r *pluginRunner) Name() string { return r.config.Name }

// ID implements runner.AttachedRunner: it returns the PID, or an empty string before the process has started.
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
