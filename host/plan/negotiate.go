package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/gateway"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// negotiate compares the spec's requirements with the plugins' capabilities.
func (p *Plan) negotiate() diag.Diagnostics {
	problems := p.checkGateway()
	for _, s := range p.Train.Stages {
		problems = append(problems, p.checkGroups(s)...)
		problems = append(problems, p.checkAgent(s)...)
		problems = append(problems, p.checkTrained(s)...)
		problems = append(problems, p.checkState(s)...)
		problems = append(problems, p.checkTasks(s)...)
		policy, found := p.policy(s)
		problems = append(problems, found...)
		stage := Stage{
			Stage: s, Policy: policy, Steps: p.steps(s),
			Prompts:      p.number(s, "batch.prompts", s.Knobs.Batch.Prompts),
			GroupSize:    p.number(s, "batch.group_size", s.Knobs.Batch.GroupSize),
			LoneSurvivor: loneSurvivor(p.Adapters[s.Adapter].Capabilities),
		}
		p.Stages = append(p.Stages, stage)
		if stage.Steps == 0 {
			problems = append(problems, p.refuse(s, []string{"adapter"}, "Missing argument", fmt.Sprintf("steps is required: "+
				"%s found no length of the training in its config. Write steps = 60, or epochs = 1.", s.Adapter))...)
		}
		problems = append(problems, p.checkPlausibility(stage)...)
		problems = append(problems, p.checkMessageMemory(stage)...)
	}
	return once(problems)
}

// steps returns a stage's maximum number of steps.
func (p *Plan) steps(s *spec.Stage) int {
	if s.Knobs.Steps != nil {
		return *s.Knobs.Steps
	}
	if s.Knobs.Epochs == nil {
		return p.number(s, "steps", nil)
	}
	prompts := p.number(s, "batch.prompts", s.Knobs.Batch.Prompts)
	if prompts == 0 {
		return max(1, p.number(s, "steps", nil))
	}
	return max(1, int(math.Ceil(*s.Knobs.Epochs*float64(p.Tasks(s.Dataset))/float64(prompts))))
}

// number returns the effective value of a knob: the value in the spec, or else the value that the adapter reports. It
// returns 0 if neither is set.
func (p *Plan) number(s *spec.Stage, knob string, written *int) int {
	if written != nil {
		return *written
	}
	answer := p.Adapters[s.Adapter]
	for _, k := range answer.Knobs {
		if k.Knob != knob || k.Key == "" {
			continue
		}
		for _, e := range answer.Effective {
			var n float64
			if (e.Key == k.Key || e.Key == s.Name+"/"+k.Key) && json.Unmarshal(e.ValueJSON, &n) == nil {
				return int(n)
			}
		}
	}
	return 0
}

// refuse returns an error located at an attribute of a stage.
func (p *Plan) refuse(s *spec.Stage, path []string, summary, detail string) diag.Diagnostics {
	return diag.Diagnostics{p.Spec.Diagnose(p.writer(s, path), path,
		diag.Diagnostic{Severity: diag.Error, Summary: summary, Detail: detail})}
}

// writer returns the block that sets a stage attribute: the stage or train.
func (p *Plan) writer(s *spec.Stage, path []string) spec.Places {
	if s.Wrote(path...) && s.At(path...) != p.Train.At(path...) {
		return s.Places
	}
	return p.Train.Places
}

// rewardPath is the path to a stage's rewards.
var rewardPath = []string{"reward"}

// groupReward returns the first reward of a stage that compares the samples of a group, or "" if none does.
func (p *Plan) groupReward(s *spec.Stage) string {
	for _, address := range s.Rewards() {
		if c := p.Component(address); c != nil && c.Description.Reward != nil && c.Description.Reward.GroupRelative {
			return address
		}
	}
	return ""
}

// checkGroups rejects settings under which an episode would wait for siblings that the adapter does not request until
// that episode has ended.
func (p *Plan) checkGroups(s *spec.Stage) diag.Diagnostics {
	c := p.Adapters[s.Adapter].Capabilities
	if c.GroupSemantics {
		return nil
	}
	address := p.groupReward(s)
	if address == "" && c.GroupOfOne == groupOfOneRaw && p.number(s, "batch.group_size", s.Knobs.Batch.GroupSize) != 1 {
		return p.refuse(s, []string{"batch", "group_size"}, "A single remaining sample would be trained by its "+
			"reward", fmt.Sprintf(
			"If all samples of a group except one fail, %s uses that sample's reward as its advantage (group_of_one = %q). "+
				"The host would hold the first sample back until a second one exists, but %s requests one sample at a time (no "+
				"group_semantics), so no group would ever continue. Set batch { group_size = 1 }, or use another "+
				"adapter.", s.Adapter, c.GroupOfOne, s.Adapter))
	}
	if address == "" {
		return nil
	}
	return p.refuse(s, rewardPath, "The adapter cannot group", fmt.Sprintf(
		"%s compares the samples of a group, and %s does not keep them together. Use another reward or another adapter.",
		address, s.Adapter))
}

// checkGateway rejects a gateway that serves other machines without TLS, or with a certificate that agents cannot
// verify.
func (p *Plan) checkGateway() diag.Diagnostics {
	elsewhere := RemoteListener(p.Train)
	if elsewhere == nil {
		return nil
	}
	if err := elsewhere.Check(); err != nil {
		return diag.Diagnostics{p.Spec.Diagnose(p.Train.Places, []string{"gateway"}, diag.Diagnostic{
			Severity: diag.Error, Summary: "Agents elsewhere are not served", Detail: err.Error() + ".",
		})}
	}
	return nil
}

// RemoteListener returns the settings for serving agents on other machines, or nil if the run does not serve them.
func RemoteListener(train *spec.Train) *gateway.RemoteListener {
	if train == nil || train.Gateway == nil {
		return nil
	}
	g := train.Gateway
	return &gateway.RemoteListener{Listen: g.Listen, Certificate: g.Certificate, Key: g.Key, Host: g.Host}
}

// checkAgent rejects an agent that cannot work as its block specifies.
func (p *Plan) checkAgent(s *spec.Stage) diag.Diagnostics {
	actor, err := p.actor(s)
	if err != nil {
		return nil // request has reported it
	}
	problems := slices.Concat(p.checkRows(s, actor), p.checkTrainsAll(s, actor), p.checkTemplateKwargs(s, actor),
		p.checkConstraints(s, actor))
	for _, a := range actor.Agents() {
		if c := p.Component(a.Block.Address); c != nil && c.Description.Agent.NeedsEnvironment && a.Body.Environment == "" {
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, nil, diag.Diagnostic{
				Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Agent without an environment",
				Detail: fmt.Sprintf("An agent of type %s needs an environment. Set environment = "+
					"environment.TYPE.NAME.",
					a.Block.Type),
			}))
		}
		problems = append(problems, p.checkPrivate(s, a)...)
		e := p.Component(a.Body.Environment)
		if e != nil && e.Description.Environment.MultiUserTurn && a.Body.Turns == turnsRefuse {
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{"turns"}, diag.Diagnostic{
				Severity: diag.Error, Summary: "Program would end before the conversation",
				Detail: fmt.Sprintf("%s may respond with another user turn, but turns = %q fails every episode with "+
					"such a turn. Set turns = \"restart\" to restart the program with it, or \"resume\" to continue "+
					"its session.", a.Body.Environment, turnsRefuse),
			}))
		}
		if _, err := gateway.ParseRules(a.Body.Auxiliary); err != nil {
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{"auxiliary"}, diag.Diagnostic{
				Severity: diag.Error, Summary: "Invalid auxiliary rule", Detail: err.Error() + ".",
			}))
		}
		problems = append(problems, p.checkServed(a)...)
	}
	return problems
}

// checkServed rejects models without an endpoint, and model names that a program cannot request.
func (p *Plan) checkServed(a *spec.Actor) (problems diag.Diagnostics) {
	check := func(attribute, address string) {
		d := diag.Diagnostic{Severity: diag.Error, Summary: "Model without an endpoint"}
		switch model := p.Spec.Blocks[address]; {
		case model == nil || model.Type != "openai":
			d.Detail = fmt.Sprintf("%s has no endpoint. Use a block model \"openai\", or remove %s.",
				address, attribute)
		case attribute == "served" && model.Name == sdk.ModelPolicy:
			d.Detail = fmt.Sprintf("Programs request the policy by the name %q. Give %s another name.", model.Name, address)
		default:
			return
		}
		problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{attribute}, d))
	}
	if a.Served() {
		check("model", a.Body.Model)
		problems = append(problems, p.checkServedKwargs(a, a.Body.Model, a.Body.TemplateKwargs)...)
	}
	targets := []string{sdk.ModelPolicy}
	for _, address := range a.Body.Served {
		check("served", address)
		targets = append(targets, address[strings.LastIndex(address, ".")+1:])
	}
	for _, pattern := range slices.Sorted(maps.Keys(a.Body.ModelNames)) {
		target, d := a.Body.ModelNames[pattern], diag.Diagnostic{Severity: diag.Error, Summary: "Invalid name of a model"}
		switch {
		case pattern == "" || slices.Contains(targets, pattern):
			d.Detail = fmt.Sprintf("A request for %q needs no entry in model_names. Remove it.", pattern)
		case slices.Contains(targets, target):
			continue
		default:
			d.Detail = fmt.Sprintf("%s is mapped to %q, which is neither %q nor the name of a model in served.", pattern, target,
				sdk.ModelPolicy)
		}
		problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{"model_names", pattern}, d))
	}
	return problems
}

// turnsRefuse is the value of an agent's turns attribute for an agent that cannot continue with another user turn.
const turnsRefuse = "refuse"

// checkTrained rejects training if all agents use served models.
func (p *Plan) checkTrained(s *spec.Stage) diag.Diagnostics {
	actor, err := p.actor(s)
	if err != nil || !actor.AllServed() {
		return nil
	}
	return p.refuse(s, []string{"agent"}, "No trained agent", fmt.Sprintf(
		"All agents of %s use served models, which are never trained. Remove model from one agent, or evaluate it with "+
			"awhost eval.", s.Agent))
}

// rowsOne is the capability of an adapter that creates one row per episode.
const rowsOne = "one"

// OneRow reports whether an adapter creates one row per episode.
func (p *Plan) OneRow(adapter string) bool {
	answer := p.Adapters[adapter]
	return answer != nil && answer.Capabilities.RowsPerEpisode == rowsOne
}

// checkRows rejects training several members with an adapter that uses only one conversation per episode. It warns if a
// single agent can have several conversations.
func (p *Plan) checkRows(s *spec.Stage, actor *spec.Actor) diag.Diagnostics {
	several := trained(s, actor)
	switch {
	case !p.OneRow(s.Adapter):
		return nil
	case len(several) < 2:
		return p.warnRows(s, actor, several)
	}
	var names []string
	for _, a := range several {
		names = append(names, a.Block.Address)
	}
	path := []string{"agent"}
	if s.Trained != nil {
		path = []string{"trained"}
	}
	return p.refuse(s, path, "The adapter trains one conversation of an episode", fmt.Sprintf(
		"%s would train %s in separate conversations, but %s makes one row of an episode (rows_per_episode = %q). Train "+
			"one of them (trained = [%s]), or use an adapter that makes several rows.",
		s.Agent, strings.Join(names, " and "), s.Adapter, rowsOne, names[0]))
}

// warnRows warns about an agent whose conversations are not all trained: a program, which may start subagents or
// rewrite its history, or a swarm member that can be called repeatedly.
func (p *Plan) warnRows(s *spec.Stage, actor *spec.Actor, trained []*spec.Actor) diag.Diagnostics {
	if len(trained) == 0 || p.Component(trained[0].Block.Address) == nil && !asksAgain(actor) {
		return nil
	}
	becomes := "the one with the most sampled tokens is trained, and the others are not"
	if p.Adapters[s.Adapter].Capabilities.TrainsAll {
		becomes = "the group of an episode with several conversations is dropped"
	}
	return diag.Diagnostics{p.Spec.Diagnose(p.writer(s, []string{"agent"}), []string{"agent"}, diag.Diagnostic{
		Severity: diag.Warning, Summary: "One conversation of an episode is trained", Detail: fmt.Sprintf(
			"%s can have several conversations in an episode, and %s makes one row of it (rows_per_episode = %q): %s. The "+
				"metric %s shows the share that is trained. To train all, use an adapter that makes several rows.",
			trained[0].Block.Address, s.Adapter, rowsOne, becomes, metric.TrainedFraction),
	})}
}

// asksAgain reports whether a swarm may call one of its members several times.
func asksAgain(a *spec.Actor) bool {
	return len(a.Calls) > 0 || len(slices.Concat(a.Stages...)) > len(a.Members) ||
		slices.ContainsFunc(a.Members, asksAgain)
}

// checkTemplateKwargs rejects arguments of the chat template that the adapter would ignore.
func (p *Plan) checkTemplateKwargs(s *spec.Stage, actor *spec.Actor) (problems diag.Diagnostics) {
	answer := p.Adapters[s.Adapter]
	if answer == nil || answer.Capabilities.SupportsTemplateKwargs() {
		return nil
	}
	const summary, name = "The adapter ignores template arguments", "chat_template_kwargs"
	detail := fmt.Sprintf("%s renders messages without chat_template_kwargs. Remove them, or use an adapter, or a mode "+
		"of it, whose capability sampling_owned includes chat_template_kwargs.", s.Adapter)
	if len(s.TemplateKwargs) > 0 {
		problems = p.refuse(s, []string{name}, summary, detail)
	}
	return append(problems, p.refuseInAgents(actor, name, summary, detail, func(a *spec.Actor) bool {
		return len(a.Body.TemplateKwargs) > 0
	})...)
}

// refuseInAgents reports an attribute of the agents that use the policy and have it.
func (p *Plan) refuseInAgents(
	actor *spec.Actor, name, summary, detail string, has func(a *spec.Actor) bool,
) (problems diag.Diagnostics) {
	for _, a := range actor.Agents() {
		if !a.Served() && has(a) {
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{name}, diag.Diagnostic{
				Severity: diag.Error, Summary: summary, Detail: detail,
			}))
		}
	}
	return problems
}

// checkConstraints rejects constraints on the policy's messages that the adapter cannot apply.
func (p *Plan) checkConstraints(s *spec.Stage, actor *spec.Actor) diag.Diagnostics {
	answer := p.Adapters[s.Adapter]
	if answer == nil || answer.Capabilities.SupportsConstraints() {
		return nil
	}
	detail := fmt.Sprintf("The engine of %s does not decode under a grammar, or the adapter does not mark the tokens "+
		"that a grammar forces, so that they would be trained (sampling_owned lacks decoding_constraints). Write "+
		"\"ignore\" to sample freely, or omit the attribute, which applies constraints to served models only.", s.Adapter)
	return p.refuseInAgents(actor, "decoding_constraints", "The adapter applies no decoding constraints", detail,
		appliesConstraints)
}

// appliesConstraints reports whether an agent applies decoding constraints to the messages of the policy.
func appliesConstraints(a *spec.Actor) bool {
	return !a.Served() && a.Body.Constraints == string(gateway.ConstraintsApply)
}

// checkServedKwargs rejects arguments of the chat template that the extra_body of the served model would replace.
func (p *Plan) checkServedKwargs(a *spec.Actor, model string, kwargs map[string]any) diag.Diagnostics {
	const name = "chat_template_kwargs"
	var own any
	var config struct {
		Extra map[string]any `json:"extra_body"`
	}
	text, err := json.Marshal(kwargs)
	block := p.Spec.Blocks[model]
	if err != nil || len(kwargs) == 0 || block == nil || json.Unmarshal(text, &own) != nil ||
		json.Unmarshal(block.Config, &config) != nil {
		return nil
	}
	if other, ok := config.Extra[name]; !ok || reflect.DeepEqual(other, own) {
		return nil
	}
	return diag.Diagnostics{p.Spec.Diagnose(a.Block.Places, []string{name}, diag.Diagnostic{
		Severity: diag.Error, Summary: "Different template arguments", Detail: fmt.Sprintf(
			"The extra_body of %s has other %s than %s, whose messages it samples: %s. Remove one of the two.",
			model, name, a.Block.Address, text),
	})}
}

// checkTrainsAll rejects settings that exclude messages from training or sample them again if the adapter's trainer
// uses all sampled messages, because the trainer could only drop the whole group each time.
func (p *Plan) checkTrainsAll(s *spec.Stage, actor *spec.Actor) (problems diag.Diagnostics) {
	if answer := p.Adapters[s.Adapter]; answer == nil || !answer.Capabilities.TrainsAll {
		return nil
	}
	const summary = "The adapter trains all sampled messages"
	for _, a := range actor.Agents() {
		switch {
		case a.Served():
		case !s.Trains(a):
			problems = append(problems, p.refuse(s, []string{"trained"}, summary, fmt.Sprintf(
				"%s uses the policy and is not in trained, but %s trains all messages that the policy generates in an episode "+
					"(trains_all): each group would be dropped. Train %s too, give it a served model, or use an adapter, or a "+
					"mode of it, that can leave messages out.", a.Block.Address, s.Adapter, a.Block.Address))...)
		case len(a.Body.Auxiliary) > 0:
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{"auxiliary"}, diag.Diagnostic{
				Severity: diag.Error, Summary: summary, Detail: fmt.Sprintf(
					"auxiliary excludes requests from training, but %s trains all messages that the policy generates in an episode "+
						"(trains_all): each group with such a request would be dropped. Write auxiliary = [] to train them, or use an "+
						"adapter, or a mode of it, that can leave messages out.", s.Adapter),
			}))
		case a.Body.Compaction == "auxiliary":
			problems = append(problems, p.Spec.Diagnose(a.Block.Places, []string{"compaction"}, diag.Diagnostic{
				Severity: diag.Error, Summary: summary, Detail: fmt.Sprintf(
					"A request that compacts a conversation would not be trained, but %s trains all messages that the policy "+
						"generates in an episode (trains_all): each group with such a request would be dropped. Remove compaction, so "+
						"that these requests are trained.", s.Adapter),
			}))
		}
	}
	for _, class := range slices.Sorted(maps.Keys(s.OnFailure)) {
		wanted := s.OnFailure[class]
		if !wanted.Set || !slices.Contains(wanted.Actions, sdk.ActionRetry) || !samplesAgain(class) {
			continue
		}
		label := strings.ToLower(string(class))
		problems = append(problems, p.refuse(s, []string{"on_failure", label, "action"}, summary, fmt.Sprintf(
			"A retry after the first message samples the episode again, but %s would train both attempts (trains_all), so "+
				"the group would be dropped. Remove retry from on_failure %q.", s.Adapter, label))...)
	}
	return problems
}

// samplesAgain reports whether retrying after a failure repeats the episode. After a reward failure only the scoring is
// repeated, and on_failure does not apply to infrastructure failures.
func samplesAgain(class sdk.FailureClass) bool {
	return class != sdk.FailureReward && class != sdk.FailureInfrastructure
}

// checkState checks that rewards can read the environment's state if they need it.
func (p *Plan) checkState(s *spec.Stage) diag.Diagnostics {
	actor, err := p.actor(s)
	if err != nil {
		return nil // request has reported it
	}
	environment := actor.Body.Environment
	for _, address := range s.Rewards() {
		if !slices.Contains(p.Component(address).Description.Reward.Needs, sdk.NeedEnvironmentState) {
			continue
		}
		if environment == "" {
			return p.refuse(s, rewardPath, "Reward without an environment", fmt.Sprintf(
				"%s looks at the environment's state, and %s has no environment. Give it one, or use another reward.", address,
				s.Agent))
		}
		if !p.Component(environment).Description.Environment.Snapshot {
			return p.refuse(s, rewardPath, "The environment does not show its state", fmt.Sprintf(
				"%s looks at the environment's state, which %s does not show. Use another reward or another environment.", address,
				environment))
		}
	}
	return nil
}

// groupOfOneRaw is the capability of an adapter that trains the only scored sample in a group on its raw reward.
const groupOfOneRaw = "raw"

// loneSurvivor returns the action with which an adapter excludes such a sample. It returns "" if that is unnecessary or
// impossible; if it is impossible, every failure ends the run.
func loneSurvivor(c sdk.AdapterCapabilities) sdk.FailureAction {
	if c.GroupOfOne != groupOfOneRaw {
		return ""
	}
	for _, action := range []sdk.FailureAction{sdk.ActionDropGroup, sdk.ActionMask} {
		if expressible(action, "", c) {
			return action
		}
	}
	return ""
}

// expressible reports whether an action can follow a failure. Adapters differ in how they handle an episode without a
// reward.
func expressible(action sdk.FailureAction, class sdk.FailureClass, c sdk.AdapterCapabilities) bool {
	switch action {
	case sdk.ActionMask:
		return c.Unscorable == "exact" || c.Unscorable == "in_baseline"
	case sdk.ActionDropSample:
		return c.Unscorable == "exact"
	case sdk.ActionDropGroup:
		return c.GroupSemantics && (c.Unscorable == "exact" || c.Unscorable == "group_lost") // the host waits for all of it
	case sdk.ActionScore:
		return class == sdk.FailurePolicy // only policy failures can be scored
	}
	return true // retry and fail_run are implemented by the host
}

func isRetry(a sdk.FailureAction) bool { return a == sdk.ActionRetry }

// policy returns on_failure without the actions that the adapter cannot express.
func (p *Plan) policy(s *spec.Stage) (rollout.Policy, diag.Diagnostics) {
	policy := rollout.DefaultPolicy()
	var problems diag.Diagnostics
	for _, class := range slices.Sorted(maps.Keys(s.OnFailure)) {
		wanted := s.OnFailure[class]
		actions, ok := p.actions(s, class, wanted)
		if !ok {
			problems = append(problems, p.inexpressible(s, class, wanted.Actions)...)
		}
		policy[class] = rollout.ClassPolicy{Actions: actions, Budget: wanted.Budget}
	}
	return policy, problems
}

// actions returns the actions for a failure class that the adapter can express. One of them must end an episode. If the
// user sets no such action, the episode is masked if possible; an impossible default ends the run.
func (p *Plan) actions(s *spec.Stage, class sdk.FailureClass, wanted spec.FailurePolicy) (can []sdk.FailureAction,
	ok bool) {
	c := p.Adapters[s.Adapter].Capabilities
	for _, a := range wanted.Actions {
		if expressible(a, class, c) {
			can = append(can, a)
		}
	}
	ends := func(actions []sdk.FailureAction) bool {
		return slices.ContainsFunc(actions, func(a sdk.FailureAction) bool { return !isRetry(a) })
	}
	switch {
	case ends(can):
		return can, true
	case !ends(wanted.Actions) && expressible(sdk.ActionMask, class, c):
		return append(can, sdk.ActionMask), true
	}
	return append(can, sdk.ActionFailRun), !wanted.Set
}

func (p *Plan) inexpressible(s *spec.Stage, class sdk.FailureClass, wanted []sdk.FailureAction) diag.Diagnostics {
	label := strings.ToLower(string(class))
	c := p.Adapters[s.Adapter].Capabilities
	return p.refuse(s, []string{"on_failure", label, "action"}, "No applicable failure action", fmt.Sprintf(
		"on_failure %q lists %s, but %s supports none of them for an episode without a reward (its rows are %q). Add a "+
			"supported action: %s.",
		label, join(wanted), s.Adapter, c.Unscorable, join(possible(class, c))))
}

// possible returns the actions that can end an episode without a reward.
func possible(class sdk.FailureClass, c sdk.AdapterCapabilities) []sdk.FailureAction {
	all := []sdk.FailureAction{sdk.ActionMask, sdk.ActionDropSample, sdk.ActionDropGroup, sdk.ActionFailRun}
	return slices.DeleteFunc(all, func(a sdk.FailureAction) bool { return !expressible(a, class, c) })
}

func join(actions []sdk.FailureAction) string {
	words := make([]string, len(actions))
	for i, a := range actions {
		words[i] = string(a)
	}
	return strings.Join(words, ", ")
}
