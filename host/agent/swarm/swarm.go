// Package swarm is an agent that is made of agents: its members play one episode together, in one environment, and
// whichever answers last answers for all of them.
//
//	s, err := swarm.New(swarm.Settings{
//		Name: "workflow.research", Kind: swarm.Workflow,
//		Members: []swarm.Member{{Name: "planner", Agent: planner}, {Name: "solver", Agent: solver}},
//		Stages:  [][]string{{"planner"}, {"solver"}},
//	})
//	result, err := s.Run(ctx, episode) // result.Parts says who spoke
//
// The three kinds are those of AWorld 0.3 (aworld/core/agent/swarm.py); docs/swarms.md says where they differ. One
// member works at a time, so that what happens does not depend on which was faster. Members do not know that they
// are in a swarm: a call of another member is a tool call like others, and what they are told comes as an
// environment's messages.
//
// It must not know tokens, rewards, or which members are trained.
package swarm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/agent"
)

// Kind says how control passes between members.
type Kind string

// The kinds.
const (
	Workflow Kind = "workflow" // each stage after the other
	Handoff  Kind = "handoff"  // a member hands over by a tool call, and does not get control back by itself
	Team     Kind = "team"     // a member asks others by tool calls, and goes on with their answers
)

// Member is an agent of a swarm.
type Member struct {
	Name        string // unique in the swarm; the name of the tool by which others call it
	Description string // what the others are told of it
	Agent       agent.Agent
	Neighbours  []string // members that it may call, in order
	Acts        bool     // it has the environment's tools
	Concurrent  bool     // it may talk to the model in several conversations at once, as agents of plugins do
}

// Settings describe a swarm.
type Settings struct {
	Name     string // names the swarm in errors: "team.desk"
	Kind     Kind
	Members  []Member   // of Handoff and Team the first one begins
	Stages   [][]string // of Workflow: names; the members of one stage do not hear each other
	MaxHops  int        // most calls of members in an episode; 0: no limit
	MaxTurns int        // most assistant messages of all members; 0: only the environment limits them
}

// Swarm is an agent. It may be used for many episodes at a time.
type Swarm struct {
	settings Settings
	members  map[string]*Member
}

// New checks the settings.
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

// circle is a way from a member to itself; nil: there is none.
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
		last, err = p.perform(p.players[s.settings.Members[0].Name], cue{messages: p.question})
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
