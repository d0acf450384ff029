package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Fixtures holds the input that only a plugin's author can provide. Everything is optional: without it, the suite uses
// the schema, an environment's own tasks, and arguments that fit its tools, and reports what it could not check.
type Fixtures struct {
	Components []ComponentFixture `json:"components"`

	path string // of the file; empty: no fixtures
	text []byte
}

// ComponentFixture describes one component.
type ComponentFixture struct {
	Kind   string          `json:"kind"` // "environment", "reward", …
	Type   string          `json:"type"`
	Config json.RawMessage `json:"config"` // a valid configuration, without network and secrets; default: {}
	// Invalid lists configurations that the plugin must reject, each with the attribute that the error must name.
	Invalid []InvalidConfig `json:"invalid"`
	// Episodes lists the episodes of an environment or agent: a task, and the policy's messages in order.
	Episodes []EpisodeFixture `json:"episodes"`
	// Items lists inputs for a reward with their expected scores.
	Items []ItemFixture `json:"items"`
	// Judges marks a reward that scores only the truth, and names the member of a task's private part that contains it
	// ("ground_truth", "answer.text"). No other answer may then score more than a wrong one.
	Judges string `json:"judges"`
	// Reveals lists the members of a task's private part that policies are meant to see.
	Reveals []string `json:"reveals"`
	// Train is the stage that an adapter trains. Without it, the suite uses its own knobs if the adapter's plan has no
	// errors.
	Train *TrainFixture `json:"train"`
	// Persuadable explains why answers that discuss their own score may score too high, for example because the reward
	// replicates another reward including its weaknesses. The check is skipped, with this as the reason.
	Persuadable string `json:"persuadable"`
	// Keeps explains why a component leaves files from each episode in its own directory. These files are then not
	// treated as left behind.
	Keeps string `json:"keeps"`
}

// TrainFixture is a stage that an adapter trains in seconds, with a checkpoint after each step.
type TrainFixture struct {
	// Knobs contains training settings under their names in the spec language. They override the suite's settings: two
	// steps of two groups of two.
	Knobs   json.RawMessage `json:"knobs"`
	Policy  json.RawMessage `json:"policy"`  // the model block; default: none
	Tasks   []TaskFixture   `json:"tasks"`   // at least four; the suite adds tasks itself
	Seconds int             `json:"seconds"` // limit for a stage; default: five times the suite's patience
}

// InvalidConfig is a configuration with an error at an attribute.
type InvalidConfig struct {
	Config json.RawMessage `json:"config"`
	Path   []string        `json:"path"`
}

// EpisodeFixture is an episode that can be run.
type EpisodeFixture struct {
	Task     TaskFixture      `json:"task"`
	Messages []MessageFixture `json:"messages"` // of the assistant, in order
	Seed     uint64           `json:"seed"`
	Tools    []ToolFixture    `json:"tools"` // offered to an agent; default: a word lookup
}

// ToolFixture is a tool offered to an agent. The suite responds to calls to it with text.
type ToolFixture struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of the arguments; default: none
}

func (f ToolFixture) wire() *awhostv1.Tool {
	tool := &awhostv1.Tool{Name: f.Name, Description: f.Description, ParametersJson: f.Parameters}
	if len(tool.GetParametersJson()) == 0 {
		tool.ParametersJson = []byte(`{"type":"object"}`)
	}
	return tool
}

// TaskFixture is a task, as two JSON objects.
type TaskFixture struct {
	ID      string          `json:"id"`
	Public  json.RawMessage `json:"public"`
	Private json.RawMessage `json:"private"`
}

func (f TaskFixture) wire() *awhostv1.Task {
	task := &awhostv1.Task{Id: f.ID, PublicJson: f.Public, PrivateJson: f.Private}
	if task.Id == "" {
		task.Id = "conformance"
	}
	if len(task.PublicJson) == 0 {
		task.PublicJson = []byte("{}")
	}
	return task
}

// MessageFixture is a message in a conversation.
type MessageFixture struct {
	Role       string        `json:"role"` // "assistant" (the default), "user", "tool" or "system"
	Text       string        `json:"text"`
	ToolCalls  []CallFixture `json:"tool_calls"`
	ToolCallID string        `json:"tool_call_id"` // for a tool's result
}

// CallFixture is a tool call.
type CallFixture struct {
	ID        string          `json:"id"` // default: a unique one
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

var roles = map[string]awhostv1.Role{
	"": awhostv1.Role_ROLE_ASSISTANT, "assistant": awhostv1.Role_ROLE_ASSISTANT, "user": awhostv1.Role_ROLE_USER,
	"tool":   awhostv1.Role_ROLE_TOOL,
	"system": awhostv1.Role_ROLE_SYSTEM,
}

// wire converts the nth message in a conversation.
func (f MessageFixture) wire(n int) *awhostv1.Message {
	m := assistant(f.Text)
	m.Role, m.ToolCallId = roles[f.Role], f.ToolCallID
	for i, call := range f.ToolCalls {
		made := &awhostv1.ToolCall{Id: call.ID, Name: call.Name, ArgumentsJson: string(call.Arguments)}
		if made.Id == "" {
			made.Id = fmt.Sprintf("call-%d-%d", n, i)
		}
		if made.ArgumentsJson == "" {
			made.ArgumentsJson = "{}"
		}
		m.ToolCalls = append(m.ToolCalls, made)
	}
	return m
}

// ItemFixture is an item together with its expected scores.
type ItemFixture struct {
	Name     string           `json:"name"`
	Task     TaskFixture      `json:"task"`
	Messages []MessageFixture `json:"messages"` // the whole conversation; default: only the answer
	Answer   string           `json:"answer"`   // the content of the last message
	State    json.RawMessage  `json:"state"`    // of the environment
	Metadata json.RawMessage  `json:"metadata"` // of the agent
	// TurnRewards contains the environment's rewards for the turns.
	TurnRewards []float64 `json:"turn_rewards"`
	Min         float64   `json:"min"`
	Max         float64   `json:"max"`
}

func (f ItemFixture) wire(n int) *awhostv1.ScoreItem {
	i := &awhostv1.ScoreItem{
		EpisodeId: fmt.Sprintf("conformance/%d", n), Task: f.Task.wire(), FinalAnswer: f.Answer,
		EnvironmentStateJson: f.State, AgentMetadataJson: f.Metadata,
		TurnRewards: f.TurnRewards,
	}
	for k, m := range f.Messages {
		i.Messages = append(i.Messages, m.wire(k))
	}
	if len(i.GetMessages()) == 0 {
		i.Messages = []*awhostv1.Message{assistant(f.Answer)}
	}
	return i
}

// check returns an error if the fixture is invalid.
func (c ComponentFixture) check() error {
	if c.Kind == "" || c.Type == "" {
		return fmt.Errorf("a component needs a kind and a type; got %q %q", c.Kind, c.Type)
	}
	conversations := [][]MessageFixture{}
	for _, e := range c.Episodes {
		conversations = append(conversations, e.Messages)
		for i, tool := range e.Tools {
			if tool.Name == "" || c.Kind != "agent" {
				return fmt.Errorf("%s.%s: tool %d of an episode (%q): only agents have tools, and each tool needs "+
					"a name",
					c.Kind, c.Type, i+1, tool.Name)
			}
		}
	}
	for _, i := range c.Items {
		conversations = append(conversations, i.Messages)
		if i.Min > i.Max {
			return fmt.Errorf("%s.%s: item %q has min %g above max %g", c.Kind, c.Type, i.Name, i.Min, i.Max)
		}
	}
	if err := c.checkJudges(); err != nil {
		return err
	}
	for _, messages := range conversations {
		for _, m := range messages {
			if _, ok := roles[m.Role]; !ok {
				return fmt.Errorf("%s.%s: the role of a message is %q; want assistant, user, tool or "+
					"system", c.Kind, c.Type,
					m.Role)
			}
		}
	}
	return nil
}

// checkJudges returns an error if a reward that judges the truth lacks either a right answer together with its truth,
// or a wrong answer.
func (c ComponentFixture) checkJudges() error {
	if c.Judges == "" {
		return nil
	}
	if c.Kind != "reward" {
		return fmt.Errorf("%s.%s: judges applies only to rewards: remove it", c.Kind, c.Type)
	}
	most := math.Inf(1)
	for _, i := range c.Items {
		most = min(most, i.Max)
	}
	for _, i := range c.Items {
		if truth := memberAt(i.Task.Private, c.Judges); truth != nil && truth != "" && i.Min > most {
			return nil
		}
	}
	return fmt.Errorf("%s.%s: judges is %q, but no item that scores higher than another has this member in its task's "+
		"private part: provide a right answer with its truth, and a wrong one", c.Kind, c.Type, c.Judges)
}

func readFixtures(path string) (*Fixtures, error) {
	if path == "" {
		return &Fixtures{}, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the fixtures: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var f Fixtures
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("read the fixtures: %s:%d: %w", path, lineOf(text, decoder.InputOffset(), err), err)
	}
	f.path, f.text = path, text
	for _, c := range f.Components {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("read the fixtures: %s: %w", path, err)
		}
	}
	return &f, nil
}

// lineOf returns the line of a decoding error, based on the most precise offset available.
func lineOf(text []byte, read int64, err error) int {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		read = syntax.Offset
	case errors.As(err, &wrong):
		read = wrong.Offset
	default: // an unknown field: search for its name
		if _, quoted, ok := strings.Cut(err.Error(), "unknown field "); ok {
			if at := bytes.Index(text, []byte(quoted)); at >= 0 {
				read = int64(at)
			}
		}
	}
	return 1 + bytes.Count(text[:min(int(read), len(text))], []byte("\n"))
}

// checkComponents returns an error for fixtures for components that the plugin does not have. They would otherwise be
// silently ignored.
func (f *Fixtures) checkComponents(known []string) error {
	for _, c := range f.Components {
		address := c.Kind + "." + c.Type
		if slices.Contains(known, address) {
			continue
		}
		line := 1
		if at := bytes.Index(f.text, []byte(`"`+c.Type+`"`)); at >= 0 {
			line += bytes.Count(f.text[:at], []byte("\n"))
		}
		return fmt.Errorf("read the fixtures: %s:%d: the plugin has no component %s; it has %s", f.path, line, address,
			strings.Join(known, ", "))
	}
	return nil
}

// of returns the fixtures of a component, or an empty value.
func (f *Fixtures) of(kind, typ string) ComponentFixture {
	for _, c := range f.Components {
		if c.Kind == kind && c.Type == typ {
			return c
		}
	}
	return ComponentFixture{Kind: kind, Type: typ}
}
