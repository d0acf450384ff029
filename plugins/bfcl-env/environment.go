package bfclenv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/heap"
)

// environment holds the episodes of a block. They share only the data, which is never changed.
type environment struct {
	config config
	data   *data.Set
	byID   map[string]*entry.Entry
	tools  functionDocs

	log *slog.Logger

	sessions sdk.Sessions[*session]

	mu     sync.Mutex
	logged map[origin]bool // the task sources that were logged
}

// Metrics for an ended episode.
const (
	metricTurns      = "turns"       // of the entry
	metricTurnsRight = "turns_right" // judged right
	metricCalls      = "calls"       // executed
	metricExceptions = "exceptions"  // calls that raised an exception
)

func newEnvironment(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
	c, problems := parse(setup.Config)
	if len(problems) > 0 {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	heap.Pace(data.HeapHeadroom)
	set, problems := c.open()
	if failed(problems) {
		return nil, &sdk.ConfigError{Diagnostics: problems}
	}
	e := &environment{config: c, data: set, byID: map[string]*entry.Entry{}, log: setup.Log,
		logged: map[origin]bool{}}
	for _, one := range set.Entries {
		one.Shorten(c.Turns)
		e.byID[one.ID] = one
	}
	var err error
	if e.tools, err = newFunctionDocs(set.Functions); err != nil {
		return nil, err
	}
	if setup.Log != nil {
		setup.Log.Info("BFCL's data is read", slog.String("version", set.Version), slog.Int("tasks", len(set.Entries)),
			slog.String("digest", set.Digest), slog.String("release", set.Release()))
		for _, p := range problems {
			setup.Log.Warn(p.Summary, slog.String("detail", p.Detail))
		}
	}
	return e, nil
}

// player runs an entry in one of the two loops.
type player interface {
	// open returns the first messages and tools that are shown to the agent.
	open() ([]sdk.Message, []sdk.Tool)
	step(message sdk.Message) (*sdk.StepResponse, error)
	// summary returns the episode's state for Snapshot, and the metrics.
	summary() summary
}

// session is an open episode.
type session struct {
	mu     sync.Mutex
	player player
	from   origin
	over   bool
}

// state returns the summary of the episode so far. The caller holds mu.
func (s *session) state() summary {
	out := s.player.summary()
	out.From = s.from
	return out
}

// summary is an episode's state for rewards and for display.
type summary struct {
	Entry      string          `json:"entry"`
	Category   string          `json:"category"`
	From       origin          `json:"played_from"`
	Turn       int             `json:"turn"`  // the current turn, from 0
	Turns      int             `json:"turns"` // of the entry
	TurnsRight int             `json:"turns_right"`
	Calls      int             `json:"calls"`
	Exceptions int             `json:"exceptions"`
	Verdict    verdict         `json:"verdict"`
	Scores     []float64       `json:"scores"` // of EnvTuning's messages; null for messages without a score
	Reference  bool            `json:"reference,omitempty"`
	State      json.RawMessage `json:"state"` // of the APIs
}

// verdict is the result of BFCL's checkers so far.
type verdict struct {
	Valid   bool   `json:"valid"` // every turn was right
	Type    string `json:"error_type,omitempty"`
	Message string `json:"error_message,omitempty"`
	Turn    int    `json:"turn,omitempty"`
}

func verdictOf(v check.Verdict) verdict {
	return verdict{Valid: v.Valid, Type: v.Type, Message: v.Message, Turn: v.Turn}
}

// Open implements sdk.Environment.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	one, from, err := e.entryOf(req.Task)
	if err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	p, err := e.player(one)
	if err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf("open %s: %v", one.ID, err)}
	}
	if from == fromRow {
		if err := e.solvable(one); err != nil {
			return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
		}
	}
	e.tell(from, req.Task)
	messages, tools := p.open()
	if _, _, err := e.sessions.Add(req.EpisodeID, &session{player: p, from: from}); err != nil {
		return nil, err
	}
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Messages: messages, Tools: tools}, nil
}

// tell logs once per origin whether tasks are run from dataset rows or from the source.
func (e *environment) tell(from origin, task sdk.Task) {
	e.mu.Lock()
	first := !e.logged[from]
	e.logged[from] = true
	e.mu.Unlock()
	switch {
	case !first || e.log == nil:
	case from == fromRow:
		e.log.Info("tasks are played from the rows of their dataset, which have all of EnvTuning's columns; source gives the functions alone", slog.String("task", task.ID))
	default:
		e.log.Info("tasks are played from source, by their ids; other columns of the dataset are not looked at",
			slog.String("task", task.ID))
	}
}

// world returns the behavior of an episode's instances. As in the reference, the player's instances and the ground
// truth's share objects. Unlike the reference, nothing is shared between episodes: otherwise an episode's result
// would depend on the episodes that ran before it.
func (e *environment) world(one *entry.Entry) *api.World {
	w := &api.World{Profile: profiles[e.config.Profile], LongContext: one.LongContext(), Tables: e.data.Tables,
		Verbatim: true}
	if e.config.Compatibility == "reference" {
		w.Shared, w.Verbatim = api.NewShared(), false
	}
	return w
}

func (e *environment) setup(one *entry.Entry) check.Setup {
	return check.Setup{World: e.world(one), ID: one.ID, Classes: one.Classes, Config: one.Config, Player: "model"}
}

func (e *environment) player(one *entry.Entry) (player, error) {
	if e.config.Mode == "envtuning" {
		return newTuned(e, one)
	}
	return newNative(e, one)
}

// Step implements sdk.Environment.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	s, err := e.sessions.Get(req.EpisodeID)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, fmt.Errorf("the episode is over: open it again to start afresh")
	}
	response, err := s.player.step(req.Message)
	if err == nil {
		s.over = response.Done
	}
	return response, err
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e *environment) Snapshot(_ context.Context, episodeID string) (json.RawMessage, error) {
	s, err := e.sessions.Get(episodeID)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return json.Marshal(s.state())
}

// Close implements sdk.Environment.
func (e *environment) Close(_ context.Context, req sdk.CloseRequest) (*sdk.CloseResponse, error) {
	s, open := e.sessions.Take(req.EpisodeID)
	if !open {
		return &sdk.CloseResponse{}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.player.summary()
	sum := sha256.Sum256(end.State)
	return &sdk.CloseResponse{StateDigest: "sha256:" + hex.EncodeToString(sum[:]), Metrics: map[string]float64{
		metricTurns: float64(end.Turns), metricTurnsRight: float64(end.TurnsRight), metricCalls: float64(end.Calls),
		metricExceptions: float64(end.Exceptions),
	}}, nil
}

var (
	_ sdk.EnvironmentWithSnapshot = (*environment)(nil)
	_ sdk.EnvironmentWithTasks    = (*environment)(nil)
)
