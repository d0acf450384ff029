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

	"github.com/awhost/awhost/sdk/private"
	"github.com/awhost/awhost/sdk/process"
)

// record is what has to be done about a server whose host was killed.
type record struct {
	Host process.Identity `json:"host"` // that started it
	Run  string           `json:"run"`
	Stop []string         `json:"stop"`
	Dir  string           `json:"cwd"`
}

func (v *server) recordPath() string { return filepath.Join(v.set.options.Records, v.Address+".json") }

// note puts on record how the server is ended, before it is started. One without a stop command ends with its guard.
func (v *server) note() error {
	if len(v.Stop) == 0 || v.set.options.Records == "" {
		return nil
	}
	host, err := process.IdentityOf(os.Getpid())
	if err != nil {
		return err
	}
	text, err := json.Marshal(record{Host: host, Run: v.set.options.Run, Stop: v.Stop, Dir: v.Dir})
	if err != nil {
		return err
	}
	if err := private.MkdirAll(v.set.options.Records); err != nil {
		return err
	}
	return private.WriteFile(v.recordPath(), text)
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

// endLeft ends what a host that was killed has left running.
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
		return fmt.Errorf("%s cannot be read: end by hand what an earlier run of the server has left running, "+
			"and remove the file", v.recordPath())
	}
	if process.Alive(left.Host) {
		if Serves(ctx, v.Server) {
			return nil // it is used as it is
		}
		return fmt.Errorf("run %s has started it, and goes on: wait for its end, or give one of them another port", left.Run)
	}
	v.set.tell(slog.LevelWarn, v.name, "awhost was killed in run %s: what it left running is ended by %q",
		left.Run, strings.Join(left.Stop, " "))
	if err := v.runStop(ctx, left.Stop, left.Dir); err != nil {
		return fmt.Errorf("end what an earlier run has left running: %w", err)
	}
	return os.Remove(v.recordPath())
}
