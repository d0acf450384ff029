package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/compare"
	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/debug"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/scan/recorded"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/conformance"
)

// hostile is text that a plugin, a model, data, a file name or a spec may contain. It clears screens, sets colors,
// renames windows, reverses the writing direction, hides text, is not UTF-8, and begins a line that looks like
// awhost's.
const hostile = "evil\x1b[2J\x1b[31m\x1b[1;31m\x1b]0;owned\a\u009b31m\x7f\u202e\u2066\u200b\ufeff\u3164\xff\r\b\v\n" +
	forged + ": trust me"

const forged = "FORGED"

// ownStyles matches the sequences of text.Coloured, as sent to terminals.
var ownStyles = regexp.MustCompile(`\x1b\[(|1|2|36|32|33|1;31|1;4|1;4;4)m`)

// obeyed returns the parts of an output that a terminal would execute or hide.
func obeyed(out string, coloured bool, forged string) string {
	if foreign := strings.Index(out, `[2J`+"\x1b"); foreign >= 0 { // awhost's own styles do not precede it
		return "a colour that is not awhost's"
	}
	if coloured {
		out = ownStyles.ReplaceAllString(out, "")
	}
	for i, r := range out {
		switch {
		case r == '\n':
		case r == utf8.RuneError, unicode.IsControl(r),
			unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Zl, unicode.Zp):
			return out[max(0, i-20):min(len(out), i+20)]
		}
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, forged) {
			return line
		}
	}
	return ""
}

// filled puts hostile text into every text below v.
func filled[T any](t *testing.T) T {
	t.Helper()
	var out T
	fill(reflect.ValueOf(&out).Elem(), 0)
	return out
}

const deepest = 7 // depth of filled values: some types contain themselves

func fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth > deepest {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() || v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(`"x"`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, depth+1)
		fill(value, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1, 0)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), depth+1)
		}
	case reflect.Interface:
		if reflect.TypeFor[error]() == v.Type() {
			v.Set(reflect.ValueOf(errors.New(hostile)))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	}
}

// silentCommands lists the commands that print no external text, apart from errors, and why.
var silentCommands = map[string]string{
	"score": "JSON lines", "completion": "a script that is compiled in", "version": "constants",
	"docs": "compiled-in pages", "plugin": "its help", "import": "its help", "new": "its help", "guard": "nothing",
	"data":         "its help",
	"plugin serve": "a plugin's handshake", "fmt": "names of files, which stand in the errors below, too",
	"plugin call": "JSON", "plugin describe": "JSON", "plugin sdk": "names that are compiled in",
	"plugin new": "names that it refuses when they are not plain",
	"new agent":  "names that it refuses when they are not plain", "play": "see the tests of host/manualpolicy",
}

// screens returns functions that show the results of commands, with hostile text in every value.
func screens(t *testing.T) map[string]func(*app) error {
	summary := func(status runstore.Status) runstore.Summary {
		s := filled[runstore.Summary](t)
		s.Status = status
		return s
	}
	entry := filled[*catalog.Entry](t)
	diagnostics := func(a *app) error {
		var d diag.Diagnostic = filled[diag.Diagnostic](t)
		d.Severity, d.Snippet.StartLine, d.Snippet.HighlightEnd = diag.Warning, 1, 3
		return a.report(diag.Diagnostics{d})
	}
	events := func(a *app) error { return a.showHostileEvents(t) }
	return map[string]func(*app) error{
		"validate": diagnostics, "plan": diagnostics, "apply": events, "resume": events, "attach": events,
		"init": func(a *app) error { a.tellAccepted(entry); return nil },
		"eval": func(a *app) error {
			return a.show(result.EvaluationOf(filled[eval.Report](t), filled[*export.Source](t)))
		},
		"ask": func(a *app) error {
			loaded, source := filled[eval.Loaded](t), filled[*export.Source](t)
			return a.show(result.AskedOf(filled[eval.Episode](t), loaded, source, true))
		},
		"debug": func(a *app) error {
			call := filled[debug.Call](t)
			call.Call.Call, call.New, call.NewTools = hostile, call.Received, call.Tools
			return errors.Join(
				a.show(result.DebugTaskOf(filled[debug.Episode](t), filled[*export.Source](t))),
				a.show(result.DebugCallOf(call)), a.show(result.DebugEndOf(filled[debug.End](t))),
				a.show(result.DebuggerOf(filled[debug.Listening](t))),
				a.show(result.LaunchOf(hostile, []string{hostile}, []string{hostile}, hostile)),
			)
		},
		"runs": func(a *app) error {
			return a.show(result.Runs{{Summary: summary(hostile)}, {Summary: summary(runstore.StatusRunning)}})
		},
		"runs set":  func(a *app) error { return a.show(filled[result.Runs](t)) },
		"runs rm":   func(a *app) error { return a.show(filled[result.Removal](t)) },
		"runs gc":   func(a *app) error { return a.show(filled[result.Removal](t)) },
		"data head": func(a *app) error { return a.show(filled[result.Tasks](t)) },
		"show": func(a *app) error {
			failures, tracked := filled[[]runstore.FailureSum](t), filled[[]runstore.Tracked](t)
			shown := result.ShownOf(summary(runstore.StatusFailed), failures, nil, tracked)
			shown.Details(hostile, hostile, map[string][]float64{hostile: {1, 2}}, true)
			return a.show(shown)
		},
		"data check": func(a *app) error { return a.show(filled[result.CheckedDatasets](t)) },
		"checkpoints": func(a *app) error {
			return a.show(result.CheckpointsOf(summary(runstore.StatusFailed), filled[[]runstore.Kept](t)))
		},
		"new spec":     func(a *app) error { return a.show(result.SpecWritten(hostile, []string{hostile}, nil)) },
		"import ajet":  func(a *app) error { return a.show(filled[result.Imported](t)) },
		"import areal": func(a *app) error { return a.show(filled[result.Imported](t)) },
		"import swift": func(a *app) error { return a.show(filled[result.Imported](t)) },
		"import trl":   func(a *app) error { return a.show(filled[result.Imported](t)) },
		"import verl":  func(a *app) error { return a.show(filled[result.Imported](t)) },
		"sweep":        func(a *app) error { return a.show(filled[result.Sweep](t)) },
		"compare":      func(a *app) error { return a.show(result.ComparisonOf(filled[*compare.Comparison](t), true)) },
		"scan":         func(a *app) error { return a.show(result.ScanOf(hostile, filled[*recorded.Result](t), "show ")) },
		"export": func(a *app) error {
			from := export.Config{Source: filled[*export.Source](t), Target: hostile}
			return a.show(result.ExportedOf(from, filled[*sdk.ExportResponse](t)))
		},
		"logs": func(a *app) error { a.tellLog(hostile, hostile); return nil },
		"ui":   func(a *app) error { return a.show(result.ServedAt(hostile, hostile)) },
		"where": func(a *app) error {
			part := filled[runstore.Part](t)
			there := part
			there.Missing = false
			return a.show(result.WhereOf(hostile, []runstore.Part{part, part, there}))
		},
		"stuck": func(a *app) error {
			step := 1
			live := result.Stuck{
				Run: hostile, Status: hostile, Live: true, Step: &step,
				Activity: control.Activity{Stage: hostile, Phase: hostile}, Waits: filled[[]control.Wait](t),
			}
			if err := a.show(live); err != nil {
				return err
			}
			return a.show(result.Stuck{Run: hostile, Reason: hostile, Next: hostile})
		},
		"top": func(a *app) error {
			run := filled[control.Running](t)
			silent := run
			run.Problem, silent.Problem = nil, errors.New(hostile)
			return a.show(result.TopOf([]control.Running{run, silent}, nil, run.Status.Since))
		},
		"stop": func(a *app) error {
			for _, s := range []runstore.Summary{summary(runstore.StatusFailed), summary(runstore.StatusFinished)} {
				if err := a.show(result.StoppedOf(s, false)); err != nil {
					return err
				}
			}
			return a.show(result.StoppedOf(summary(runstore.StatusFailed), true))
		},
		"plugin list": func(a *app) error {
			return a.show(result.PluginsOf([]*catalog.Entry{entry}))
		},
		"plugin docs": func(a *app) error {
			out := a.page()
			for line := range strings.Lines(spec.PluginReference(entry.Description)) {
				out.Line(line)
			}
			return out.Err()
		},
		"plugin test": func(a *app) error {
			report := filled[*conformance.Report](t)
			for _, status := range []conformance.Status{conformance.Failed, conformance.Skipped, conformance.Passed} {
				of := filled[conformance.Result](t)
				of.Status = status
				report.Results = append(report.Results, of)
			}
			progress := newCheckProgress(a.err, text.Terminal{})
			progress.say(filled[*conformance.Check](t), hostile)
			return a.show(result.ConformanceOf(report, &catalog.Prepared{}))
		},
		"doctor": func(a *app) error {
			report := filled[*doctor.Report](t)
			for _, group := range []doctor.Group{
				doctor.Spec, doctor.Machine, doctor.GPUs, doctor.Python, doctor.Directories, doctor.Ports, doctor.Clusters,
			} {
				f := filled[doctor.Finding](t)
				f.Group = group
				report.Findings = append(report.Findings, f)
			}
			return a.show(result.DoctorOf(report))
		},
		"schema": func(a *app) error { return a.printIndented(map[string]string{hostile: hostile}) },
	}
}

// showHostileEvents sends every event to the plain output, and to the screen.
func (a *app) showHostileEvents(t *testing.T) error {
	shown := view.NewHuman(view.Options{Out: a.out, Environ: a.environ, Version: hostile, Verbose: true, Again: hostile,
		RunDir: hostile, Now: time.Now})
	model := view.NewModel(hostile, text.Detect(a.out, a.environ).Styles)
	for _, payload := range []event.Payload{
		filled[event.RunStarted](t), filled[event.Diagnostics](t), filled[event.PluginState](t),
		filled[event.StageStarted](t), filled[event.Phase](t),
		filled[event.StepFinished](t), filled[event.ValidationFinished](t), filled[event.CheckpointCommitted](t),
		filled[event.EpisodeFinished](t),
		filled[event.Log](t), filled[event.Warning](t), filled[event.Interrupted](t), filled[event.SmokeReport](t),
		filled[event.RunFinished](t),
	} {
		e := event.Event{Time: time.Unix(1, 0), Run: hostile, Payload: payload}
		shown.Handle(e)
		model.Apply(e)
		for _, pane := range []view.Pane{view.PaneOverview, view.PaneLog, view.PaneMetrics} {
			model.Pane = pane
			for _, width := range []int{40, 80, 200} {
				if _, err := io.WriteString(a.out, model.Render(width, 40, time.Unix(2, 0))+"\n"); err != nil {
					return err
				}
			}
		}
	}
	return shown.Close()
}

// leaves returns the executable commands, by their path.
func leaves(cmd *cobra.Command, path string) map[string]*cobra.Command {
	out := map[string]*cobra.Command{}
	for _, c := range cmd.Commands() {
		name := strings.TrimSpace(path + " " + c.Name())
		if !c.Hidden || c.Name() == "guard" {
			out[name] = c
		}
		for k, v := range leaves(c, name) {
			out[k] = v
		}
	}
	return out
}

func hostileApp(coloured bool) (*app, *bytes.Buffer) {
	var out bytes.Buffer
	environ := []string{"TERM=dumb"}
	if coloured {
		environ = []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"}
	}
	shown := text.NewOutput(&out)
	return &app{in: strings.NewReader(""), out: shown, err: shown, environ: environ}, &out
}

func TestCommands_EscapeWhatTheyShow(t *testing.T) {
	shown := screens(t)
	a, _ := hostileApp(false)
	for name := range leaves(newRoot(a), "") {
		if silentCommands[name] == "" && shown[name] == nil {
			t.Errorf("nothing tests that awhost %[1]s escapes what it prints: add to screens (cmd/awhost/hostile_test.go) "+
				"%[1]q with a function that shows its result with hostile text in every value, as filled makes them; "+
				"or, where it prints nobody's text, to silentCommands the reason", name)
		}
	}
	for name, show := range shown {
		for _, coloured := range []bool{false, true} {
			a, out := hostileApp(coloured)
			if err := show(a); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			beginning := forged
			if name == "plugin docs" { // a plugin's documentation has its own lines
				beginning = "\x00"
			}
			if bad := obeyed(out.String(), coloured, beginning); bad != "" {
				t.Errorf("awhost %s, colours %t: a terminal obeys %q", name, coloured, bad)
			}
			if !strings.Contains(out.String(), "evil") {
				t.Errorf("awhost %s shows nothing of what it is given: %q", name, out)
			}
		}
	}
}

// Text that a user types or pastes must be escaped in errors.
func TestCommands_EscapeTheirArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _ := hostileApp(false)
	for name := range leaves(newRoot(a), "") {
		if name == "guard" || name == "plugin" || name == "doctor" { // the guard reads a pipe
			continue
		}
		for _, args := range [][]string{{hostile + ".hcl"}, {"--" + hostile}, {hostile, hostile, hostile, hostile}} {
			a, out := hostileApp(false)
			root := newRoot(a)
			root.SetArgs(append(strings.Fields(name), args...))
			if err := root.ExecuteContext(context.Background()); err != nil {
				a.complain(err)
			}
			if bad := obeyed(out.String(), false, forged); bad != "" {
				t.Errorf("awhost %s %q: a terminal obeys %q", name, args, bad)
			}
		}
	}
}
