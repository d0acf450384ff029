package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/conformance"
)

// recordJSON is a transcript that was written.
type recordJSON struct {
	Type string   `json:"type"`
	File string   `json:"file"`
	Left []string `json:"left"` // components that are not in it, and why
}

// changeJSON is a call that is answered otherwise than in a transcript.
type changeJSON struct {
	Type   string           `json:"type"`
	Line   int              `json:"line"`
	Before conformance.Call `json:"before"`
	Now    conformance.Call `json:"now"`
}

// replayJSON is the whole, in one line.
type replayJSON struct {
	Type    string `json:"type"`
	Calls   int    `json:"calls"`
	Changes int    `json:"changes"`
}

// recordPlugin writes what a plugin answers. The file is there when it is complete.
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
	if a.json {
		a.print(recordJSON{Type: "transcript", File: path, Left: append([]string{}, left...)})
		return nil
	}
	out := a.page()
	for _, l := range left {
		out.Line("  " + out.Styles.Dim("– not recorded: "+text.Clean(l)))
	}
	out.Line(fmt.Sprintf("%s recorded in %s", out.Styles.Good("✓"), text.Clean(path)))
	return out.Err()
}

// shownAnswer is how much of an answer a person gets to see.
const shownAnswer = 2000

// replayPlugin says what a plugin answers otherwise than a transcript.
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
	out := a.page()
	for _, c := range changes {
		if a.json {
			a.print(changeJSON{Type: "change", Line: c.Line, Before: c.Call, Now: c.Got})
			continue
		}
		out.Line(fmt.Sprintf("%s %s: %s %s is answered otherwise", out.Styles.Bad("✗"), text.Clean(fmt.Sprintf("%s:%d", path, c.Line)), c.Call.Component, c.Call.Method))
		for _, said := range []struct{ what, text string }{
			{"request", string(c.Call.Request)}, {"before ", answerOf(c.Call)}, {"now    ", answerOf(c.Got)},
		} {
			out.Line("      " + out.Styles.Dim(said.what+" ") + shorten(text.Clean(said.text), shownAnswer))
		}
	}
	if a.json {
		a.print(replayJSON{Type: "replay", Calls: checked, Changes: len(changes)})
	} else {
		out.Line(fmt.Sprintf("%d calls, %d answered otherwise", checked, len(changes)))
	}
	if err := out.Err(); err != nil {
		return exit(run.ExitFailed, err)
	}
	if len(changes) > 0 {
		return exit(run.ExitConformance, nil)
	}
	return nil
}

func answerOf(c conformance.Call) string {
	if c.Status != "" {
		return c.Status
	}
	return string(c.Response)
}

// shorten cuts a text at so many characters, and says that it did.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%s… (%d characters)", string(runes[:most]), len(runes))
	}
	return text
}
