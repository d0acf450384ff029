package control

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Running is a run in progress, as reported by its host.
type Running struct {
	Status Status
	ID     string // id of the run
	Folder string // folder of its sockets
	Waits  []Wait // the main cause of a delay first
	// Problem is the reason why a response is missing. In that case, at most the run, directory and process in the
	// status are known.
	Problem error
}

// Machine queries the hosts that listen in socket directories, in the order in which they started. Hosts that do not
// respond come last. ctx limits how long it waits for responses.
func Machine(ctx context.Context, dirs []string) []Running {
	list := make([]*Running, len(dirs))
	var asked sync.WaitGroup
	for i, dir := range dirs {
		asked.Go(func() { list[i] = ask(ctx, dir) })
	}
	asked.Wait()
	var out []Running
	for _, r := range list {
		if r != nil {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, order)
	return out
}

// ask queries one host. It returns nil if no host listens there, for example, while a trainer waits for another host.
func ask(ctx context.Context, folder string) *Running {
	client, err := Dial(ctx, filepath.Join(folder, socketName))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil
	case err != nil:
		return &Running{Folder: folder, Problem: err}
	}
	defer client.Close()
	r := &Running{Folder: folder, ID: client.Hello.ID}
	if r.Status, err = client.Status(ctx); err != nil {
		r.Status = Status{Run: client.Hello.Run, Dir: client.Hello.Dir, PID: client.Hello.PID, Step: -1}
		r.Problem = err
		return r
	}
	if waits, err := client.Waits(ctx); err == nil { // a host of an older version does not support it
		r.Waits = waits.Waits
	}
	return r
}

func order(a, b Running) int {
	switch {
	case (a.Problem == nil) != (b.Problem == nil):
		if a.Problem == nil {
			return -1
		}
		return 1
	case !a.Status.Since.Equal(b.Status.Since):
		return a.Status.Since.Compare(b.Status.Since)
	}
	return strings.Compare(a.Status.Dir, b.Status.Dir)
}
