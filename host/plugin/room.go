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

// Room is what plugins need outside a run: a private directory, certificates, and a guard that ends them and removes the
// directory should this process be killed.
//
//	room, err := plugin.OpenRoom(ctx, guard)
//	defer room.Close()
//	running, err := room.Start(ctx, entry, client.Config{Name: "plan.reward.gaia.answer"})
type Room struct {
	id        string // that its processes carry
	authority *mtls.Authority
	dir       string
	guard     *process.Guard // nil without one

	mu   sync.Mutex
	held []*catalog.Held // what the plugins are executed from
}

// roomPrefix begins the id under which the processes of a room are marked. No run's id begins like it.
const roomPrefix = "room-"

// roomCloseTimeout bounds the end of what plugins have left behind.
const roomCloseTimeout = 30 * time.Second

// NewRoomID names a room, or whatever else has plugins outside a run, so that SweepRooms knows its processes.
func NewRoomID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return roomPrefix + hex.EncodeToString(id[:])
}

// SweepRooms ends what was left behind under ids of NewRoomID by processes that were killed together with their guards. What
// cannot be ended the next one tries again.
func SweepRooms(ctx context.Context) {
	_, _ = process.SweepRuns(ctx, func(id string) bool { return strings.HasPrefix(id, roomPrefix) })
}

// OpenRoom ends what the rooms of killed processes left behind and opens another. guard is the command that runs
// process.ServeGuard; empty: nobody ends the plugins when this process is killed.
func OpenRoom(ctx context.Context, guard []string) (_ *Room, err error) {
	SweepRooms(ctx)
	r := &Room{id: NewRoomID()}
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

// Start runs a plugin in the room, if it still is what was hashed. Name and what else distinguishes it come from the
// caller, Command and Env from the entry.
func (r *Room) Start(ctx context.Context, entry *catalog.Entry, config client.Config) (*client.Plugin, error) {
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

// Keeper is what ends the processes of the room should this process be killed: a guard, nil without one, and the id
// that they carry, by which SweepRooms finds them. Others that belong to the room are started with both.
func (r *Room) Keeper() (id string, guard *process.Guard) { return r.id, r.guard }

// Dir makes a directory for a component's own files. It goes with the room.
func (r *Room) Dir() (string, error) { return os.MkdirTemp(r.dir, "own") }

// Close ends what is left of the plugins and removes the directory. It never blocks for long, and has no result: what is
// left all the same is ended and removed by the next room.
func (r *Room) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), roomCloseTimeout)
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
