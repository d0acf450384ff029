package sdk

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/schema"
)

// filler gives every field of a value a distinct content, so that a field that is lost or swapped on the wire is
// found.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case json.RawMessage:
		v.SetBytes([]byte(fmt.Sprintf(`{"n":%d}`, f.n)))
		return
	case time.Duration:
		v.SetInt(int64(f.n) * int64(time.Millisecond))
		return
	case Role:
		v.SetString(string(RoleAssistant))
		return
	case AttachmentKind:
		v.SetString(string(AttachmentAudio))
		return
	case Attachment: // it has one body, and only records set its file
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Text" && name != "JSON" && name != "File" {
				f.fill(v.Field(i))
			}
		}
		return
	case Split:
		v.SetString(string(SplitValidation))
		return
	case FailureClass:
		v.SetString(string(FailureReward))
		return
	case Outcome:
		v.SetString(string(OutcomeTruncated))
		return
	case FinishReason:
		v.SetString(string(FinishLength))
		return
	case Consumption:
		v.SetString(string(ConsumedStale))
		return
	case ComponentKind:
		v.SetString(string(KindReward))
		return
	case schema.Format:
		v.SetString(string(schema.FormatPath))
		return
	case schema.OnChange:
		v.SetString(string(schema.Resume))
		return
	case schema.Nesting:
		v.SetString(string(schema.Map))
		return
	case schema.Block:
		if f.n > 400 { // blocks nest: stop at some depth
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d é", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint64:
		v.SetUint(1<<63 + uint64(f.n))
	case reflect.Uint8:
		v.SetUint(uint64(f.n % 256))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(f.n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
		if v.Type() == reflect.TypeFor[Image]() {
			v.FieldByName("TextAfter").SetInt(2) // a valid position in the text
		}
	}
}

func filled[T any]() T {
	var v T
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	return v
}

func roundTrip[T any](t *testing.T, name string, there func(T) (T, error), adjust ...func(*T)) {
	t.Helper()
	want := filled[T]()
	for _, a := range adjust {
		a(&want)
	}
	got, err := there(want)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s changed on the wire (-sent +received):\n%s", name, diff)
	}
}

// Every type must survive the conversion to its message and back.
func TestWire_KeepsEveryField(t *testing.T) {
	roundTrip(t, "Message", func(v Message) (Message, error) { return messageFromWire(messageToWire(v)), nil })
	roundTrip(t, "Tool", func(v []Tool) ([]Tool, error) { return toolsFromWire(toolsToWire(v)), nil })
	roundTrip(t, "Task", func(v Task) (Task, error) { return taskFromWire(taskToWire(v)), nil })
	roundTrip(t, "Failure", func(v *Failure) (*Failure, error) { return failureFromWire(failureToWire(v)), nil })
	roundTrip(t, "EpisodeRequest", func(v EpisodeRequest) (EpisodeRequest, error) {
		return episodeRequestFromWire(episodeRequestToWire(v)), nil
	}, func(v *EpisodeRequest) { v.DatasetIndex = 0 }) // a request has a task or an index
	roundTrip(t, "EpisodeResult", func(v *EpisodeResult) (*EpisodeResult, error) {
		return episodeResultFromWire(episodeResultToWire(v)), nil
	})
	roundTrip(t, "GenerateRequest", func(v GenerateRequest) (GenerateRequest, error) {
		return generateRequestFromWire(generateRequestToWire(v)), nil
	})
	roundTrip(t, "GenerateResponse", func(v *GenerateResponse) (*GenerateResponse, error) {
		return generateResponseFromWire(generateResponseToWire(v)), nil
	}, func(v **GenerateResponse) { (*v).Drift = "FORK" })
	roundTrip(t, "ScoreRequest", func(v ScoreRequest) (ScoreRequest,
		error) {
		return scoreRequestFromWire(scoreRequestToWire(v)), nil
	})
	roundTrip(t, "Scored value", func(v Scored) (Scored, error) { return scoredFromWire(scoredToWire(v)), nil },
		func(v *Scored) { v.Failure = nil })
	roundTrip(t, "TrainRequest", func(v TrainRequest) (TrainRequest, error) {
		wire, err := trainRequestToWire(v)
		if err != nil {
			return v, err
		}
		return trainRequestFromWire(wire)
	})
	roundTrip(t, "PlanRequest", func(v PlanRequest) (PlanRequest, error) {
		wire, err := planRequestToWire(v)
		if err != nil {
			return v, err
		}
		return planRequestFromWire(wire)
	})
	roundTrip(t, "PlanResponse", func(v *PlanResponse) (*PlanResponse, error) {
		return planResponseFromWire(planResponseToWire(v)), nil
	}, func(v **PlanResponse) {
		for i := range (*v).Diagnostics {
			(*v).Diagnostics[i].Severity = SeverityWarning
		}
	})
	roundTrip(t, "Description", func(v *Description) (*Description, error) {
		return descriptionFromWire(descriptionToWire(*v)), nil
	}, func(v **Description) {
		for i := range (*v).Components { // each has one kind of capabilities
			c := &(*v).Components[i]
			c.Reward, c.Adapter, c.Agent = nil, nil, nil
		}
	})
	capabilities := filled[AdapterCapabilities]()
	if diff := cmp.Diff(capabilities, adapterCapabilitiesFromWire(adapterCapabilitiesToWire(capabilities))); diff != "" {
		t.Errorf("AdapterCapabilities:\n%s", diff)
	}
	agents := filled[AgentCapabilities]()
	if diff := cmp.Diff(agents, agentCapabilitiesFromWire(agentCapabilitiesToWire(agents))); diff != "" {
		t.Errorf("AgentCapabilities:\n%s", diff)
	}
	roundTrip(t, "AgentRequest", func(v AgentRequest) (AgentRequest, error) {
		return agentRequestFromWire(agentRequestToWire("lease", v)), nil
	}, func(v *AgentRequest) { v.Task.Private = nil }) // agents do not receive it
	roundTrip(t, "AgentResponse", func(v *AgentResponse) (*AgentResponse, error) {
		wire, err := agentResponseToWire(v)
		if err != nil {
			return nil, err
		}
		return agentResponseFromWire(wire)
	})
	roundTrip(t, "ModelRequest", func(v ModelRequest) (ModelRequest, error) {
		return modelRequestFromWire(modelRequestToWire("lease", v)), nil
	})
	roundTrip(t, "ModelReply", func(v *ModelReply) (*ModelReply, error) {
		return modelReplyFromWire(modelReplyToWire(v)),
			nil
	})
	rewards := filled[RewardCapabilities]()
	if diff := cmp.Diff(rewards, rewardCapabilitiesFromWire(rewardCapabilitiesToWire(rewards))); diff != "" {
		t.Errorf("RewardCapabilities:\n%s", diff)
	}
}

// One event of each kind must survive the conversion.
func TestWire_TrainEvents(t *testing.T) {
	all := filled[TrainEvent]()
	all.Finished.Outcome = FinishedStopped
	events := []TrainEvent{
		{Phase: all.Phase}, {Metrics: all.Metrics}, {Consumed: all.Consumed}, {Checkpoint: all.Checkpoint},
		{Log: all.Log}, {Handle: all.Handle}, {Finished: all.Finished},
	}
	for i, want := range events {
		want.Seq = uint64(i + 1)
		wire, err := trainEventToWire(want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, trainEventFromWire(wire)); diff != "" {
			t.Errorf("event %d:\n%s", i, diff)
		}
	}
	if _, err := trainEventToWire(TrainEvent{}); err == nil {
		t.Error("an empty event was accepted")
	}
}

// A plugin in another language may offer tools that the SDK's server refuses.
func TestCheckOpened_ToolNames(t *testing.T) {
	for want, tools := range map[string][]*awhostv1.Tool{
		`tools: the environment offers two tools named "add"`: {{Name: "add"}, {Name: "add"}},
		"tools: the environment offers a tool without a name": {{}},
	} {
		if err := checkOpenResponse(&awhostv1.OpenResponse{Tools: tools}); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
