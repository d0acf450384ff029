package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/madness"
	"github.com/awhost/awhost/sdk/schema"
)

// ChecksBlock is the name of a block that every agent may have in addition to its plugin's schema.
const ChecksBlock = "checks"

// labelMadness is the label of the only supported check.
const labelMadness = "madness"

// Consequence selects what happens after a message fails its checks.
type Consequence string

// The consequences.
const (
	ThenCount Consequence = "count" // the episode continues
	ThenEnd   Consequence = "end"   // the episode ends with a failure of class POLICY that can be scored
	ThenMask  Consequence = "mask"  // the episode ends and is not trained
)

// Madness is the configuration of `checks "madness"` in an agent block: the patterns that the host looks for in
// messages.
type Madness struct {
	Profile madness.Profile `json:"profile"`
	Find    []madness.Check `json:"find"`
	Then    Consequence     `json:"then"`
	Reward  *float64        `json:"reward"` // training reward of an episode with a finding; nil: computed by the rewards
}

var checksSchema = schema.NestedBlock{Name: ChecksBlock, Nesting: schema.Map, Block: schema.Block{
	Description: "Checks on each model message. The label must be `madness`: see docs/guides/madness.md.",
	Attributes: []schema.Attribute{
		schema.String("profile", "The rule set: `awhost`, `ajet-2026-01` (AgentJet in January 2026), or "+
			"`ajet-head` (AgentJet at commit 4c03596).").Enum(madness.Profiles()...).Default(string(madness.ProfileAwhost)),
		schema.Strings("find", "The checks to run.").Enum(madness.Checks()...).
			Default([]string{string(madness.Nonsense), string(madness.WrongToolCall)}),
		schema.String("then", "Action when a check finds something: `count` it; `end` the episode, which is scored "+
			"unless on_failure \"policy\" overrides this; or end and `mask` it, so that it is not trained. "+
			"Validation episodes are never masked.").Enum(string(ThenCount), string(ThenEnd), string(ThenMask)).
			Default(string(ThenCount)),
		schema.Number("reward", "Replaces the reward of a training episode in which a check finds "+
			"something.").Example(-1),
	},
}}

// hostBlocks holds the host's nested block for each kind. A plugin's own block with the same name replaces it.
var hostBlocks = map[string]schema.NestedBlock{kindEnvironment: startSchema, kindAgent: checksSchema}

// withHostBlock adds the host's block for a kind to a plugin's schema.
func withHostBlock(kind string, sch schema.Block) (_ schema.Block, added bool) {
	own, has := hostBlocks[kind]
	taken := slices.ContainsFunc(sch.Blocks, func(n schema.NestedBlock) bool { return n.Name == own.Name }) ||
		slices.ContainsFunc(sch.Attributes, func(a schema.Attribute) bool { return a.Name == own.Name })
	if !has || taken {
		return sch, false
	}
	sch.Blocks = append(slices.Clone(sch.Blocks), own)
	return sch, true
}

// takeHostBlock removes the host's block from the plugin's configuration.
func (d *decoder) takeHostBlock(b *Block, decoded *body) {
	if b.Kind == kindEnvironment {
		d.takeServer(b, decoded)
		return
	}
	d.takeChecks(b, decoded)
}

// takeChecks removes `checks` from an agent plugin's configuration.
func (d *decoder) takeChecks(b *Block, decoded *body) {
	d.templateKwargs(decoded)
	found := decoded.blocks[ChecksBlock]
	if len(found) == 0 {
		return
	}
	var config struct {
		Checks map[string]*Madness `json:"checks"`
	}
	if err := json.Unmarshal(b.Config, &config); err != nil {
		d.fail(found[0].header, "Invalid block", asSentence(err.Error())) // accepted by the schema
		return
	}
	for _, c := range found {
		if c.label != labelMadness {
			d.fail(c.header, "Unknown checks", fmt.Sprintf("The label of checks is %q, not %q.%s",
				labelMadness, c.label, didYouMean(strings.ToLower(c.label), []string{labelMadness})))
			continue
		}
		d.checkMadness(config.Checks[labelMadness], c)
	}
	b.Madness = config.Checks[labelMadness]
	b.Config = removeAt(b.Config, [][]string{{ChecksBlock}})
}

func (d *decoder) checkMadness(m *Madness, b *body) {
	if len(m.Find) == 0 {
		d.fail(b.attrs["find"].where, "No checks", "find is empty: name "+
			oneOf(quoteAll(madness.Checks()))+". To check nothing, remove the block.")
	}
	for i, check := range m.Find {
		if slices.Contains(m.Find[:i], check) {
			d.fail(b.attrs["find"].where, "Duplicate check", quote(string(check))+" is listed twice.")
		}
	}
	if m.Then == ThenMask && m.Reward != nil {
		d.fail(b.attrs["reward"].where, "Reward for a masked episode",
			`With then = "mask" the episode is not trained and has `+
				`no reward. Remove one of the two, or use then = "end" to train the episode with this reward.`)
	}
}
