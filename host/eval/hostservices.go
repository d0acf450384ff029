package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/hostserver"
	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Time limits for the cleanup.
const (
	stopGrace    = 10 * time.Second
	closeTimeout = 30 * time.Second
)

// hostServices holds an evaluation's plugins and their resources. An evaluation has no run directory: plugin files are
// temporary and stored next to the plugins' sockets, so that the guard removes them if this process is killed.
type hostServices struct {
	sockets string
	guard   *process.Guard // may be nil
	service *hostserver.Server
	plugins *plugin.Supervisor
	servers *server.Set

	mu    sync.Mutex
	ready map[string]int // number of processes that became ready, by address
}

// starter returns the starter for the plugins and servers.
func (r *hostServices) starter(p *plan.Plan) participants.Starter {
	return participants.Starter{Plan: p, Plugins: r.plugins, Servers: r.servers}
}

func (r *hostServices) notify(s plugin.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Phase == plugin.Ready {
		r.ready[s.Block.Address]++
	}
}

// starts returns the number of processes that have been started for a block.
func (r *hostServices) starts(address string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready[address]
}

func (c Config) open(ctx context.Context) (_ *hostServices, err error) {
	r := &hostServices{ready: map[string]int{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close(ctx))
		}
	}()
	if r.sockets, err = process.NewSocketDir(); err != nil {
		return nil, err
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(r.sockets, "host")
	if r.service, err = hostserver.Serve(socket, authority, c.Plan.MessageLimits(),
		sdk.HostServer{Authorize: rejectAdapters}); err != nil {
		return nil, err
	}
	for address, d := range c.Debugged {
		if d.Attach == nil {
			continue
		}
		if c.Debugged[address], err = r.host(d, address, c.Plan.MessageLimits()); err != nil {
			return nil, err
		}
	}
	r.service.Remote = plan.RemoteListener(c.Plan.Train)
	plugin.SweepWorkspaces(ctx)
	id := plugin.NewWorkspaceID() // set in its processes; the next command ends processes that are left
	if len(c.Guard) > 0 {
		if r.guard, err = process.StartGuard(ctx, process.GuardConfig{Command: c.Guard, Run: id, Incarnation: 1,
			SocketDir: r.sockets}); err != nil {
			return nil, err
		}
	}
	r.plugins = plugin.NewSupervisor(plugin.Config{
		Authority: authority, SocketDir: r.sockets, HostSocket: socket, RunID: id, Incarnation: 1,
		MaxRestarts: c.Plan.Train.MaxRestarts, PassEnv: c.PassEnv,
		Debugged: c.Debugged,
		Dir:      r.pluginDir, SpecDir: c.Plan.Spec.Dir,
		Notify: r.notify, Guard: r.guard, Redact: c.Plan.Spec.Redactor().Text, Log: c.pluginLog(),
	})
	r.servers = server.NewSet(server.Options{
		Run: id, For: "an evaluation", Guard: r.guard, Records: server.Records(c.Plan.Spec.Dir),
		MaxRestarts: c.Plan.Train.MaxRestarts,
		Redact:      c.Plan.Spec.Redactor().Text, Log: c.pluginLog(), Notify: c.publishServer, Failed: r.plugins.Fail,
		Moved: func(address string) { r.starter(c.Plan).Reconnect(address) },
	})
	return r, nil
}

// host listens for a plugin that was started separately, with the certificate that the plugin expects.
func (r *hostServices) host(d plugin.Debugged, address string, limits hostserver.Limits) (plugin.Debugged, error) {
	authority, err := d.Authority(address)
	if err != nil {
		return d, fmt.Errorf("attach to %s: load the TLS identity that the plugin left in %s: %w", address, d.Attach.Dir, err)
	}
	socket, err := os.CreateTemp(r.sockets, "host")
	if err != nil {
		return d, err
	}
	d.HostSocket = socket.Name()
	if err := errors.Join(socket.Close(), os.Remove(d.HostSocket)); err != nil {
		return d, err
	}
	return d, r.service.Listen(d.HostSocket, authority, limits, sdk.HostServer{Authorize: rejectAdapters})
}

// publishServer forwards a server's events.
func (c Config) publishServer(n server.Update) {
	if c.Log != nil {
		c.Log(strings.ToLower(n.Level.String()), n.Server, c.Plan.Spec.Redactor().Text(n.Message), nil)
	}
}

// pluginLog returns the plugins' loggers, or nil if logging is disabled.
func (c Config) pluginLog() func(instance string) *slog.Logger {
	if c.Log == nil {
		return nil
	}
	secrets := c.Plan.Spec.Redactor()
	tell := func(level, source, message string, fields map[string]string) {
		c.Log(level, source, secrets.Text(message), secrets.Fields(fields))
	}
	return func(instance string) *slog.Logger { return plugin.NewLog(instance, tell) }
}

// rejectAdapters rejects calls from adapters: only agents call the host here.
func rejectAdapters(context.Context) error {
	return errors.New("this is an evaluation: nothing is trained")
}

func (r *hostServices) pluginDir(instance string) (string, error) {
	dir := filepath.Join(r.sockets, "plugins", instance)
	return dir, os.MkdirAll(dir, 0o700)
}

// close ends the plugins and the guard and removes their files, even after ctx is done.
func (r *hostServices) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var err error
	if r.plugins != nil {
		err = r.plugins.StopAll(ctx, stopGrace, "the evaluation has ended")
	}
	if r.servers != nil {
		err = errors.Join(err, r.servers.StopAll(ctx))
	}
	if r.service != nil {
		r.service.Close()
	}
	if r.guard != nil {
		_, closing := r.guard.Close(ctx) // processes left by a plugin do not affect the result
		err = errors.Join(err, closing)
	}
	if r.sockets != "" {
		_ = process.RemoveSocketDir(r.sockets) // the next start removes the rest
	}
	return err
}

// await waits for a plugin that has exited. The sampler's plugin then reloads its policy.
func (r *hostServices) await(ctx context.Context, s sampler, address string, cause error) error {
	if !errors.Is(cause, sdk.ErrUnavailable) {
		return nil // it is running, and lost an episode or stopped a generation
	}
	instance, ok := r.plugins.Find(address)
	if !ok {
		return cause
	}
	if err := instance.Await(ctx); err != nil {
		return fmt.Errorf("plugin %s: %w", address, err)
	}
	if address == s.address() {
		return s.reload(ctx)
	}
	return nil
}
