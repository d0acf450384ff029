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

	"github.com/awhost/awhost/host/callback"
	"github.com/awhost/awhost/host/cast"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// The limits of what is done at the end.
const (
	stopGrace    = 10 * time.Second
	closeTimeout = 30 * time.Second
)

// rig is the plugins of an evaluation and what they need around them. An evaluation has no run directory: what plugins
// write is temporary, and lies beside their sockets, so that the guard removes it when this process is killed.
type rig struct {
	sockets string
	guard   *process.Guard // nil without one
	service *callback.Server
	plugins *plugin.Supervisor
	servers *server.Set

	mu    sync.Mutex
	ready map[string]int // processes that have served, by address
}

// starter starts the plugins and servers.
func (r *rig) starter(p *plan.Plan) cast.Starter {
	return cast.Starter{Plan: p, Plugins: r.plugins, Servers: r.servers}
}

func (r *rig) notify(s plugin.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Phase == plugin.Ready {
		r.ready[s.Block.Address]++
	}
}

// starts counts the processes that a block has had.
func (r *rig) starts(address string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready[address]
}

func (c Config) open(ctx context.Context) (_ *rig, err error) {
	r := &rig{ready: map[string]int{}}
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
	if r.service, err = callback.Serve(socket, authority, c.Plan.MessageLimits(), sdk.HostServer{Authorize: nobodyTrains}); err != nil {
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
	r.service.Elsewhere = plan.Elsewhere(c.Plan.Train)
	plugin.SweepRooms(ctx)
	id := plugin.NewRoomID() // its processes carry it, and whichever command comes next ends those that are left
	if len(c.Guard) > 0 {
		if r.guard, err = process.StartGuard(ctx, process.GuardConfig{Command: c.Guard, Run: id, Incarnation: 1, SocketDir: r.sockets}); err != nil {
			return nil, err
		}
	}
	r.plugins = plugin.NewSupervisor(plugin.Config{
		Authority: authority, SocketDir: r.sockets, HostSocket: socket, RunID: id, Incarnation: 1, MaxRestarts: c.Plan.Train.MaxRestarts, PassEnv: c.PassEnv,
		Debugged: c.Debugged,
		Dir:      r.pluginDir, SpecDir: c.Plan.Spec.Dir,
		Notify: r.notify, Guard: r.guard, Redact: c.Plan.Spec.Redactor().Text, Log: c.pluginLog(),
	})
	r.servers = server.NewSet(server.Options{
		Run: id, For: "an evaluation", Guard: r.guard, Records: server.Records(c.Plan.Spec.Dir),
		MaxRestarts: c.Plan.Train.MaxRestarts,
		Redact:      c.Plan.Spec.Redactor().Text, Log: c.pluginLog(), Tell: c.tellOfServer, Failed: r.plugins.Fail,
		Moved: func(address string) { r.starter(c.Plan).Reconnect(address) },
	})
	return r, nil
}

// host serves a plugin that was started elsewhere, under the certificate that it expects.
func (r *rig) host(d plugin.Debugged, address string, limits callback.Limits) (plugin.Debugged, error) {
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
	return d, r.service.Listen(d.HostSocket, authority, limits, sdk.HostServer{Authorize: nobodyTrains})
}

// tellOfServer passes on what becomes of a server.
func (c Config) tellOfServer(n server.News) {
	if c.Log != nil {
		c.Log(strings.ToLower(n.Level.String()), n.Server, c.Plan.Spec.Redactor().Text(n.Message), nil)
	}
}

// pluginLog makes the loggers of plugins; nil: nobody wants to hear them.
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

// nobodyTrains refuses adapters: agents alone have something to ask for.
func nobodyTrains(context.Context) error {
	return errors.New("this is an evaluation: nothing is trained")
}

func (r *rig) pluginDir(instance string) (string, error) {
	dir := filepath.Join(r.sockets, "plugins", instance)
	return dir, os.MkdirAll(dir, 0o700)
}

// close ends the plugins, the guard and what was made for them, also after the end of ctx.
func (r *rig) close(ctx context.Context) error {
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
		_, closing := r.guard.Close(ctx) // what it ended had been left behind by a plugin, and changes nothing here
		err = errors.Join(err, closing)
	}
	if r.sockets != "" {
		_ = process.RemoveSocketDir(r.sockets) // what is left is swept by the next start
	}
	return err
}

// await waits for a plugin that died. Who samples needs its policy again.
func (r *rig) await(ctx context.Context, s sampler, address string, cause error) error {
	if !errors.Is(cause, sdk.ErrUnavailable) {
		return nil // it lives, and lost an episode or gave a generation up
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
