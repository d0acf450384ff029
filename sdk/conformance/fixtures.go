package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
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
	// Persuadable explains why answers that discuss their own score, or repeat a right answer, may score too high, for
	// example because the reward replicates another reward including its weaknesses. The checks RWD-FORGE-01 and -03,
	// RWD-REPEAT-01, and RWD-TRUTH-01 are skipped, with this as the reason.
	Persuadable string `json:"persuadable"`
	// Keeps explains why a component leaves files from each episode in its own directory. These files are then not
	// treated as left behind.
	Keeps string `json:"keeps"`

	file  *Fixtures // nil: the component has no fixtures
	index int       // in Components
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

	place string // where the task is from
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
		return fmt.Errorf("%s: a component needs a kind and a type; got %q %q", c.at(), c.Kind, c.Type)
	}
	for n, e := range c.Episodes {
		if err := c.checkRoles(e.Messages, "episodes", n); err != nil {
			return err
		}
		for i, tool := range e.Tools {
			if tool.Name == "" || c.Kind != "agent" {
				return fmt.Errorf("%s: only agents have tools, and each tool needs a name; got %q",
					c.at("episodes", n, "tools", i), tool.Name)
			}
		}
	}
	for n, i := range c.Items {
		if err := c.checkRoles(i.Messages, "items", n); err != nil {
			return err
		}
		if i.Min > i.Max {
			return fmt.Errorf("%s: item %q has min %g above max %g", c.at("items", n), i.Name, i.Min, i.Max)
		}
	}
	return c.checkJudges()
}

// checkRoles returns an error if a message of the n-th episode or item has an unknown role.
func (c ComponentFixture) checkRoles(messages []MessageFixture, list string, n int) error {
	for i, m := range messages {
		if _, ok := roles[m.Role]; !ok {
			return fmt.Errorf("%s: the role of a message is %q; want assistant, user, tool or system",
				c.at(list, n, "messages", i, "role"), m.Role)
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
		return fmt.Errorf("%s: judges applies only to rewards: remove it", c.at("judges"))
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
	return fmt.Errorf("%s: judges is %q, but no item that scores higher than another has this member in its task's "+
		"private part: provide a right answer with its truth, and a wrong one", c.at("judges"), c.Judges)
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
		line, problem := sdk.DescribeDecodeError(text, err)
		return nil, fmt.Errorf("read the fixtures: %s:%d: %s", path, line, problem)
	}
	f.path, f.text = path, text
	for i := range f.Components {
		c := &f.Components[i]
		c.file, c.index = &f, i
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("read the fixtures: %w", err)
		}
	}
	return &f, nil
}

// checkComponents returns an error for fixtures for components that the plugin does not have. They would otherwise be
// silently ignored.
func (f *Fixtures) checkComponents(known []string) error {
	for _, c := range f.Components {
		if address := c.Kind + "." + c.Type; !slices.Contains(known, address) {
			return fmt.Errorf("read the fixtures: %s: the plugin has no component %s; it has %s", c.at("type"), address,
				strings.Join(known, ", "))
		}
	}
	return nil
}

// at returns the file, the line, and the name of an entry, such as "conformance.json:12 (episodes[0].task)". If the
// entry is missing, the line is the last one of the entry that lacks it. Without a file it returns "the fixtures".
func (c ComponentFixture) at(path ...any) string {
	if c.file == nil {
		return "the fixtures"
	}
	decoder := json.NewDecoder(bytes.NewReader(c.file.text)) // the text is valid
	for _, step := range append([]any{"components", c.index}, path...) {
		_, _ = decoder.Token() // [ or {
		found := false
		for n := 0; !found && decoder.More(); n++ {
			name := any(n)
			if _, isName := step.(string); isName {
				name, _ = decoder.Token()
			}
			if found = name == step; !found {
				var skipped json.RawMessage
				_ = decoder.Decode(&skipped)
			}
		}
		if !found {
			break
		}
	}
	_, _ = decoder.Token()
	place := fmt.Sprintf("%s:%d", c.file.path, 1+bytes.Count(c.file.text[:decoder.InputOffset()], []byte("\n")))
	if len(path) == 0 {
		return place
	}
	name := ""
	for _, step := range path {
		if n, isNumber := step.(int); isNumber {
			name += fmt.Sprintf("[%d]", n)
		} else {
			name += fmt.Sprintf(".%s", step)
		}
	}
	return fmt.Sprintf("%s (%s)", place, strings.TrimPrefix(name, "."))
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
