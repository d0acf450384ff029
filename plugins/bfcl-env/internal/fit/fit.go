// Package fit checks whether BFCL's data matches a profile: whether the data documents the profile's functions, and
// whether its ground truth can be executed with them. Releases of bfcl-eval changed both under the same file names.
//
//	report := fit.Judge(set, api.V3)
//	if len(report.Documents) > 0 { … }   // the data documents other functions
//	for _, r := range report.Raised { … } // tasks whose ground truth raises an exception
//
// Data of a known release is not played. The package has no configuration and prints no messages.
package fit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Report is the result of checking data against a profile's functions.
type Report struct {
	Release   string   // the bfcl-eval releases with exactly this data, which fit; empty: unknown data
	Documents []string // wrong statements about functions, one clause each
	Raised    []Raise  // the tasks whose ground truth raises, in data order
	Calls     int      // number of calls played; 0 for a known release
}

// Raise is a task whose ground truth raises an exception. It omits the call, because the ground truth is private.
type Raise struct {
	ID   string
	Turn int // from 0
}

// String returns the task and the turn.
func (r Raise) String() string { return fmt.Sprintf("%s (turn %d)", r.ID, r.Turn) }

// Judge checks data against the functions of a profile.
func Judge(set *data.Set, profile api.Profile) Report {
	r := Report{Documents: documents(set, profile)}
	if len(r.Documents) > 0 {
		return r
	}
	if r.Release = set.Release(); r.Release != "" {
		return r
	}
	r.play(set, profile)
	return r
}

func (r *Report) play(set *data.Set, profile api.Profile) {
	for _, one := range set.Entries {
		calls, turn, raises := Truth(one, profile, set.Tables)
		r.Calls += calls
		if raises {
			r.Raised = append(r.Raised, Raise{one.ID, turn})
		}
	}
}

// Truth executes the ground truth of an entry up to the first call that raises an exception, and counts the calls. A
// configuration that cannot be loaded raises an exception in turn 0.
func Truth(one *entry.Entry, profile api.Profile, tables *api.Tables) (calls, turn int, raises bool) {
	world := &api.World{Profile: profile, LongContext: one.LongContext(), Tables: tables, Verbatim: true}
	b, err := backend.New(world, one.Classes, one.Config, backend.Names("fit", one.ID, profile))
	if err != nil {
		return 0, 0, true
	}
	for turn, truth := range one.Truth {
		for _, call := range truth {
			calls++
			if backend.Raised(b.Execute(call)) {
				return calls, turn, true
			}
		}
	}
	return calls, 0, false
}

// documents compares the documents with the functions. Matching releases have two flaws that are accepted: they may
// order parameters differently, and describe an optional parameter that does not exist.
func documents(set *data.Set, profile api.Profile) []string {
	var out []string
	for _, class := range slices.Sorted(maps.Keys(set.Functions)) {
		described := map[string]bool{}
		for _, f := range set.Functions[class] {
			described[f.Name] = true
			method := api.Classes[class].Method(f.Name, profile)
			if method == nil {
				out = append(out, fmt.Sprintf("%s describes %s, which the profile does not have", class, f.Name))
				continue
			}
			out = append(out, parameters(f, method)...)
		}
		for _, name := range api.Classes[class].Methods(profile) {
			if !described[name] {
				out = append(out, fmt.Sprintf("%s does not describe %s, which the profile has", class, name))
			}
		}
	}
	return out
}

func parameters(f data.Function, method *api.Method) []string {
	var out []string
	properties, _ := f.Parameters.Or("properties", nil).(*py.Dict)
	for _, name := range method.Required() {
		if properties == nil || !properties.Has(name) {
			out = append(out, fmt.Sprintf("%s is described without %s, which it needs", f.Name, name))
		}
	}
	required, _ := f.Parameters.Or("required", nil).(*py.List)
	if required == nil {
		return out
	}
	for _, name := range required.Items {
		if name, ok := name.(string); ok && !slices.Contains(method.Parameters(), name) {
			out = append(out, fmt.Sprintf("%s is described with %s, which it does not take", f.Name, name))
		}
	}
	return out
}
