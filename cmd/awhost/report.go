package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// report shows diagnostics. If any of them is an error, it returns an error that ends the command.
func (a *app) report(problems diag.Diagnostics) error {
	var err error
	switch {
	case len(problems) == 0:
		return nil
	case !a.json:
		terminal := text.Detect(a.err, a.environ)
		err = diag.WriteHuman(a.err, problems, diag.Style{Width: terminal.Width, Color: terminal.Colours})
	case !a.events:
		for _, d := range problems {
			a.print(result.DiagnosticOf(d))
		}
	}
	if a.events && (a.json || a.recorded != nil) {
		a.early = append(a.early, eventDiagnostics(problems)...)
		if problems.HasErrors() {
			err = errors.Join(err, a.publishEarly())
		}
	}
	if err != nil || problems.HasErrors() {
		return exit(run.ExitUsage, err)
	}
	return nil
}

// publishEarly writes the events of a command that ends before the run exists.
func (a *app) publishEarly() error {
	shown := a.recorded
	if a.json {
		shown = a.newView(applyOptions{}, nil)
	}
	bus := event.NewBus(event.Config{Now: time.Now}, shown)
	a.publishDiagnostics(bus)
	ctx, cancel := context.WithTimeout(context.Background(), viewTimeout)
	defer cancel()
	return errors.Join(bus.Close(ctx), shown.Close())
}

// publishDiagnostics publishes the diagnostics that were found before the bus existed.
func (a *app) publishDiagnostics(bus *event.Bus) {
	if len(a.early) > 0 {
		bus.Publish(event.Diagnostics{Diagnostics: a.early})
	}
	a.early = nil
}

// eventDiagnostics converts diagnostics into their event form.
func eventDiagnostics(problems diag.Diagnostics) []event.Diagnostic {
	var out []event.Diagnostic
	for _, d := range problems {
		e := event.Diagnostic{Severity: event.Severity(d.Severity), Summary: d.Summary, Detail: d.Detail, Address: d.Address}
		if d.Range != nil {
			e.Range = &event.Range{File: d.Range.File, Start: eventPosition(d.Range.Start), End: eventPosition(d.Range.End)}
		}
		if d.Snippet != nil {
			e.Snippet = d.Snippet.Code
		}
		out = append(out, e)
	}
	return out
}

func eventPosition(p diag.Position) event.Position {
	return event.Position{Line: p.Line, Column: p.Column}
}

// record creates the file of --events. The file receives the events of a command in addition to the user's view.
func (a *app) record(o applyOptions) error {
	if o.eventFile == "" {
		return nil
	}
	file, err := os.OpenFile(o.eventFile, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, ownerfile.File)
	if err != nil {
		return exit(run.ExitUsage, fmt.Errorf("--events: %w", err))
	}
	a.recorded = view.New(view.Options{Format: view.FormatJSON, Out: file, Version: sdk.Version, NoProgress: o.noProgress})
	return nil
}

// newView returns the user's view, which also writes the file of --events.
func (a *app) newView(o applyOptions, interrupts *interrupts) view.View {
	shown := view.New(a.viewOptions(o, interrupts))
	if a.recorded == nil {
		return shown
	}
	return &recordedView{View: shown, file: a.recorded, isReported: !a.json}
}

// recordedView is a view whose events are also written to a file.
type recordedView struct {
	view.View
	file       view.View
	isReported bool // report has already shown the diagnostics
}

// Handle implements event.Handler.
func (v *recordedView) Handle(e event.Event) {
	v.file.Handle(e)
	if _, ok := e.Payload.(event.Diagnostics); !ok || !v.isReported {
		v.View.Handle(e)
	}
}

// Close implements view.View.
func (v *recordedView) Close() error { return errors.Join(v.View.Close(), v.file.Close()) }

var _ view.View = (*recordedView)(nil)
