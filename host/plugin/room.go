package plugin

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Room is what plugins need outside a run: a private directory, certificates, and a guard that ends them and removes the
// directory should this process be killed.
//
//	room, err := plugin.OpenRoom(ctx, guard)
//	defer room.Close()
//	running, err := room.Start(ctx, client.Config{Name: "plan.reward.gaia.answer", Command: entry.Command})
type Room struct {
	authority *mtls.Authority
	dir       string
	guard     *process.Guard // nil without one
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
	r := &Room{}
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
		Command: guard, Run: NewRoomID(), Incarnation: 1, SocketDir: r.dir,
	})
	return r, err
}

// Start runs a plugin in the room. Name, Command and what else distinguishes it come from the caller.
func (r *Room) Start(ctx context.Context, config client.Config) (*client.Plugin, error) {
	config.Authority, config.SocketDir, config.Guard = r.authority, r.dir, r.guard
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	return client.Start(ctx, config)
}

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
	if r.dir != "" {
		_ = process.RemoveSocketDir(r.dir)
	}
}
