package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// typeMembers is the type of a swarm's members: agents and swarms, and lists of them.
const typeMembers schema.Type = "members"

// The types of swarms.
const (
	swarmWorkflow = "workflow"
	swarmHandoff  = "handoff"
	swarmTeam     = "team"
)

func swarmTypes() map[string]builtin {
	of := func(kind, description, members string) builtin {
		check := func(d *decoder, b *body) { checkSwarm(d, b, kind) }
		attributes := []schema.Attribute{
			schema.Attribute{Name: "members", Type: typeMembers, Description: members}.Require(),
			schema.String("description", "Description shown to other members if this swarm is itself a member."),
			schema.Integer("max_turns", "Maximum number of assistant messages of all members combined. Default: "+
				"each member's own limit.").
				AtLeast(1),
		}
		if kind != swarmWorkflow {
			attributes = append(attributes, schema.Integer("max_hops",
				"Maximum number of member calls per episode. Exceeding it is a policy "+
					"failure.").Default(20).Range(1, 10000))
		}
		return builtin{check: check, schema: schema.Block{Description: description, Attributes: attributes}}
	}
	return map[string]builtin{
		swarmWorkflow: of(swarmWorkflow,
			"Agents in sequence: each receives the question and the previous answers. The last agent gives the "+
				"swarm's answer.",
			"Agents and swarms, in order. Members in an inner list do not receive each other's answers: [a, [b, c], "+
				"d]."),
		swarmHandoff: of(swarmHandoff,
			"Agents that hand over control with a tool call. An answer without a tool call ends the episode.",
			"Pairs in which the first agent may hand over control to the second: [[a, b], [b, c], [c, a]]. The "+
				"first agent of the first pair starts."),
		swarmTeam: of(swarmTeam, "A leader that calls the other members as tools and continues with their answers.",
			"The leader and the members that it may call. A pair allows a member to call another member: [leader, a, [b, c]]."),
	}
}

// member is an element in a swarm's members, or in a list among them.
type member struct {
	node *node
	path []string
}

// topology holds the elements in members, each as a list.
type topology struct {
	elements [][]member
	lists    []bool // elements that were written as lists
}

func topologyOf(v cty.Value) topology {
	var out topology
	for i, element := range unmarked(v).AsValueSlice() {
		path := []string{"members", strconv.Itoa(i)}
		if n, ok := asReference(element); ok {
			out.elements, out.lists = append(out.elements, []member{{n, path}}), append(out.lists, false)
			continue
		}
		var list []member
		for j, inner := range element.AsValueSlice() {
			n, _ := asReference(inner)
			list = append(list, member{n, append(slices.Clone(path), strconv.Itoa(j))})
		}
		out.elements, out.lists = append(out.elements, list), append(out.lists, true)
	}
	return out
}

// all returns the members without duplicates.
func (t topology) all() []member {
	var out []member
	for _, m := range slices.Concat(t.elements...) {
		if !slices.ContainsFunc(out, func(o member) bool { return o.node == m.node }) {
			out = append(out, m)
		}
	}
	return out
}

func checkSwarm(d *decoder, b *body, kind string) {
	w, ok := b.attrs["members"]
	if !ok || w.value.IsNull() || d.failed {
		return // already reported
	}
	t := topologyOf(w.value)
	fail := func(at []string, summary, detail string) { d.fail(w.at(at[1:]...), summary, detail) }
	if problem := t.malformed(kind); problem != "" {
		d.fail(w.where, "Malformed swarm", problem)
		return
	}
	names, environment := map[string]*node{}, (*node)(nil)
	for _, m := range t.all() {
		name := nameOf(m.node)
		if first := names[name]; first != nil {
			fail(m.path, "Duplicate member name", fmt.Sprintf(
				"%s and %s have the same block name, %s, which must identify a member. Rename one of them.",
				first.address, m.node.address, name))
			return
		}
		names[name] = m.node
		if kind != swarmWorkflow && !toolName.MatchString(name) {
			fail(m.path, "Invalid member name", fmt.Sprintf(
				"Other members call %s as a tool with its name. Models accept only tool names of letters, digits, _, and -, up "+
					"to 64 characters. Rename the block.", m.node.address))
		}
		acts := d.actsIn(m.node)
		if acts == nil {
			continue
		}
		if environment != nil && acts != environment {
			fail(m.path, "Two environments in a swarm", fmt.Sprintf(
				"%s acts in %s, but an earlier member acts in %s. The members of a swarm share one environment. Remove "+
					"environment from members that do not act.", m.node.address, acts.address, environment.address))
			return
		}
		environment = acts
	}
}

// toolName matches the tool names that model APIs accept.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func nameOf(n *node) string { return n.address[strings.LastIndexByte(n.address, '.')+1:] }

// malformed describes an error in the structure of members. It returns an empty string if the structure is valid.
func (t topology) malformed(kind string) string {
	last := len(t.elements) - 1
	if last < 0 {
		return "A swarm must have at least one member."
	}
	for i, list := range t.elements {
		switch {
		case len(list) == 0:
			return "A list in members is empty."
		case kind == swarmHandoff && (!t.lists[i] || len(list) != 2 || list[0].node == list[1].node):
			return fmt.Sprintf("Element %d of members is not a pair. Write [[a, b], [b, c]]: the first of a pair may hand "+
				"over to the second.", i+1)
		case kind == swarmTeam && i == 0 && t.lists[i]:
			return "The first element of members is the leader and must not be a pair: [leader, a, [b, c]]."
		case kind == swarmTeam && t.lists[i] && (len(list) != 2 || list[0].node == list[1].node):
			return fmt.Sprintf("Element %d of members is not a pair. Write [b, c] to allow b to call c.", i+1)
		}
	}
	if kind == swarmWorkflow && len(t.elements[last]) != 1 {
		return "The last element has several members, but one member must give the swarm's answer. Add a last member that " +
			"receives their answers."
	}
	if kind == swarmWorkflow && len(t.all()) != len(slices.Concat(t.elements...)) {
		return "A member is listed twice in members. For a second turn, declare another agent."
	}
	if kind == swarmHandoff {
		if name := t.uncalled(); name != "" {
			return fmt.Sprintf("No reachable member hands over to %s. Add a pair that ends with %s, or remove it.", name, name)
		}
	}
	if kind == swarmTeam {
		if name := t.repeated(); name != "" {
			return fmt.Sprintf("%s is listed twice in members. Remove one of the two.", name)
		}
		if circle := circleIn(calls(kind, t), nameOf(t.elements[0][0].node), nil); circle != nil {
			return fmt.Sprintf("%s: a member of a team must not call a member that is waiting for an answer. Use swarm "+
				"\"handoff\" for cycles.", strings.Join(circle, " → "))
		}
	}
	return ""
}

// uncalled returns a handoff member that never gets control, or an empty string.
func (t topology) uncalled() string {
	called := map[*node]bool{t.elements[0][0].node: true}
	for range t.elements { // each round finds at least the next member of a chain
		for _, pair := range t.elements {
			called[pair[1].node] = called[pair[1].node] || called[pair[0].node]
		}
	}
	for _, m := range t.all() {
		if !called[m.node] {
			return nameOf(m.node)
		}
	}
	return ""
}

// repeated returns a member that is listed on its own twice, or an empty string.
func (t topology) repeated() string {
	alone := map[*node]bool{}
	for i, list := range t.elements {
		if t.lists[i] {
			continue
		}
		if alone[list[0].node] {
			return nameOf(list[0].node)
		}
		alone[list[0].node] = true
	}
	return ""
}

// circleIn returns a path from a member to itself, or nil.
func circleIn(calls map[string][]string, name string, way []string) []string {
	if at := slices.Index(way, name); at >= 0 {
		return append(slices.Clone(way[at:]), name)
	}
	for _, next := range calls[name] {
		if found := circleIn(calls, next, append(slices.Clone(way), name)); found != nil {
			return found
		}
	}
	return nil
}

// calls returns the members that each member may call, by name.
func calls(kind string, t topology) map[string][]string {
	out := map[string][]string{}
	add := func(from, to member) {
		if name := nameOf(to.node); !slices.Contains(out[nameOf(from.node)], name) {
			out[nameOf(from.node)] = append(out[nameOf(from.node)], name)
		}
	}
	for i, list := range t.elements {
		switch {
		case kind == swarmHandoff:
			add(list[0], list[1])
		case kind == swarmTeam && i > 0:
			if list[0].node != t.elements[0][0].node { // the first of a pair may be the leader
				add(t.elements[0][0], list[0])
			}
			if len(list) == 2 {
				add(list[0], list[1])
			}
		}
	}
	return out
}

// actsIn returns a member's environment, or nil.
func (d *decoder) actsIn(n *node) *node {
	if n.block == nil {
		return nil
	}
	for _, address := range n.block.Refs {
		inner := d.nodes[address]
		switch {
		case inner == nil:
		case inner.kind == kindEnvironment:
			return inner
		case n.kind == kindSwarm:
			if acts := d.actsIn(inner); acts != nil {
				return acts
			}
		}
	}
	return nil
}

// AgentBody is the configuration of a react agent, and the host's part of a plugin agent's configuration.
type AgentBody struct {
	sdk.AgentConfig
	sdk.GatewayConfig        // for a plugin's agent
	SystemPrompt      string `json:"system_prompt"`
	OnMalformed       string `json:"on_malformed"`
	Turns             string `json:"turns"` // for a program: its behavior on another turn of the environment's user
}

// Actor is the agent or swarm that runs a stage's episodes.
type Actor struct {
	Block *Block
	Body  AgentBody // for a swarm: its description, the environment of its members and their turns

	Members []*Actor            // for a swarm, in the order of their first occurrence
	Stages  [][]string          // for a workflow: names
	Calls   map[string][]string // for a handoff and a team: the members that a member may call
	MaxHops int
}

// Actor returns the agent or swarm at an address in this spec.
func (s *Spec) Actor(address string) (*Actor, error) {
	block := s.Blocks[address]
	if block == nil {
		return nil, fmt.Errorf("there is no %s", address)
	}
	out := &Actor{Block: block}
	if block.Kind != kindSwarm {
		if err := json.Unmarshal(block.Config, &out.Body); err != nil {
			return nil, fmt.Errorf("read %s: %w", address, err)
		}
		return out, nil
	}
	return out, s.readSwarm(out)
}

func (s *Spec) readSwarm(out *Actor) error {
	var body struct {
		Members     []json.RawMessage `json:"members"`
		Description string            `json:"description"`
		MaxHops     int               `json:"max_hops"`
		MaxTurns    int               `json:"max_turns"`
	}
	if err := json.Unmarshal(out.Block.Config, &body); err != nil {
		return fmt.Errorf("read %s: %w", out.Block.Address, err)
	}
	out.Body.Description, out.Body.MaxTurns, out.MaxHops = body.Description, body.MaxTurns, body.MaxHops
	t := topology{}
	for _, raw := range body.Members {
		var addresses []string
		list := json.Unmarshal(raw, &addresses) == nil
		if !list {
			addresses = make([]string, 1)
			if err := json.Unmarshal(raw, &addresses[0]); err != nil {
				return fmt.Errorf("read members of %s: %w", out.Block.Address, err)
			}
		}
		var element []member
		for _, address := range addresses {
			element = append(element, member{node: &node{address: address}})
		}
		t.elements, t.lists = append(t.elements, element), append(t.lists, list)
	}
	return s.takeMembers(out, t.joined())
}

// joined uses the same node for all members with the same address, so that they can be compared.
func (t topology) joined() topology {
	nodes := map[string]*node{}
	for _, list := range t.elements {
		for i := range list {
			if nodes[list[i].node.address] == nil {
				nodes[list[i].node.address] = list[i].node
			}
			list[i].node = nodes[list[i].node.address]
		}
	}
	return t
}

func (s *Spec) takeMembers(out *Actor, t topology) error {
	for _, m := range t.all() {
		inner, err := s.Actor(m.node.address)
		if err != nil {
			return fmt.Errorf("read members of %s: %w", out.Block.Address, err)
		}
		out.Members = append(out.Members, inner)
		if out.Body.Environment == "" {
			out.Body.Environment = inner.Body.Environment
		}
	}
	if out.Block.Type != swarmWorkflow {
		out.Calls = calls(out.Block.Type, t)
		return nil
	}
	for _, list := range t.elements {
		var stage []string
		for _, m := range list {
			stage = append(stage, nameOf(m.node))
		}
		out.Stages = append(out.Stages, stage)
	}
	return nil
}

// IsSwarm reports whether the actor has members.
func (a *Actor) IsSwarm() bool { return a.Block.Kind == kindSwarm }

// Agents returns the actor's agents: the actor itself, or all members, including members of nested swarms.
func (a *Actor) Agents() []*Actor {
	if !a.IsSwarm() {
		return []*Actor{a}
	}
	var out []*Actor
	for _, m := range a.Members {
		for _, inner := range m.Agents() {
			if !slices.ContainsFunc(out, func(o *Actor) bool { return o.Block == inner.Block }) {
				out = append(out, inner)
			}
		}
	}
	return out
}

// Served reports whether an agent uses a served model instead of the policy.
func (a *Actor) Served() bool { return a.Body.Model != "" }

// AllServed reports whether no agent needs the policy.
func (a *Actor) AllServed() bool {
	return !slices.ContainsFunc(a.Agents(), func(o *Actor) bool { return !o.Served() })
}

// Member returns the model owner's name for an agent, such as "react.solver".
func (a *Actor) Member() string { return a.Block.Type + "." + a.Block.Name }

// actor returns a stage's actor, or nil if its block has errors.
func (t *trainer) actor(stage *Stage) *Actor {
	if stage.Agent == "" {
		return nil
	}
	known := &Spec{Blocks: map[string]*Block{}}
	for address, n := range t.nodes {
		if n.block != nil {
			known.Blocks[address] = n.block
		}
	}
	actor, err := known.Actor(stage.Agent)
	if err != nil {
		return nil
	}
	return actor
}

// checkTrained reports trained agents that are not part of the stage.
func (t *trainer) checkTrained(stage *Stage) {
	actor := t.actor(stage)
	if actor == nil || stage.Trained == nil {
		return
	}
	var playing []string
	served := map[string]string{}
	for _, a := range actor.Agents() {
		playing = append(playing, a.Block.Address)
		if a.Served() {
			served[a.Block.Address] = a.Body.Model
		}
	}
	where := toHCL(stage.At("trained"))
	if len(stage.Trained) == 0 {
		t.fail(where, "No trained agent", fmt.Sprintf(
			"trained is empty. List one or more of %s, or remove trained to train all.", listed(playing)))
	}
	for _, address := range stage.Trained {
		if !slices.Contains(playing, address) {
			t.fail(where, "Trained agent outside the stage", fmt.Sprintf("%s is not an agent of %s, whose agents are %s.",
				address, stage.Agent, listed(playing)))
		}
		if served[address] != "" {
			t.fail(where, "Training of a served agent", fmt.Sprintf(
				"%s answers for %s, and messages of a served model are never trained. Remove %s from trained, or remove its model.",
				served[address], address, address))
		}
	}
}

// Trains reports whether a stage trains an agent. An agent with a served model is never trained.
func (s *Stage) Trains(a *Actor) bool {
	return !a.Served() && (s.Trained == nil || slices.Contains(s.Trained, a.Block.Address))
}

// KwargsOf returns the arguments of the chat template for an agent: the stage's, overridden by its own.
func (s *Stage) KwargsOf(a *Actor) map[string]any {
	out := maps.Clone(s.TemplateKwargs)
	if out == nil {
		return a.Body.TemplateKwargs
	}
	maps.Copy(out, a.Body.TemplateKwargs)
	return out
}
