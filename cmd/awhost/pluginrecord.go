package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk/conformance"
)

// recordPlugin records a plugin's responses. The file appears only when it is complete.
func (a *app) recordPlugin(ctx context.Context, config conformance.Config, path string, progress *checkProgress) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return exit(run.ExitFailed, err)
	}
	left, err := conformance.Record(ctx, config, file)
	progress.clear()
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return exit(run.ExitUsage, errors.Join(err, os.Remove(file.Name())))
	}
	return a.show(result.RecordedOf(path, left))
}

// replayPlugin shows how a plugin's responses differ from a transcript.
func (a *app) replayPlugin(ctx context.Context, config conformance.Config, path string, progress *checkProgress) error {
	file, err := os.Open(path)
	if err != nil {
		return exit(run.ExitUsage, err)
	}
	defer file.Close()
	changes, checked, err := conformance.Replay(ctx, config, file)
	progress.clear()
	if err != nil {
		return exit(run.ExitUsage, fmt.Errorf("%s: %w", path, err))
	}
	if err := a.show(result.ReplayedOf(path, changes, checked)); err != nil {
		return exit(run.ExitFailed, err)
	}
	if len(changes) > 0 {
		return exit(run.ExitConformance, nil)
	}
	return nil
}
