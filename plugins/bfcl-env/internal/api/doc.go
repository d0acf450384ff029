// Package api implements the eight API classes of the BFCL multi-turn environment. Each method returns the same
// response, and leaves the same state, as in the reference programs.
//
//	class := api.Classes["GorillaFileSystem"]
//	fs := class.New(&api.World{Profile: api.V4, Tables: tables})
//	err := fs.Load(config)
//	answer, err := class.Method("cd", api.V4).Call(fs, []py.Value{"documents"}, nil, nil)
//
// There is a file per class. Where the profiles differ, the code contains both behaviors side by side, selected by
// World.Profile. An error from a method is the *py.Error that Python raises. Inside the package, methods raise it with
// py.Must, py.Check, or panic, so that they read like the reference code.
//
// Sources: gorilla, berkeley-function-call-leaderboard, func_source_code, at 6ea57973 (V4) and c15b2a15 (V3);
// AWorld-RL, EnvTuning/bfcl_env (EnvTuning). The package reads no files and does not depend on datasets or episodes.
package api

import (
	"time"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Profile selects the program whose behavior an environment reproduces.
type Profile int

// The profiles.
const (
	V4        Profile = iota // the BFCL leaderboard since 2025-07
	V3                       // the leaderboard before
	EnvTuning                // V3 with errors that name a remedy
)

// World is the shared configuration of an episode's instances.
type World struct {
	Profile     Profile
	LongContext bool
	Tables      *Tables          // required if LongContext is set
	Today       func() time.Time // nil: the system's clock; used by one method
	Shared      *Shared          // nil: nothing is shared
	// Verbatim leaves the strings in calls unchanged. The reference programs insert the instance's name before each
	// word that is a method name followed by a parenthesis, and remove the space in between. They do so even inside
	// strings.
	Verbatim bool
}

// Instance is an object of an API class, with its state.
type Instance interface {
	// Load sets the state from an entry's initial configuration. The instance takes ownership of config.
	Load(config *py.Dict) error
	// Public returns the attributes that a checker compares. The values belong to the instance and must not be changed.
	Public() *py.Dict
	// Private returns the rest of the state, for diagnostics and tests.
	Private() *py.Dict
}

// Shared holds the objects that all instances in a reference program share: parameter defaults, and the entries that
// long contexts add to cards and bookings. A change made by one instance is visible to all others. If it is nil in a
// World, each instance has separate objects.
type Shared struct {
	Tags, Mentions *py.List

	tables map[string]*py.Dict // the constants of long contexts that were changed
}

// NewShared returns empty shared objects.
func NewShared() *Shared {
	return &Shared{Tags: py.NewList(), Mentions: py.NewList(), tables: map[string]*py.Dict{}}
}

// table returns a long-context constant that an instance may change: either the shared one or a separate copy.
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
