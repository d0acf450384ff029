package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk/process/heap"
)

func newUI(a *app) *cobra.Command {
	var flags runFlags
	var listen string
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Show runs in a browser: curves, conversations, and failures",
		Long: `Serve a page with the runs of a directory, including active ones, on this machine only, until the command ends. Anyone
with the printed link can see the runs. The page cannot change a run.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkDirectory(flags.dir); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
			defer stop()
			return a.serveUI(ctx, flags.dir, listen)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&listen, "listen", anyPort, "loopback `ADDRESS:PORT` to listen on; port 0 selects a free port")
	return cmd
}

func (a *app) serveUI(ctx context.Context, dir, listen string) error {
	heap.SaveMemory() // it runs for days, with occasional indexing
	config, err := a.runsIn(dir)
	if err != nil {
		return err
	}
	v, err := a.openViewer(ctx, listen, config)
	if err != nil {
		return err
	}
	if err := a.show(result.ServedAt(v.link(""), dir)); err != nil {
		return exit(run.ExitFailed, errors.Join(err, v.close()))
	}
	select {
	case err = <-v.ended:
	case <-ctx.Done():
	}
	if err = errors.Join(err, v.close()); err != nil {
		return exit(run.ExitFailed, err)
	}
	return nil
}

// viewer is a server that is listening and serves the page.
type viewer struct {
	address, token string
	server         *ui.Server
	listening      *http.Server
	ended          chan error
}

// runsIn returns the viewer's configuration for the runs in a directory.
func (a *app) runsIn(dir string) (ui.Config, error) {
	cache, err := uiCache()
	if err != nil {
		return ui.Config{}, exit(run.ExitFailed, err)
	}
	return ui.Config{
		Store: a.store(dir), Cache: cache, Private: (&privateParts{app: a, dir: dir}).of, Waits: waitsOf,
		Processes: pluginProcesses,
	}, nil
}

// openViewer serves runs until close is called. It creates the token.
func (a *app) openViewer(ctx context.Context, listen string, config ui.Config) (*viewer, error) {
	listener, err := listenLoopback(ctx, listen)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // it never fails
	config.Token = base64.RawURLEncoding.EncodeToString(secret)
	v := &viewer{address: listener.Addr().String(), token: config.Token, ended: make(chan error, 1)}
	v.server = ui.New(config)
	v.listening = v.server.HTTP()
	go func() { v.ended <- v.listening.Serve(listener) }()
	return v, nil
}

// link returns the URL of the page or of one of its views, such as "/run/quickstart-3".
func (v *viewer) link(view string) string {
	link := "http://" + v.address + "/#token=" + v.token
	if view != "" {
		link += "&to=" + view
	}
	return link
}

func (v *viewer) close() error {
	err := errors.Join(v.server.Close(), v.listening.Close())
	select {
	case served := <-v.ended:
		if !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
	default: // it has been received already
	}
	return err
}

// publish adds the page's URL to a run's output. A live screen keeps it visible.
func (v *viewer) publish(bus *event.Bus, r *runstore.Run) {
	if v == nil {
		return
	}
	link := v.link("/run/" + r.Ref())
	bus.Publish(event.Log{
		Level: event.LevelInfo, Source: "ui", Message: "the page of the run, until this command ends, is at " + link,
		Fields: map[string]string{event.FieldViewURL: link},
	})
}

// anyPort is the listen address for viewers that end together with another command.
const anyPort = "127.0.0.1:0"

// watched opens a run's page until its command ends, if o.ui is set. An error is reported, and the run continues.
func (a *app) watched(ctx context.Context, r *runstore.Run, dir string, o applyOptions) (*viewer, func()) {
	if !o.ui {
		return nil, func() {}
	}
	config, err := a.runsIn(dir)
	var v *viewer
	if err == nil {
		v, err = a.openViewer(ctx, anyPort, config)
	}
	if err != nil {
		a.tell("awhost: show the page of the run: %v; the run continues", err)
		return nil, func() {}
	}
	if a.json { // users read standard error then
		a.tell("the page of %s, until this command ends: %s", r.Ref(), v.link("/run/"+r.Ref()))
	}
	return v, func() {
		if err := v.close(); err != nil {
			a.tell("awhost: end the page: %v", err)
		}
		if a.json { // otherwise it is printed under "Next"
			a.tell("to show the page again: awhost ui%s", runstore.WhereFlag(r.Dir))
		}
	}
}

// listenLoopback rejects addresses that are reachable from other machines.
func listenLoopback(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: want ADDRESS:PORT, such as 127.0.0.1:8080", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s: the viewer serves only this machine: use 127.0.0.1 or localhost; to view it "+
			"from another machine, use ssh -L PORT:127.0.0.1:PORT", address)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	return listener, nil
}

// uiCache returns the directory that holds the run indexes.
func uiCache() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the run index folder: %w", err)
	}
	return filepath.Join(cache, "awhost", "ui"), nil
}

// waitsOf requests the waits from a run's host.
func waitsOf(ctx context.Context, r *runstore.Run) (any, error) {
	summary, err := r.Summary()
	if err != nil {
		return nil, err
	}
	return look(ctx, r, summary)
}

// pluginProcesses requests the plugin processes from a run's host on this machine.
func pluginProcesses(ctx context.Context, r *runstore.Run) ([]ui.Process, error) {
	client, err := reach(ctx, r)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	status, err := client.Status(ctx)
	var out []ui.Process
	for _, p := range status.Plugins {
		if p.PID != 0 {
			out = append(out, ui.Process{Address: p.Address, PID: p.PID})
		}
	}
	return out, err
}

// privateParts reads tasks in the same way as their run does: from the current spec, with the run's variables. The spec
// of the most recently requested run is cached for a while.
type privateParts struct {
	app *app
	dir string

	mu     sync.Mutex
	run    string // its id
	until  time.Time
	inputs plan.Inputs
}

// specFor is how long a spec stays cached. Reading it starts plugins, and users usually view several tasks.
const specFor = time.Minute

func (p *privateParts) of(ctx context.Context, r *runstore.Run, e runstore.Episode) (json.RawMessage, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != r.Info.ID || time.Now().After(p.until) {
		inputs, err := p.read(ctx, r)
		if err != nil {
			return nil, err
		}
		p.run, p.inputs, p.until = r.Info.ID, inputs, time.Now().Add(specFor)
	}
	return plan.PrivatePart(ctx, p.inputs, taskPlace(r, &e))
}

func taskPlace(r *runstore.Run, e *runstore.Episode) plan.TaskPlace {
	return plan.TaskPlace{
		Stage: e.Slot.Stage, Split: e.Slot.Split, ID: e.TaskID, Index: e.DatasetIndex, Data: r.Info.Data,
	}
}

func (p *privateParts) read(ctx context.Context, r *runstore.Run) (plan.Inputs, error) {
	quiet := *p.app
	quiet.json, quiet.events = false, false
	var flags specFlags
	overrides, err := flags.recall(r)
	if err != nil {
		return plan.Inputs{}, err
	}
	l, err := quiet.load(ctx, specOf(p.dir, r.Info.Spec), flags, overrides)
	if err != nil {
		why := errors.New("the run's spec can no longer be read: run awhost validate")
		return plan.Inputs{}, errors.Join(why, err)
	}
	return plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared}, nil
}
