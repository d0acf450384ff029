// Package sdk is the package for plugin authors.
//
// A plugin is a program that serves one or more components: environments, rewards, adapters, or agents. A complete
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
// ValidateConfig any number of times, Configure once (which calls New), then the component's methods, and finally Stop.
// Standard input is the lifeline: when it is closed, the host has exited, and the process exits as well. What the
// plugin writes to standard error becomes the log; use Setup.Log.
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
	// MaxMessageBytes is the size of the largest message that the plugin receives or sends; 0 means
	// DefaultMessageBytes. Each call in progress may hold that much memory in both the plugin and the host.
	MaxMessageBytes int
}

// Component holds the fields common to all kinds of components.
type Component struct {
	Type        string       // the first label of the block in the spec
	Description string       // one sentence
	Schema      schema.Block // of the block's body
	// Components and Metrics are the names that a reward may return, or that an environment or adapter may report.
	Components []string
	Metrics    []string
	// ComponentsAttribute is a block attribute that adds names to Components, for a reward that cannot declare them: a
	// list of strings, or a nested block with labels (schema.Map). Empty: no attribute.
	ComponentsAttribute string
	// Validate performs checks on a configuration that its schema does not; nil means that the schema is sufficient.
	// Unknown values are absent from config.
	Validate func(ctx context.Context, config json.RawMessage) []Diagnostic
	// Probe checks whether a configuration that passed Validate will work, within the limits of probe. Nil means that
	// there is nothing to check.
	Probe func(ctx context.Context, config json.RawMessage, probe Probe) ProbeResponse
}

// ProbeResponse holds a component's findings about a configuration.
type ProbeResponse struct {
	Diagnostics []Diagnostic // notes among them are shown in the plan
	// Tools contains the tools that an environment offers in every episode. The host checks agents' patterns against
	// them. Nil means that they are unknown or differ between episodes. See EnvironmentWithTools.
	Tools []Tool
}

// Probe limits what a component may do to check whether a configuration will work.
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

// AgentComponent makes agents. The attributes in AgentAttributes (`description`, `environment`, `tools`, `deny`,
// `max_turns`, `max_message_tokens`, `private`, `model`) and in GatewayAttributes mean the same in all agents. The host
// implements them. An agent appends both to its schema's attributes, and embeds AgentConfig and GatewayConfig in its
// configuration. An agent that lacks one of the attributes does not accept it in a spec.
type AgentComponent struct {
	Component
	Capabilities AgentCapabilities
	New          func(ctx context.Context, setup Setup) (Agent, error)
}

// Setup is the input that a component receives when it is configured.
type Setup struct {
	Config      json.RawMessage // decoded by the schema, defaults filled in; see Decode
	RunID       string
	Incarnation int
	Dir         string // the component's own directory; it exists
	Log         *slog.Logger
}

// Decode reads the configuration into a struct with JSON tags. Unknown fields are errors.
func (s Setup) Decode(into any) error { return DecodeConfig(s.Config, into) }

// Stopper is a component with work to finish, such as a checkpoint or a connection. The deadline is ctx's.
type Stopper interface {
	Stop(ctx context.Context, progress func(message string)) error
}

// Severity of a Diagnostic.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	// SeverityNote informs the user: the summary is shown in the plan. Only a Probe returns it. In the summary, the
	// plan replaces {{episodes}} with the maximum number of episodes that the run has open at the same time, and
	// {{episodes*4}} with four times this number.
	SeverityNote Severity = "note"
)

// Diagnostic is a problem in a configuration, addressed to the configuration's author.
type Diagnostic struct {
	Severity Severity
	Summary  string
	Detail   string   // the remedy
	Path     []string // of the attribute, from the block inwards: {"warm_start", "steps"}
}
