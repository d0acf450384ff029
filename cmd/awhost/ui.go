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
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui"
	"github.com/awhost/awhost/host/view/result"
)

func newUI(a *app) *cobra.Command {
	var flags runFlags
	var listen string
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Show runs in a browser: curves, every conversation, what failed and why",
		Long: `Serves a page with the runs of a directory, those that go on among them, on this machine alone, until it is ended.
It prints a link; whoever has it sees the runs. Nothing of a run can be changed by the page.`,
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
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "loopback `ADDRESS:PORT` to listen on; port 0: a free one")
	return cmd
}

func (a *app) serveUI(ctx context.Context, dir, listen string) error {
	listener, err := listenLoopback(ctx, listen)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	cache, err := uiCache()
	if err != nil {
		return exit(run.ExitFailed, errors.Join(err, listener.Close()))
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	token := base64.RawURLEncoding.EncodeToString(secret)
	server := ui.New(ui.Config{
		Store: a.store(dir), Cache: cache, Token: token, Private: a.privatePart(dir), Waits: waitsOf,
		Processes: pluginProcesses,
	})
	listening := &http.Server{
		Handler: server.Handler(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- listening.Serve(listener) }()
	if err := a.show(result.ServedAt("http://"+listener.Addr().String()+"/#token="+token, dir)); err != nil {
		return exit(run.ExitFailed, errors.Join(err, listening.Close(), server.Close()))
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	err = errors.Join(err, server.Close(), listening.Close())
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	return nil
}

// listenLoopback refuses addresses that others than this machine can reach.
func listenLoopback(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: want ADDRESS:PORT, as 127.0.0.1:8080", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %s: the viewer is for this machine alone: use 127.0.0.1 or localhost; "+
			"from another machine, ssh -L PORT:127.0.0.1:PORT reaches it", address)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	return listener, nil
}

// uiCache is the folder of the indexes of runs.
func uiCache() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for indexes of runs: %w", err)
	}
	return filepath.Join(cache, "awhost", "ui"), nil
}

// waitsOf asks the host of a run.
func waitsOf(ctx context.Context, r *runstore.Run) (any, error) {
	summary, err := r.Summary()
	if err != nil {
		return nil, err
	}
	return look(ctx, r, summary)
}

// pluginProcesses asks the host of a run on this machine.
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

// privatePart reads tasks as the run did: the spec as it is now, with the variables of the run.
func (a *app) privatePart(dir string) func(context.Context, *runstore.Run, runstore.Episode) (json.RawMessage, error) {
	return func(ctx context.Context, r *runstore.Run, e runstore.Episode) (json.RawMessage, error) {
		quiet := *a
		quiet.json, quiet.events = false, false
		var flags specFlags
		overrides, err := flags.recall(r)
		if err != nil {
			return nil, err
		}
		l, err := quiet.load(ctx, specOf(dir, r.Info.Spec), flags, overrides)
		if err != nil {
			return nil, errors.Join(errors.New("the spec of the run cannot be read any more: awhost validate says why"), err)
		}
		inputs := plan.Inputs{Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared}
		return plan.PrivatePart(ctx, inputs, plan.TaskPlace{
			Stage: e.Slot.Stage, Split: e.Slot.Split, ID: e.TaskID, Index: e.DatasetIndex, Data: r.Info.Data,
		})
	}
}
