package event_test

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk"
)

// everyPayload has one payload of each kind. Enums are set here; fill sets the other fields.
var everyPayload = []event.Payload{
	event.RunStarted{Mode: event.ModeResume},
	event.Diagnostics{},
	event.PluginState{State: event.PluginReady},
	event.StageStarted{},
	event.Phase{Name: "compile"},
	event.EpisodeFinished{Split: sdk.SplitTrain, Outcome: sdk.OutcomeScored},
	event.StepFinished{},
	event.ValidationFinished{},
	event.CheckpointCommitted{},
	event.Log{Level: event.LevelWarn},
	event.Warning{},
	event.Finding{Severity: event.FindingError},
	event.Interrupted{Stage: event.StopSecond},
	event.SmokeReport{Verdict: event.SmokeFail},
	event.RunFinished{Outcome: event.RunAborted},
}

func TestEveryEventFitsTheDocumentedSchema(t *testing.T) {
	schema := compileSchema(t)
	kinds := map[event.Kind]bool{}
	for _, empty := range everyPayload {
		kinds[empty.Kind()] = true
		full := reflect.New(reflect.TypeOf(empty)).Elem()
		full.Set(reflect.ValueOf(empty))
		fill(full)
		for name, payload := range map[string]event.Payload{"empty": empty, "full": full.Interface().(event.Payload)} {
			t.Run(string(empty.Kind())+"/"+name, func(t *testing.T) {
				validate(t, schema, event.Event{Time: noon, Run: "quickstart-1", Incarnation: 1, Seq: 1, Payload: payload})
			})
		}
	}
	if documented := len(schema.OneOf) - 1; len(kinds) != documented { // version is not an event
		t.Errorf("%d of %d documented kinds were checked", len(kinds), documented)
	}
}

func TestTheSchemaRefusesWhatIsNotDocumented(t *testing.T) {
	schema := compileSchema(t)
	for _, line := range []string{
		`{"type":"version","awhost":"0.1.0"}`,
		`{"type":"interrupted","time":"2026-03-01T12:00:00Z","run":"","incarnation":0,"seq":1,"stage":"third"}`,
		`{"type":"interrupted","time":"2026-03-01T12:00:00Z","run":"","incarnation":0,"seq":1,"stage":"first","extra":1}`,
		`{"type":"coffee"}`,
	} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(line)))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(value) == nil {
			t.Errorf("the schema accepts %s", line)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("..", "..", "docs", "events.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, e event.Event) {
	t.Helper()
	line, err := event.AppendLine(nil, e)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// fill sets all unset fields. Numbers get values that JSON cannot represent.
func fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
		return
	}
	switch v.Interface().(type) {
	case event.Value:
		v.Set(reflect.ValueOf(event.Known(math.Inf(1))))
		return
	case map[sdk.Outcome]int:
		v.Set(reflect.ValueOf(map[sdk.Outcome]int{sdk.OutcomeScored: 1, sdk.OutcomeCancelled: 2}))
		return
	case map[sdk.FailureClass]int:
		v.Set(reflect.ValueOf(map[sdk.FailureClass]int{sdk.FailurePolicy: 1, sdk.FailureTimeout: 2}))
		return
	case sdk.FailureClass:
		v.SetString(string(sdk.FailureReward))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"any": ["value", null]}`))
		return
	case event.Severity:
		v.SetString(string(event.SeverityWarning))
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.String() == "" {
			v.SetString("a \x1b[31m\u202e<b>\xff")
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(math.MaxInt32)
	case reflect.Float64:
		v.SetFloat(math.NaN())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}
