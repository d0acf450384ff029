package main

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/ui"
	"github.com/awhost/awhost/host/view/result"
)

// debugPage shows the episodes of debug in a browser, as a run that exists until debug ends. It is nil unless a page is
// requested.
type debugPage struct {
	app      *app
	viewer   *viewer
	writer   *runstore.Writer
	recorder *debug.Recorder
}

// openDebugPage prints the link to a page that shows the finished episodes. An error is reported, and debug continues
// without the page.
func (a *app) openDebugPage(ctx context.Context, p *prepared, scratch string) *debugPage {
	page, err := a.serveDebugPage(ctx, p, scratch)
	if err != nil {
		a.tell("awhost: show the page of the episodes: %v; debug continues without it", err)
		return nil
	}
	link := page.viewer.link("/run/" + page.writer.Ref() + "/episodes")
	a.tell("the page of the episodes, until this command ends: %s", link)
	return page
}

func (a *app) serveDebugPage(ctx context.Context, p *prepared, scratch string) (*debugPage, error) {
	c := p.config.Plan
	create := c.NewRun()
	create.Name = "debug"
	create.Played = &runstore.Played{Train: c.Train.Name, Dataset: c.Stages[0].Validation, Policy: p.answering()}
	store := a.store(scratch)
	writer, err := store.Create(ctx, create)
	if err != nil {
		return nil, err
	}
	v, err := a.openViewer(ctx, anyPort, ui.Config{
		Store: store, Cache: filepath.Join(scratch, "index"),
		Private: func(_ context.Context, _ *runstore.Run, e runstore.Episode) (json.RawMessage, error) {
			return c.PrivatePart(e.TaskID, e.DatasetIndex)
		},
	})
	if err != nil {
		return nil, errors.Join(err, writer.Close(ctx))
	}
	return &debugPage{a, v, writer, debug.NewRecorder(writer, c.Spec.Redactor().Text)}, nil
}

// answering returns a description of the model, to the extent that it is known before the policy is loaded.
func (p *prepared) answering() string {
	c := p.config
	named, isNamed := c.Player.(interface{ Name() string })
	switch {
	case isNamed:
		return named.Name()
	case c.Endpoint != nil:
		return c.Endpoint.Name()
	case p.source != nil:
		return result.CheckpointText(p.source)
	case c.Policy != nil:
		return "the untrained policy"
	}
	return "served models of the spec"
}

// sink returns the recorder of the episodes, or nil without a page.
func (d *debugPage) sink() rollout.Sink {
	if d == nil {
		return nil
	}
	return d.recorder
}

// stay keeps the page open after all episodes have ended, until the user ends debug.
func (d *debugPage) stay(ctx context.Context) {
	if d == nil {
		return
	}
	if err := d.recorder.Finish(ctx); err != nil {
		d.app.tell("awhost: %v", err)
	}
	if err := d.writer.Close(ctx); err != nil {
		d.app.tell("awhost: %v", err)
	}
	d.writer = nil
	in, out, interactive := d.app.console()
	if !interactive {
		d.app.tell("all is played; the page stays until this command is interrupted, for example by Ctrl-C")
		<-ctx.Done()
		return
	}
	d.app.tell("all is played; the page stays until q or Ctrl-C")
	terminal := manualpolicy.NewTerminal(in, out)
	defer context.AfterFunc(ctx, terminal.Interrupt)()
	for {
		line, err := terminal.ReadLine("debug (all played)> ", func(string) string { return "" })
		if err != nil || strings.TrimSpace(line) == "q" {
			return
		}
	}
}

// close ends the page.
func (d *debugPage) close() {
	if d == nil {
		return
	}
	err := d.viewer.close()
	if d.writer != nil {
		err = errors.Join(err, d.writer.Close(context.Background()))
	}
	if err != nil {
		d.app.tell("awhost: end the page: %v", err)
	}
}
