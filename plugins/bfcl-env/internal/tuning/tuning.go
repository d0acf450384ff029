// Package tuning implements EnvTuning's episode loop. The model thinks and then either calls tools or answers, using
// tags. The environment returns the results, and each model message gets a score.
//
//	d, err := tuning.New(tuning.Setup{Entry: check.Setup{…}, Truth: truth, Questions: questions})
//	reply := d.Respond("<think>…</think><tool_call>[…]</tool_call>")
//	// reply.User is the next message to the model, reply.Score 1, 0, -1, -2 or -3
//	rewards := tuning.FormatReward(d.Scores())
//
// Scores: 1 and 0 end a turn, correct or not. -1 is a round of tool calls without an exception, and -2 is one with an
// exception. -3 is a message in the wrong format. After five attempts in a turn, the next message ends it.
//
// Source: AWorld-RL, EnvTuning/env_tuning/interaction (Apache-2.0) and its reward functions.
package tuning

import (
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/decode"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Setup is an entry to run.
type Setup struct {
	Entry     check.Setup
	Truth     [][]string // the ground truth, by turn
	Questions []string   // of the turns after the first
	// SkipsTruth skips the ground truth of a turn in which the model executed nothing, as the reference does. In that
	// case, a model that skips turns and catches up later passes.
	SkipsTruth bool
}

// Reply is the environment's response to a message.
type Reply struct {
	Done  bool
	User  string
	Score float64
}

// The scores of messages that do not end a turn.
const (
	scoreTools     = -1.0
	scoreException = -2.0
	scoreFormat    = -3.0
)

// attemptLimit is the maximum number of attempts per turn.
const attemptLimit = 5

// Dialogue is a running episode. One goroutine at a time may use it.
type Dialogue struct {
	setup        Setup
	player       *backend.Backend
	truthBackend *backend.Backend
	turn         int
	scores       []float64

	answers  []string // results of the model's calls in earlier turns
	current  []string // results in the current turn
	executed bool     // whether the current turn executed a call
	attempts int

	calls, exceptions int // of all turns
}

// New starts an episode.
func New(s Setup) (*Dialogue, error) {
	d := &Dialogue{setup: s}
	var err error
	if d.player, err = backend.New(s.Entry.World, s.Entry.Classes, s.Entry.Config,
		backend.Names(s.Entry.Player, s.Entry.ID, s.Entry.World.Profile)); err != nil {
		return nil, err
	}
	d.truthBackend, err = backend.New(s.Entry.World, s.Entry.Classes, s.Entry.Config,
		backend.Names(s.Entry.Player+"_ground_truth_eval", s.Entry.ID, s.Entry.World.Profile))
	return d, err
}

// Turn returns the number of the current turn, starting from 0.
func (d *Dialogue) Turn() int { return d.turn }

// Scores returns the scores of all messages so far.
func (d *Dialogue) Scores() []float64 { return d.scores }

// Player returns the backend that the model's calls change.
func (d *Dialogue) Player() *backend.Backend { return d.player }

// Calls returns the number of executed calls, and how many of them raised an exception.
func (d *Dialogue) Calls() (all, exceptions int) { return d.calls, d.exceptions }

// Respond returns the response to a message from the model.
func (d *Dialogue) Respond(message string) Reply {
	reply := d.respond(message)
	d.scores = append(d.scores, reply.Score)
	return reply
}

func (d *Dialogue) respond(message string) Reply {
	content, kind, problem := decode.Response(message)
	served := len(d.truth()) > 0
	switch {
	case problem != "":
		return d.malformed(problem, served)
	case !served && kind == decode.KindAnswer:
		reply := d.advance()
		reply.Score = 1
		return reply
	case !served:
		reply := d.advance()
		reply.Score, reply.User = 0, unservedWarning+reply.User
		return reply
	}
	calls, err := decode.Tools(content) // of an answer, too: if it contains calls, they are executed
	if err != nil || len(calls) == 0 {
		return d.advance()
	}
	return d.execute(calls)
}

const unservedWarning = "(SYSTEM WARNING: You should not call any function in this turn because certain function description(s) or parameter(s) is missing in this turn. Previous turn is forced quit. Current function(s) will not be executed.) Next turn question:\n"

// truth returns the ground truth of the current turn.
func (d *Dialogue) truth() []string {
	if d.turn < len(d.setup.Truth) {
		return d.setup.Truth[d.turn]
	}
	return nil
}

func (d *Dialogue) malformed(problem string, served bool) Reply {
	d.attempts++
	if d.attempts <= attemptLimit {
		return Reply{User: problem, Score: scoreFormat}
	}
	reply := d.advance()
	if !served {
		reply.Score = 0
	}
	return reply
}

func (d *Dialogue) execute(calls []string) Reply {
	d.executed = true
	results, exception := py.NewList(), false
	for _, call := range calls {
		result := d.player.Execute(call)
		d.current = append(d.current, result)
		results.Append(result)
		d.calls++
		if backend.Raised(result) {
			exception = true
			d.exceptions++
		}
	}
	d.attempts++
	if d.attempts > attemptLimit {
		return d.advance()
	}
	shown, err := py.JSONUnicode(results)
	if err != nil {
		shown = py.Repr(results) // texts can always be written as JSON
	}
	reply := Reply{Score: scoreTools, User: "Here are the function's execution results. Execution results:" +
		shown + afterResults}
	if exception {
		reply.Score = scoreException
	}
	return reply
}

const afterResults = "\n If you believe you have already fulfilled the user's request, please first outline your thought process in a <think></think>pair, and then give a brief summary of the result in an <answer></answer> pair. Otherwise, you should continue to call until fulfilling user's request."

// advance judges and ends the turn, and returns the next question.
func (d *Dialogue) advance() Reply {
	d.answers = append(d.answers, d.current...)
	reply := Reply{Score: d.judge()}
	d.turn++
	d.current, d.executed, d.attempts = nil, false, 0
	if d.turn-1 < len(d.setup.Questions) {
		reply.User = d.setup.Questions[d.turn-1]
	} else {
		reply.Done = true
	}
	return reply
}

// judge returns 1 for a turn that had the same effect as the ground truth, and 0 otherwise.
func (d *Dialogue) judge() float64 {
	truth := d.truth()
	if len(truth) == 0 || !d.executed && d.setup.SkipsTruth {
		return 0
	}
	wanted := make([]string, len(truth))
	for i, call := range truth {
		wanted[i] = d.truthBackend.Execute(call)
	}
	if !d.executed {
		return 0
	}
	verdict, err := check.Turn(d.player, d.truthBackend, d.answers, wanted, d.turn)
	if err != nil || !verdict.Valid {
		return 0
	}
	return 1
}
