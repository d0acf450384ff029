package plugin

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Workspace provides the resources that plugins need outside a run: a private directory, certificates, and a guard that
// ends the plugins and removes the directory if this process is killed.
//
//	workspace, err := plugin.OpenWorkspace(ctx, guard)
//	defer workspace.Close()
//	running, err := workspace.Start(ctx, entry, client.Config{Name: "plan.reward.gaia.answer"})
type Workspace struct {
	id        string // set in the environment of its processes
	authority *mtls.Authority
	dir       string
	guard     *process.Guard // may be nil

	mu   sync.Mutex
	held []*catalog.Held // the files that the plugins are executed from
}

// workspacePrefix is the prefix of workspace IDs. Run IDs have other prefixes.
const workspacePrefix = "room-"

// workspaceCloseTimeout limits the time for cleaning up after plugins.
const workspaceCloseTimeout = 30 * time.Second

// NewWorkspaceID returns an ID for a workspace, or for other plugins outside a run, that allows SweepWorkspaces to find
// their processes.
func NewWorkspaceID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return workspacePrefix + hex.EncodeToString(id[:])
}

// SweepWorkspaces ends processes with IDs from NewRoomID that were left behind by processes killed together with their
// guards. The next call retries any processes that could not be ended.
func SweepWorkspaces(ctx context.Context) {
	_, _ = process.SweepRuns(ctx, func(id string) bool { return strings.HasPrefix(id, workspacePrefix) })
}

// OpenWorkspace cleans up workspaces left by killed processes and opens a new one. guard is the command that runs
// process.ServeGuard. If it is empty, plugins are not ended when this process is killed.
func OpenWorkspace(ctx context.Context, guard []string) (_ *Workspace, err error) {
	SweepWorkspaces(ctx)
	r := &Workspace{id: NewWorkspaceID()}
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if r.authority, err = mtls.NewAuthority(); err != nil {
		return nil, err
	}
	if r.dir, err = process.NewSocketDir(); err != nil {
		return nil, err
	}
	if len(guard) == 0 {
		return r, nil
	}
	r.guard, err = process.StartGuard(ctx, process.GuardConfig{
		Command: guard, Run: r.id, Incarnation: 1, SocketDir: r.dir,
	})
	return r, err
}

// Start runs a plugin in the workspace if its files still match its recorded hash. The caller sets Name and other
// specific fields; Command and Env come from the entry.
func (r *Workspace) Start(ctx context.Context, entry *catalog.Entry, config client.Config) (*client.Plugin, error) {
	held, err := entry.Hold()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.held = append(r.held, held)
	r.mu.Unlock()
	config.Command, config.Env = held.Command, held.Env
	config.MaxMessageBytes = entry.Description.MessageBytes()
	config.Authority, config.SocketDir, config.Guard = r.authority, r.dir, r.guard
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	p, err := client.Start(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := held.Check(); err != nil {
		discard(p)
		return nil, err
	}
	return p, nil
}

// Keeper returns the resources for ending the workspace's processes if this process is killed: a guard, which may be
// nil, and the ID that SweepWorkspaces uses to find the processes. Other processes in the workspace are started with
// both of them.
func (r *Workspace) Keeper() (id string, guard *process.Guard) { return r.id, r.guard }

// Dir creates a directory for a component's files. It is removed with the workspace.
func (r *Workspace) Dir() (string, error) { return os.MkdirTemp(r.dir, "own") }

// Close ends the remaining plugins and removes the directory. It never blocks for long and returns no error, because
// opening the next workspace cleans up anything that remains.
func (r *Workspace) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), workspaceCloseTimeout)
	defer cancel()
	if r.guard != nil {
		_, _ = r.guard.Close(ctx)
	}
	for _, held := range r.held {
		held.Release()
	}
	if r.dir != "" {
		_ = process.RemoveSocketDir(r.dir)
	}
}
