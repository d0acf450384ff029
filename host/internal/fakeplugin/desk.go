package fakeplugin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// deskConfig is the body of the environment block.
type deskConfig struct {
	script
	Fail  []string `json:"fail"`  // tasks that fail in Open
	Hang  []string `json:"hang"`  // tasks for which Step does not return
	Spoil []string `json:"spoil"` // tasks whose steps fail
	Lost  []string `json:"lost"`  // tasks whose first session is lost
	Kill  []string `json:"kill"`  // tasks whose steps always kill the process
	Lose  []string `json:"lose"`  // tasks whose steps always lose the session

	TakeTruth bool `json:"take_truth"` // read by the SDK
}

func deskComponent() sdk.EnvironmentComponent {
	return sdk.EnvironmentComponent{
		Component: sdk.Component{
			Type: "scripted", Description: "Adds numbers.",
			Schema: schema.Block{Description: "Adds numbers.", Attributes: append(scriptAttributes(),
				schema.Strings("fail", "Tasks that fail here."),
				schema.Strings("hang", "Tasks that never get an answer."),
				schema.Strings("spoil", "Tasks whose steps fail."),
				schema.Strings("lost", "Tasks whose first session is lost."),
				schema.Strings("kill", "Tasks that kill the process."),
				schema.Strings("lose", "Tasks whose sessions are lost, always."),
				schema.Bool("take_truth", "It gets what is private of tasks."),
			)},
			Metrics: []string{"calls"},
		},
		Capabilities: sdk.EnvironmentCapabilities{
			DeterministicUnderSeed: true, GroupSafe: true, Snapshot: true, GroundTruthAttribute: "take_truth",
		},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
			d := &desk{sessions: map[string]string{}, counts: map[string]int{}}
			return d, setup.Decode(&d.config)
		},
	}
}

// keyedComponent returns a desk that receives the answers to its tasks.
func keyedComponent() sdk.EnvironmentComponent {
	c := deskComponent()
	c.Type, c.Capabilities.Needs = "scripted_keyed", []sdk.Need{sdk.NeedGroundTruth}
	return c
}

// desk is the environment, which has one tool. The episode ends when the tool is not used.
type desk struct {
	config deskConfig

	mu       sync.Mutex
	sessions map[string]string // task by episode
	counts   map[string]int    // calls by method
}

// called counts a call, after which the script may kill the process: "step 3".
func (d *desk) called(method string) {
	d.mu.Lock()
	d.counts[method]++
	n := d.counts[method]
	d.mu.Unlock()
	d.config.at(fmt.Sprintf("%s %d", method, n))
}

// Open implements sdk.Environment.
func (d *desk) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	d.called("open")
	if slices.Contains(d.config.Fail, req.Task.ID) {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the desk is broken, says " + d.config.Token,
			Retryable: true}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sessions[req.EpisodeID] = req.Task.ID
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Tools: []sdk.Tool{{
		Name: "add", Description: "Adds two numbers.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`),
	}}}, nil
}

// Step implements sdk.Environment.
func (d *desk) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	d.called("step")
	d.mu.Lock()
	task, ok := d.sessions[req.EpisodeID]
	d.mu.Unlock()
	switch {
	case !ok, slices.Contains(d.config.Lose, task), slices.Contains(d.config.Lost, task) && d.config.once("lost "+task):
		return nil, sdk.ErrSessionLost
	case slices.Contains(d.config.Spoil, task):
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the desk is broken"}
	case slices.Contains(d.config.Kill, task):
		die()
	case slices.Contains(d.config.Hang, task):
		<-ctx.Done()
		return nil, ctx.Err()
	case len(req.Message.ToolCalls) == 0:
		return &sdk.StepResponse{Done: true}, nil
	}
	out := &sdk.StepResponse{Metrics: map[string]float64{"calls": float64(len(req.Message.ToolCalls))}}
	for _, call := range req.Message.ToolCalls {
		var n struct{ A, B int }
		result := sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name}
		if err := json.Unmarshal([]byte(call.Arguments), &n); err != nil {
			result.Content, result.IsError = err.Error(), true
		} else {
			result.Content = fmt.Sprint(n.A + n.B)
		}
		out.Messages = append(out.Messages, result)
	}
	return out, nil
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (d *desk) Snapshot(_ context.Context, episode string) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return json.Marshal(map[string]string{"task": d.sessions[episode]})
}

// Close implements sdk.Environment.
func (d *desk) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	d.called("close")
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.sessions, req.EpisodeID)
	return &sdk.CloseResponse{}, nil
}

var _ sdk.EnvironmentWithSnapshot = (*desk)(nil)
