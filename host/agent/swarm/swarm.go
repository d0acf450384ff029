// Package swarm implements an agent that is composed of agents. Its members share one episode and one environment, and
// the last member to answer provides the swarm's answer.
//
//	s, err := swarm.New(swarm.Settings{
//		Name: "workflow.research", Kind: swarm.Workflow,
//		Members: []swarm.Member{{Name: "planner", Agent: planner}, {Name: "solver", Agent: solver}},
//		Stages:  [][]string{{"planner"}, {"solver"}},
//	})
//	result, err := s.Run(ctx, episode) // result.Parts lists the members' messages
//
// The three kinds are AWorld 0.3's (aworld/core/agent/swarm.py); docs/guides/swarms.md lists the differences. One
// member runs at a time, so that results do not depend on timing. Members are unaware of the swarm: a call to another
// member is an ordinary tool call, and inputs arrive as messages from an environment.
//
// It must not depend on tokens, rewards, or the choice of trained members.
package swarm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/agent"
)

// Kind selects how control passes between members.
type Kind string

// The kinds.
const (
	Workflow Kind = "workflow" // the stages run in order
	Handoff  Kind = "handoff"  // a member hands over by a tool call, and does not get control back automatically
	Team     Kind = "team"     // a member calls others by tool calls, and continues with their answers
)

// Member is an agent of a swarm.
type Member struct {
	Name        string // unique in the swarm; the name of the tool by which others call it
	Description string // the tool description for the others
	Agent       agent.Agent
	Neighbours  []string // members that it may call, in order
	Acts        bool     // has the environment's tools
	Concurrent  bool     // may have several concurrent conversations with the model, as agents of plugins do
}

// Settings configure a swarm.
type Settings struct {
	Name     string // identifies the swarm in errors: "team.desk"
	Kind     Kind
	Members  []Member   // for Handoff and Team the first one starts
	Stages   [][]string // for Workflow: names; the members of one stage do not see each other's answers
	MaxHops  int        // maximum of calls of members in an episode; 0: no limit
	MaxTurns int        // maximum of assistant messages of all members; 0: only the environment limits them
}

// Swarm is an agent. It is safe for concurrent use.
type Swarm struct {
	settings Settings
	members  map[string]*Member
}

// New checks the settings and returns the swarm.
func New(settings Settings) (*Swarm, error) {
	s := &Swarm{settings: settings, members: map[string]*Member{}}
	for i := range settings.Members {
		m := &settings.Members[i]
		if s.members[m.Name] != nil {
			return nil, s.wrong("two members are called %s", m.Name)
		}
		s.members[m.Name] = m
	}
	var err error
	switch settings.Kind {
	case Workflow:
		err = s.checkStages()
	case Handoff, Team:
		err = s.checkNeighbours()
	default:
		err = s.wrong("there is no kind %q", settings.Kind)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Swarm) wrong(format string, args ...any) error {
	return fmt.Errorf("set up swarm %s: %w", s.settings.Name, fmt.Errorf(format, args...))
}

func (s *Swarm) checkStages() error {
	last := len(s.settings.Stages) - 1
	if last < 0 {
		return s.wrong("it has no members")
	}
	if len(s.settings.Stages[last]) != 1 {
		return s.wrong("its last stage has %d members: the answer is that of one", len(s.settings.Stages[last]))
	}
	for _, stage := range s.settings.Stages {
		for _, name := range stage {
			if s.members[name] == nil {
				return s.wrong("there is no member %s", name)
			}
		}
	}
	return nil
}

func (s *Swarm) checkNeighbours() error {
	if len(s.settings.Members) == 0 {
		return s.wrong("it has no members")
	}
	for _, m := range s.settings.Members {
		for _, name := range m.Neighbours {
			if s.members[name] == nil {
				return s.wrong("%s calls %s, which is no member", m.Name, name)
			}
		}
	}
	if s.settings.Kind == Handoff {
		return nil
	}
	if circle := s.circle(s.settings.Members[0].Name, nil); circle != nil {
		return s.wrong("%s: in a team nobody may ask a member who waits for an answer", strings.Join(circle, " → "))
	}
	return nil
}

// circle returns a path from a member to itself, or nil if none exists.
func (s *Swarm) circle(name string, way []string) []string {
	if at := slices.Index(way, name); at >= 0 {
		return append(slices.Clone(way[at:]), name)
	}
	for _, next := range s.members[name].Neighbours {
		if found := s.circle(next, append(slices.Clone(way), name)); found != nil {
			return found
		}
	}
	return nil
}

// Run implements agent.Agent.
func (s *Swarm) Run(ctx context.Context, episode agent.Episode) (*agent.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := s.begin(ctx, episode)
	if err != nil {
		return &agent.Result{}, err
	}
	var last *ending
	switch s.settings.Kind {
	case Workflow:
		last, err = p.stages()
	case Handoff:
		last, err = p.handoffs()
	case Team:
		last, err = p.runMember(p.players[s.settings.Members[0].Name], turnInput{messages: p.question})
	}
	if err != nil && !errors.Is(err, errHops) {
		cancel()
	}
	p.close()
	result := p.result(last)
	if errors.Is(err, errHops) {
		err = nil
	}
	return result, err
}

var _ agent.Agent = (*Swarm)(nil)
