package sdk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/schema"
)

// ComponentKind is the block kind that a component implements.
type ComponentKind string

// The component kinds, under their names in the spec.
const (
	KindEnvironment ComponentKind = "environment"
	KindReward      ComponentKind = "reward"
	KindAdapter     ComponentKind = "adapter"
	KindAgent       ComponentKind = "agent"
)

// Description is a plugin's response to Describe.
type Description struct {
	Name             string
	Version          string
	ProtocolVersions []int
	Components       []ComponentDescription
	RequiredFeatures []string
	SDK              string
	MaxMessageBytes  int64 // as declared; 0 means not declared. See MessageBytes
}

// ComponentDescription describes one of a plugin's components. Exactly one of the capabilities is set.
type ComponentDescription struct {
	Kind                ComponentKind
	Type                string
	Description         string
	Schema              schema.Block
	RewardComponents    []string
	ComponentsAttribute string // adds names to them
	Metrics             []string
	Environment         *EnvironmentCapabilities
	Reward              *RewardCapabilities
	Adapter             *AdapterCapabilities
	Agent               *AgentCapabilities
}

// Component finds a component by kind and type.
func (d *Description) Component(kind ComponentKind, typ string) (*ComponentDescription, bool) {
	for i := range d.Components {
		if c := &d.Components[i]; c.Kind == kind && c.Type == typ {
			return c, true
		}
	}
	return nil, false
}

// For returns the component as used in a block with this configuration. Its needs include the needs that the block
// adds.
func (c *ComponentDescription) For(config json.RawMessage) *ComponentDescription {
	if c.Environment == nil || !c.Environment.acceptsGroundTruth(config) {
		return c
	}
	inBlock, environment := *c, *c.Environment
	environment.Needs = environment.needsFor(config)
	inBlock.Environment = &environment
	return &inBlock
}

// acceptsGroundTruth reports whether a block sets the attribute that makes the environment require the ground truth.
func (c *EnvironmentCapabilities) acceptsGroundTruth(config json.RawMessage) bool {
	var attributes map[string]json.RawMessage
	return c.GroundTruthAttribute != "" && json.Unmarshal(config, &attributes) == nil &&
		string(bytes.TrimSpace(attributes[c.GroundTruthAttribute])) == "true"
}

func (c *EnvironmentCapabilities) needsFor(config json.RawMessage) []Need {
	if !c.acceptsGroundTruth(config) || slices.Contains(c.Needs, NeedGroundTruth) {
		return c.Needs
	}
	return append(slices.Clone(c.Needs), NeedGroundTruth)
}

// check reports errors that would otherwise only appear later, far from their cause.
func (c *ComponentDescription) check() error {
	if err := c.Schema.Check(); err != nil {
		return err
	}
	if c.Environment == nil || c.Environment.GroundTruthAttribute == "" {
		return nil
	}
	name := c.Environment.GroundTruthAttribute
	if !slices.ContainsFunc(c.Schema.Attributes, func(a schema.Attribute) bool {
		return a.Name == name && a.Type == schema.TypeBool
	}) {
		return fmt.Errorf("its ground_truth_attribute %q is not a boolean attribute of its schema", name)
	}
	return nil
}

var kinds = newEnum(map[ComponentKind]awhostv1.ComponentKind{
	KindEnvironment: awhostv1.ComponentKind_COMPONENT_KIND_ENVIRONMENT,
	KindReward:      awhostv1.ComponentKind_COMPONENT_KIND_REWARD,
	KindAdapter:     awhostv1.ComponentKind_COMPONENT_KIND_ADAPTER,
	KindAgent:       awhostv1.ComponentKind_COMPONENT_KIND_AGENT,
})

// Describe returns the plugin's description for the host.
func (p Plugin) Describe() Description {
	d := Description{
		Name: p.Name, Version: p.Version, ProtocolVersions: []int{ProtocolVersion}, SDK: "go/" + Version,
		MaxMessageBytes: int64(p.MaxMessageBytes),
	}
	for _, c := range p.Environments {
		capabilities := c.Capabilities
		d.add(KindEnvironment, c.Component, func(out *ComponentDescription) { out.Environment = &capabilities })
	}
	for _, c := range p.Rewards {
		capabilities := c.Capabilities
		d.add(KindReward, c.Component, func(out *ComponentDescription) { out.Reward = &capabilities })
	}
	for _, c := range p.Adapters {
		capabilities := c.Capabilities
		d.add(KindAdapter, c.Component, func(out *ComponentDescription) { out.Adapter = &capabilities })
	}
	for _, c := range p.Agents {
		capabilities := c.Capabilities
		d.add(KindAgent, c.Component, func(out *ComponentDescription) { out.Agent = &capabilities })
	}
	return d
}

func (d *Description) add(kind ComponentKind, c Component, capabilities func(*ComponentDescription)) {
	out := ComponentDescription{
		Kind: kind, Type: c.Type, Description: c.Description, Schema: c.Schema,
		RewardComponents: c.Components, ComponentsAttribute: c.ComponentsAttribute, Metrics: c.Metrics,
	}
	capabilities(&out)
	d.Components = append(d.Components, out)
}

func descriptionToWire(d Description) *awhostv1.DescribeResponse {
	return &awhostv1.DescribeResponse{
		Name: d.Name, Version: d.Version, Sdk: d.SDK, RequiredHostFeatures: d.RequiredFeatures,
		ProtocolVersions: mapSlice(d.ProtocolVersions, func(v int) int32 { return int32(v) }),
		Components:       mapSlice(d.Components, componentToWire),
		MaxMessageBytes:  d.MaxMessageBytes,
	}
}

func descriptionFromWire(d *awhostv1.DescribeResponse) *Description {
	return &Description{
		Name: d.GetName(), Version: d.GetVersion(), SDK: d.GetSdk(), RequiredFeatures: d.GetRequiredHostFeatures(),
		ProtocolVersions: mapSlice(d.GetProtocolVersions(), func(v int32) int { return int(v) }),
		Components:       mapSlice(d.GetComponents(), componentFromWire),
		MaxMessageBytes:  d.GetMaxMessageBytes(),
	}
}

func componentToWire(c ComponentDescription) *awhostv1.Component {
	out := &awhostv1.Component{
		Kind: kinds.toWire[c.Kind], Type: c.Type, Description: c.Description, Schema: schemaToWire(c.Schema),
		RewardComponents: c.RewardComponents, RewardComponentsAttribute: c.ComponentsAttribute, Metrics: c.Metrics,
	}
	switch {
	case c.Environment != nil:
		out.Capabilities = &awhostv1.Component_Environment{Environment: environmentCapabilitiesToWire(*c.Environment)}
	case c.Reward != nil:
		out.Capabilities = &awhostv1.Component_Reward{Reward: rewardCapabilitiesToWire(*c.Reward)}
	case c.Adapter != nil:
		out.Capabilities = &awhostv1.Component_Adapter{Adapter: adapterCapabilitiesToWire(*c.Adapter)}
	case c.Agent != nil:
		out.Capabilities = &awhostv1.Component_Agent{Agent: agentCapabilitiesToWire(*c.Agent)}
	}
	return out
}

func componentFromWire(c *awhostv1.Component) ComponentDescription {
	out := ComponentDescription{
		Kind: kinds.toGo[c.GetKind()], Type: c.GetType(), Description: c.GetDescription(),
		Schema:           schemaFromWire(c.GetSchema()),
		RewardComponents: c.GetRewardComponents(), ComponentsAttribute: c.GetRewardComponentsAttribute(),
		Metrics: c.GetMetrics(),
	}
	switch {
	case c.GetEnvironment() != nil:
		v := environmentCapabilitiesFromWire(c.GetEnvironment())
		out.Environment = &v
	case c.GetReward() != nil:
		v := rewardCapabilitiesFromWire(c.GetReward())
		out.Reward = &v
	case c.GetAdapter() != nil:
		v := adapterCapabilitiesFromWire(c.GetAdapter())
		out.Adapter = &v
	case c.GetAgent() != nil:
		v := agentCapabilitiesFromWire(c.GetAgent())
		out.Agent = &v
	}
	return out
}

var (
	formats = newEnum(map[schema.Format]awhostv1.Attribute_Format{
		schema.FormatPath: awhostv1.Attribute_FORMAT_PATH, schema.FormatDuration: awhostv1.Attribute_FORMAT_DURATION,
		schema.FormatInteger:    awhostv1.Attribute_FORMAT_INTEGER,
		schema.FormatMCPServers: awhostv1.Attribute_FORMAT_MCP_SERVERS,
	})
	onChanges = newEnum(map[schema.OnChange]awhostv1.Attribute_OnChange{
		schema.NewRun: awhostv1.Attribute_ON_CHANGE_NEW_RUN, schema.Resume: awhostv1.Attribute_ON_CHANGE_RESUME,
	})
	nestings = newEnum(map[schema.Nesting]awhostv1.NestedBlock_Nesting{
		schema.Single: awhostv1.NestedBlock_NESTING_SINGLE, schema.List: awhostv1.NestedBlock_NESTING_LIST,
		schema.Set: awhostv1.NestedBlock_NESTING_SET, schema.Map: awhostv1.NestedBlock_NESTING_MAP,
	})
)

func schemaToWire(b schema.Block) *awhostv1.Schema {
	return &awhostv1.Schema{
		Description: b.Description, Deprecated: b.Deprecated,
		Attributes: mapSlice(b.Attributes, func(a schema.Attribute) *awhostv1.Attribute {
			return &awhostv1.Attribute{
				Name: a.Name, Type: string(a.Type), Required: a.Required, DefaultJson: a.DefaultJSON,
				Format:    formats.toWire[a.Format],
				Sensitive: a.Sensitive, Deprecated: a.Deprecated, OneOf: a.OneOf, Minimum: a.Minimum, Maximum: a.Maximum,
				Unit: a.Unit, Description: a.Description, ExampleJson: a.ExampleJSON, OnChange: onChanges.toWire[a.OnChange],
				MustExist: a.MustExist,
				Presets: mapSlice(a.Presets, func(p schema.Preset) *awhostv1.Attribute_Preset {
					return &awhostv1.Attribute_Preset{Value: p.Value, DefaultsJson: p.DefaultsJSON}
				}),
			}
		}),
		Blocks: mapSlice(b.Blocks, func(n schema.NestedBlock) *awhostv1.NestedBlock {
			return &awhostv1.NestedBlock{
				Name: n.Name, Block: schemaToWire(n.Block), Nesting: nestings.toWire[n.Nesting], Min: int32(n.Min),
				Max: int32(n.Max),
			}
		}),
	}
}

func schemaFromWire(b *awhostv1.Schema) schema.Block {
	return schema.Block{
		Description: b.GetDescription(), Deprecated: b.GetDeprecated(),
		Attributes: mapSlice(b.GetAttributes(), func(a *awhostv1.Attribute) schema.Attribute {
			return schema.Attribute{
				Name: a.GetName(), Type: schema.Type(a.GetType()), Required: a.GetRequired(), DefaultJSON: a.GetDefaultJson(),
				Format: formats.toGo[a.GetFormat()], Sensitive: a.GetSensitive(), Deprecated: a.GetDeprecated(),
				OneOf:   a.GetOneOf(),
				Minimum: a.Minimum, Maximum: a.Maximum, Unit: a.GetUnit(), Description: a.GetDescription(),
				ExampleJSON: a.GetExampleJson(), OnChange: onChanges.toGo[a.GetOnChange()],
				MustExist: a.GetMustExist(),
				Presets: mapSlice(a.GetPresets(), func(p *awhostv1.Attribute_Preset) schema.Preset {
					return schema.Preset{Value: p.GetValue(), DefaultsJSON: p.GetDefaultsJson()}
				}),
			}
		}),
		Blocks: mapSlice(b.GetBlocks(), func(n *awhostv1.NestedBlock) schema.NestedBlock {
			return schema.NestedBlock{
				Name: n.GetName(), Block: schemaFromWire(n.GetBlock()), Nesting: nestings.toGo[n.GetNesting()],
				Min: int(n.GetMin()), Max: int(n.GetMax()),
			}
		}),
	}
}

func needsToWire(in []Need) []string   { return mapSlice(in, func(n Need) string { return string(n) }) }
func needsFromWire(in []string) []Need { return mapSlice(in, func(n string) Need { return Need(n) }) }

func environmentCapabilitiesToWire(c EnvironmentCapabilities) *awhostv1.EnvironmentCapabilities {
	return &awhostv1.EnvironmentCapabilities{
		MaxSessions: int64(c.MaxSessions), DeterministicUnderSeed: c.DeterministicUnderSeed, GroupSafe: c.GroupSafe,
		Snapshot: c.Snapshot,
		Tasks:    c.Tasks, MultiUserTurn: c.MultiUserTurn, Needs: needsToWire(c.Needs), ViewUrl: c.ViewURL,
		GroundTruthAttribute: c.GroundTruthAttribute,
	}
}

func environmentCapabilitiesFromWire(c *awhostv1.EnvironmentCapabilities) EnvironmentCapabilities {
	return EnvironmentCapabilities{
		MaxSessions: int(c.GetMaxSessions()), DeterministicUnderSeed: c.GetDeterministicUnderSeed(),
		GroupSafe: c.GetGroupSafe(),
		Snapshot:  c.GetSnapshot(), Tasks: c.GetTasks(), MultiUserTurn: c.GetMultiUserTurn(),
		Needs: needsFromWire(c.GetNeeds()), ViewURL: c.GetViewUrl(),
		GroundTruthAttribute: c.GetGroundTruthAttribute(),
	}
}

func rewardCapabilitiesToWire(c RewardCapabilities) *awhostv1.RewardCapabilities {
	return &awhostv1.RewardCapabilities{
		BatchSize: int64(c.BatchSize), GroupRelative: c.GroupRelative, ModelJudge: c.ModelJudge, Needs: needsToWire(c.Needs),
		TruthOptional: c.TruthOptional, TruthTypes: c.TruthTypes,
	}
}

func rewardCapabilitiesFromWire(c *awhostv1.RewardCapabilities) RewardCapabilities {
	return RewardCapabilities{
		BatchSize: int(c.GetBatchSize()), GroupRelative: c.GetGroupRelative(), ModelJudge: c.GetModelJudge(),
		Needs:         needsFromWire(c.GetNeeds()),
		TruthOptional: c.GetTruthOptional(),
		TruthTypes:    c.GetTruthTypes(),
	}
}

func adapterCapabilitiesToWire(c AdapterCapabilities) *awhostv1.AdapterCapabilities {
	return &awhostv1.AdapterCapabilities{
		TokenCustody: c.TokenCustody, RowsPerEpisode: c.RowsPerEpisode, BehaviourLogprobs: c.BehaviourLogprobs,
		PerTokenVersions: c.PerTokenVersions, Unscorable: c.Unscorable, GroupSemantics: c.GroupSemantics,
		GroupOfOne: c.GroupOfOne, Credit: c.Credit,
		TrainsAll:     c.TrainsAll,
		SamplingOwned: c.SamplingOwned, StopStrings: slices.Contains(c.SamplingOwned, "stop"), Modalities: c.Modalities,
		MaxContext: int64(c.MaxContext), MaxEpisode: durationToWire(c.MaxEpisode), Interruptible: c.Interruptible,
		Resume:      c.Resume,
		LiveMetrics: c.LiveMetrics, Evaluate: c.Evaluate, StepBarrier: c.StepBarrier, Smoke: c.Smoke, Scale: c.Scale,
		Serve: c.Serve, ExportFormats: c.ExportFormats, Recover: c.Recover, RemoteCheckpoints: c.RemoteCheckpoints,
	}
}

func adapterCapabilitiesFromWire(c *awhostv1.AdapterCapabilities) AdapterCapabilities {
	return AdapterCapabilities{
		TokenCustody: c.GetTokenCustody(), RowsPerEpisode: c.GetRowsPerEpisode(), BehaviourLogprobs: c.GetBehaviourLogprobs(),
		PerTokenVersions: c.GetPerTokenVersions(), Unscorable: c.GetUnscorable(), GroupSemantics: c.GetGroupSemantics(),
		GroupOfOne: c.GetGroupOfOne(), Credit: c.GetCredit(),
		TrainsAll:     c.GetTrainsAll(),
		SamplingOwned: samplingOwned(c), Modalities: c.GetModalities(), MaxContext: int(c.GetMaxContext()),
		MaxEpisode: durationFromWire(c.GetMaxEpisode()), Interruptible: c.GetInterruptible(), Resume: c.GetResume(),
		LiveMetrics: c.GetLiveMetrics(), Evaluate: c.GetEvaluate(), StepBarrier: c.GetStepBarrier(), Smoke: c.GetSmoke(),
		Scale: c.GetScale(),
		Serve: c.GetServe(), ExportFormats: c.GetExportFormats(), Recover: c.GetRecover(),
		RemoteCheckpoints: c.GetRemoteCheckpoints(),
	}
}

// samplingOwned returns the sampling settings that are honored, including "stop" if only stop_strings declares it.
func samplingOwned(c *awhostv1.AdapterCapabilities) []string {
	owned := c.GetSamplingOwned()
	if c.GetStopStrings() && !slices.Contains(owned, "stop") {
		return append(owned[:len(owned):len(owned)], "stop")
	}
	return owned
}

func diagnosticsToWire(in []Diagnostic) []*awhostv1.Diagnostic {
	return mapSlice(in, func(d Diagnostic) *awhostv1.Diagnostic {
		return &awhostv1.Diagnostic{
			Severity: severities.toWire[d.Severity], Summary: d.Summary, Detail: d.Detail,
			Attribute: &awhostv1.Path{Steps: d.Path},
		}
	})
}

func diagnosticsFromWire(in []*awhostv1.Diagnostic) []Diagnostic {
	return mapSlice(in, func(d *awhostv1.Diagnostic) Diagnostic {
		severity := severities.toGo[d.GetSeverity()]
		if severity == "" {
			severity = SeverityError
		}
		return Diagnostic{Severity: severity, Summary: d.GetSummary(), Detail: d.GetDetail(),
			Path: d.GetAttribute().GetSteps()}
	})
}

// ProtocolError reports that a plugin supports different versions of the plugin protocol than this SDK.
type ProtocolError struct {
	Supported []int // empty: unknown
}

// Error implements error.
func (e *ProtocolError) Error() string {
	return fmt.Sprintf("unsupported protocol versions %v, this host supports %d: "+
		"use matching releases of the plugin and of awhost", e.Supported, ProtocolVersion)
}

// protocolVersions reads only the protocol versions from a description, because in other versions the rest may have any
// form. Nil means that they are unknown.
func protocolVersions(text []byte) []int {
	var said struct {
		Versions []int `json:"protocolVersions"`
		AsNamed  []int `json:"protocol_versions"` // also allowed by protobuf's JSON mapping
	}
	if json.Unmarshal(text, &said) != nil {
		return nil
	}
	return append(said.Versions, said.AsNamed...)
}

// ParseDescription reads the output of `PROGRAM describe`. It returns a ProtocolError for a plugin that uses another
// protocol version.
func ParseDescription(text []byte) (*Description, error) {
	if speaks := protocolVersions(text); len(speaks) > 0 && !slices.Contains(speaks, ProtocolVersion) {
		return nil, &ProtocolError{Supported: speaks}
	}
	var wire awhostv1.DescribeResponse
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, &wire); err != nil {
		return nil, fmt.Errorf("read the plugin's description: %w", err)
	}
	d := descriptionFromWire(&wire)
	if d.Name == "" || len(d.Components) == 0 {
		return nil, fmt.Errorf("read the plugin's description: no name or no component")
	}
	if !slices.Contains(d.ProtocolVersions, ProtocolVersion) {
		return nil, &ProtocolError{Supported: d.ProtocolVersions}
	}
	for _, c := range d.Components {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s %q: %w", c.Kind, c.Type, err)
		}
	}
	return d, nil
}

// FormatDescription returns text that ParseDescription can read.
func FormatDescription(d Description) ([]byte, error) {
	return protojson.MarshalOptions{Multiline: true}.Marshal(descriptionToWire(d))
}
