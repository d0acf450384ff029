// Package sdk is the package for plugin authors.
//
// A plugin is a program that serves one or more components: environments, rewards, adapters, agents. A complete
// reward plugin:
//
//	func main() {
//		sdk.Serve(sdk.Plugin{
//			Name: "exact", Version: "1.0.0",
//			Rewards: []sdk.RewardComponent{{
//				Component: sdk.Component{Type: "exact", Description: "1 if the answer equals the ground truth."},
//				Capabilities: sdk.RewardCapabilities{Needs: []sdk.Need{sdk.NeedGroundTruth}},
//				New: func(ctx context.Context, setup sdk.Setup) (sdk.Reward, error) { return exact{}, nil },
//			}},
//		})
//	}
//
// A plugin process runs as follows. The host starts one process per configured block and calls Describe once,
// ValidateConfig any number of times, Configure once (which calls New), then the methods of the component, then Stop.
// Standard input is the lifeline: when it ends, the host is gone and the process exits. The plugin's output on
// standard error becomes the log; use Setup.Log.
//
// The package does not depend on the host; it imports neither HCL nor any command-line library.
package sdk

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes a program that serves components.
type Plugin struct {
	Name         string // local name: the prefix of its component types
	Version      string // semantic version
	Environments []EnvironmentComponent
	Rewards      []RewardComponent
	Adapters     []AdapterComponent
	Agents       []AgentComponent
	// MaxMessageBytes is the largest message that the plugin takes and sends, in both directions; 0 means
	// DefaultMessageBytes. Each running call may hold that much memory in the plugin and in the host.
	MaxMessageBytes int
}

// Component holds the common fields of all kinds of components.
type Component struct {
	Type        string       // the first label of the block in the spec
	Description string       // one sentence
	Schema      schema.Block // of the block's body
	// Components and Metrics are the names that a reward may return, or that an environment or adapter may report.
	Components []string
	Metrics    []string
	// ComponentsAttribute is an attribute of the block that adds names to Components, for a reward that cannot declare
	// them: a list of strings, or a nested block with labels (schema.Map). Empty: no attribute.
	ComponentsAttribute string
	// Validate checks a configuration beyond its schema; nil means that the schema is sufficient. Unknown values are
	// absent from config.
	Validate func(ctx context.Context, config json.RawMessage) []Diagnostic
	// Probe checks whether a configuration that passed Validate will work, within the limits of probe. Nil means that
	// there is nothing to check.
	Probe func(ctx context.Context, config json.RawMessage, probe Probe) ProbeResponse
}

// ProbeResponse holds a component's findings about a configuration.
type ProbeResponse struct {
	Diagnostics []Diagnostic // notes among them are shown in the plan
	// Tools are the tools that an environment offers in every episode. The host checks the patterns of agents against
	// them. Nil means that they are unknown, or differ between episodes. See EnvironmentWithTools.
	Tools []Tool
}

// Probe limits a component's actions for checking whether a configuration will work.
type Probe string

// The probes. The zero value allows nothing.
const (
	ProbeAsk   Probe = "ask"   // it may send requests to running servers
	ProbeStart Probe = "start" // it may also start programs, and ends them before it answers
)

// EnvironmentComponent makes environments.
type EnvironmentComponent struct {
	Component
	Capabilities EnvironmentCapabilities
	New          func(ctx context.Context, setup Setup) (Environment, error)
}

// RewardComponent makes rewards.
type RewardComponent struct {
	Component
	Capabilities RewardCapabilities
	New          func(ctx context.Context, setup Setup) (Reward, error)
}

// AdapterComponent makes adapters.
type AdapterComponent struct {
	Component
	Capabilities AdapterCapabilities
	New          func(ctx context.Context, setup Setup) (Adapter, error)
}

// AgentComponent makes agents. The attributes of AgentAttributes (`description`, `environment`, `tools`, `deny`,
// `max_turns`, `max_message_tokens`, `private`, `model`) and of GatewayAttributes mean the same in all agents. The
// host implements them. An agent appends both to the attributes of its schema, and embeds AgentConfig and
// GatewayConfig in its configuration. An agent without one of the attributes does not accept it in a spec.
type AgentComponent struct {
	Component
	Capabilities AgentCapabilities
	New          func(ctx context.Context, setup Setup) (Agent, error)
}

// Setup is a component's input when it is configured.
type Setup struct {
	Config      json.RawMessage // decoded by the schema, defaults filled in; see Decode
	RunID       string
	Incarnation int
	Dir         string // the component's own directory; it exists
	Log         *slog.Logger
}

// Decode reads the configuration into a struct with JSON tags. Unknown fields are errors.
func (s Setup) Decode(into any) error { return DecodeConfig(s.Config, into) }

// Stopper is a component with work to finish: a checkpoint, a connection. The deadline is ctx's.
type Stopper interface {
	Stop(ctx context.Context, progress func(message string)) error
}

// Severity of a Diagnostic.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	// SeverityNote informs the user: the summary is shown in the plan. Only a Probe answers with it. In the summary, the
	// plan replaces {{episodes}} by the most episodes that the run has open at the same time, and {{episodes*4}} by four
	// times this number.
	SeverityNote Severity = "note"
)

// Diagnostic is a problem with a configuration, addressed to its author.
type Diagnostic struct {
	Severity Severity
	Summary  string
	Detail   string   // the remedy
	Path     []string // of the attribute, from the block inwards: {"warm_start", "steps"}
}
