package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/process"
)

// record describes how to clean up a server whose host was killed.
type record struct {
	Host process.Identity `json:"host"` // the host that started it
	For  string           `json:"for"`  // Options.For
	Stop []string         `json:"stop"`
	Dir  string           `json:"cwd"`
}

func (v *server) recordPath() string { return filepath.Join(v.set.options.Records, v.Address+".json") }

// errTaken is returned by note if another host was faster.
var errTaken = errors.New("another run is starting it: wait for that run to end, or use a different port for one of " +
	"the two")

// note records how the server is stopped before the server is started. A server without a stop command ends with its
// guard.
func (v *server) note() error {
	if len(v.Stop) == 0 || v.set.options.Records == "" {
		return nil
	}
	host, err := process.IdentityOf(os.Getpid())
	if err != nil {
		return err
	}
	text, err := json.Marshal(record{Host: host, For: v.set.options.For, Stop: v.Stop, Dir: v.Dir})
	if err != nil {
		return err
	}
	if err := ownerfile.MkdirAll(v.set.options.Records); err != nil {
		return err
	}
	whole, err := os.MkdirTemp(v.set.options.Records, "new")
	if err != nil {
		return err
	}
	defer os.RemoveAll(whole)
	if err := ownerfile.WriteFile(filepath.Join(whole, "record"), text); err != nil {
		return err
	}
	err = os.Link(filepath.Join(whole, "record"), v.recordPath()) // unlike a rename, it replaces no existing record
	if errors.Is(err, fs.ErrExist) {
		return errTaken
	}
	return err
}

func (v *server) forget() error {
	if len(v.Stop) == 0 || v.set.options.Records == "" {
		return nil
	}
	if err := os.Remove(v.recordPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// endLeft stops a server that a killed host has left running.
func (v *server) endLeft(ctx context.Context) error {
	if v.set.options.Records == "" {
		return nil
	}
	text, err := os.ReadFile(v.recordPath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var left record
	if err := json.Unmarshal(text, &left); err != nil || len(left.Stop) == 0 {
		return fmt.Errorf("read %s: %s", v.recordPath(), v.manualSteps())
	}
	if process.Alive(left.Host) {
		if Serves(ctx, v.Server) {
			return nil // it is used without a restart
		}
		return fmt.Errorf("%s has started it and is still running: wait for that run to end, or use a different "+
			"port for one of the two", left.For)
	}
	v.set.notify(slog.LevelWarn, v.name, "processes left behind by %s are ended by %q", left.For, strings.Join(left.Stop,
		" "))
	if err := v.runStop(ctx, left.Stop, left.Dir); err != nil {
		return fmt.Errorf("end the processes left behind by %s: %w\n%s", left.For, err, v.manualSteps())
	}
	return os.Remove(v.recordPath())
}

// manualSteps returns the steps that the user must perform after a failed stop command.
func (v *server) manualSteps() string {
	return fmt.Sprintf("end the server's remaining processes manually, and remove %s", v.recordPath())
}
