package main

import (
	"context"
	"errors"
	"time"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

// report shows diagnostics. If any of them is an error, it returns an error that ends the command.
func (a *app) report(problems diag.Diagnostics) error {
	var err error
	switch {
	case len(problems) == 0:
		return nil
	case a.json && a.events:
		a.early = append(a.early, eventDiagnostics(problems)...)
		if problems.HasErrors() {
			err = a.publishEarly()
		}
	case a.json:
		for _, d := range problems {
			a.print(result.DiagnosticOf(d))
		}
	default:
		terminal := text.Detect(a.err, a.environ)
		err = diag.WriteHuman(a.err, problems, diag.Style{Width: terminal.Width, Color: terminal.Colours})
	}
	if err != nil || problems.HasErrors() {
		return exit(run.ExitUsage, err)
	}
	return nil
}

// publishEarly writes the events of a command that ends before the run exists.
func (a *app) publishEarly() error {
	shown := view.New(a.viewOptions(applyOptions{}, nil))
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
