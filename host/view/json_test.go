package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view"
	"github.com/awhost/awhost/host/view/internal/fake"
)

func TestEveryJSONLineFitsTheDocumentedSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("..", "..", "docs", "events.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []fake.Ending{fake.Completes, fake.IsStopped, fake.Fails} {
		var out bytes.Buffer
		shown := view.New(view.Options{Format: view.FormatJSON, Out: &out, Version: "0.1.0"})
		for _, e := range fake.Run(ending) {
			shown.Handle(e)
		}
		if err := shown.Close(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for _, line := range lines {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if err := schema.Validate(value); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if want := `{"type":"version","awhost":"0.1.0","events":"1"}`; lines[0] != want {
			t.Errorf("the first line is %s", lines[0])
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"type":"run_finished",`) {
			t.Errorf("the last line is %s", last)
		}
	}
}

func TestNumbersThatAreNoneDoNotBreakJSON(t *testing.T) {
	var out bytes.Buffer
	shown := view.NewJSON(&out, "0.1.0")
	shown.Handle(event.Event{Payload: event.RunFinished{Metrics: event.Metrics{"train/reward": math.NaN(),
		"validation/success_rate": 0.5}}})
	var last struct{ Metrics map[string]*float64 }
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatal(err)
	}
	if value, ok := last.Metrics["train/reward"]; !ok || value != nil {
		t.Errorf("a metric that is NaN reads as %v", value)
	}
	if value := last.Metrics["validation/success_rate"]; value == nil || *value != 0.5 {
		t.Errorf("the adjacent metric is %v", value)
	}
}

// brokenPipe accepts some bytes and then fails.
type brokenPipe struct {
	room   int
	writes int
}

var errBroken = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	b.writes++
	if len(p) > b.room {
		return b.room, errBroken
	}
	b.room -= len(p)
	return len(p), nil
}

func TestAfterABrokenPipeNothingMoreIsWritten(t *testing.T) {
	for _, format := range []view.Format{view.FormatJSON, view.FormatPlain} {
		pipe := &brokenPipe{room: 300}
		shown := view.New(view.Options{Format: format, Out: pipe, Version: "0.1.0"})
		for _, e := range fake.Run(fake.Completes) {
			shown.Handle(e)
		}
		if err := shown.Close(); !errors.Is(err, errBroken) {
			t.Errorf("Close returned %v", err)
		}
		if pipe.writes > 10 {
			t.Errorf("%d writes after the pipe broke", pipe.writes)
		}
	}
}

// stuckPipe is a pipe without a reader.
type stuckPipe struct{ entered, leave chan struct{} }

func (s stuckPipe) Write(p []byte) (int, error) {
	select {
	case s.entered <- struct{}{}:
		<-s.leave
	case <-s.leave:
	}
	return len(p), nil
}

func TestCloseDoesNotWaitForAReaderThatIsGone(t *testing.T) {
	pipe := stuckPipe{entered: make(chan struct{}), leave: make(chan struct{})}
	shown := view.NewHuman(view.Options{Out: pipe, Version: "0.1.0"})
	handled := make(chan struct{})
	go func() {
		defer close(handled)
		shown.Handle(event.Event{Payload: event.Interrupted{Stage: event.StopFirst}})
	}()
	<-pipe.entered
	if err := shown.Close(); err == nil {
		t.Error("Close did not report that the output is stuck")
	}
	close(pipe.leave)
	<-handled
	if err := shown.Close(); err != nil {
		t.Error(err)
	}
}

func TestJSON_WithoutProgress(t *testing.T) {
	for _, without := range []bool{false, true} {
		var out bytes.Buffer
		shown := view.New(view.Options{Format: view.FormatJSON, Out: &out, Version: "0.1.0", NoProgress: without})
		shown.Handle(event.Event{Payload: event.Phase{Name: event.PhaseRollout}})
		shown.Handle(event.Event{Payload: event.StepFinished{Step: 1}})
		if err := shown.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), `"phase"`) == without || !strings.Contains(out.String(), `"step_finished"`) ||
			!strings.Contains(out.String(), `"version"`) {
			t.Errorf("without progress %t:\n%s", without, out.String())
		}
	}
}
