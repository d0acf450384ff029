// Package api holds the eight API classes of the BFCL multi-turn environment: what each method answers, and the state that
// it leaves behind, as the reference programs have it.
//
//	class := api.Classes["GorillaFileSystem"]
//	fs := class.New(&api.World{Profile: api.V4, Tables: tables})
//	err := fs.Load(config)
//	answer, err := class.Method("cd", api.V4).Call(fs, []py.Value{"documents"}, nil, nil)
//
// There is a file per class. Where the profiles differ, both behaviours stand side by side, chosen by World.Profile. An error
// of a method is the *py.Error that Python raises. Inside the package, methods raise it with py.Must, py.Check or
// panic, so that they read like the reference.
//
// Sources: gorilla, berkeley-function-call-leaderboard, func_source_code, at 6ea57973 (V4) and c15b2a15 (V3); AWorld-RL,
// EnvTuning/bfcl_env (EnvTuning). The package reads no files and knows neither datasets nor episodes.
package api

import (
	"time"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Profile says which program an environment behaves like.
type Profile int

// The profiles.
const (
	V4        Profile = iota // the BFCL leaderboard since 2025-07
	V3                       // the leaderboard before
	EnvTuning                // V3 with errors that say what to do
)

// World is what the instances of an episode have in common.
type World struct {
	Profile     Profile
	LongContext bool
	Tables      *Tables          // needed where LongContext is set
	Today       func() time.Time // nil: the system's clock; only one method looks at it
	Shared      *Shared          // nil: nothing is shared
	// Verbatim keeps the texts in calls as they are written. The reference programs write the name of an instance before each
	// word that is a method's and stands before a parenthesis, and take away the space between: in texts, too.
	Verbatim bool
}

// Instance is an object of an API class, with its state.
type Instance interface {
	// Load sets the state from the initial configuration of an entry, which then belongs to the instance.
	Load(config *py.Dict) error
	// Public are the attributes that a checker compares. The values are the instance's own: nobody changes them.
	Public() *py.Dict
	// Private is the rest of the state, for people and tests.
	Private() *py.Dict
}

// Shared are the objects that all instances of a reference program share: the defaults of parameters, and the entries that long
// contexts add to cards and bookings. What one writes into them, all others see. Nil in a World: each instance has its own.
type Shared struct {
	Tags, Mentions *py.List

	tables map[string]*py.Dict // the constants of long contexts that were written into
}

// NewShared makes objects that nobody has written into.
func NewShared() *Shared {
	return &Shared{Tags: py.NewList(), Mentions: py.NewList(), tables: map[string]*py.Dict{}}
}

// table is a constant of long contexts, for an instance to write into: one for all that share, or a copy of its own.
func (w *World) table(name string) *py.Dict {
	constant := w.Tables.dict(name)
	if w.Shared == nil || w.Shared.tables == nil {
		return py.DeepCopy(constant).(*py.Dict)
	}
	if w.Shared.tables[name] == nil {
		w.Shared.tables[name] = py.DeepCopy(constant).(*py.Dict)
	}
	return w.Shared.tables[name]
}
