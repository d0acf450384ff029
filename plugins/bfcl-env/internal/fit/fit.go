// Package fit judges BFCL's data by what they are: whether the functions of a profile are those that the data describe, and
// whether the ground truth can be played with them. Releases of bfcl-eval changed both under the same names of files.
//
//	report := fit.Judge(set, api.V3)
//	if len(report.Documents) > 0 { … }   // the data are of other functions
//	for _, r := range report.Raised { … } // tasks whose ground truth raises an exception
//
// Data of a release that is known are not played. The package knows no configuration and says nothing to users.
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

// Report is what data and a profile have against each other.
type Report struct {
	Release   string   // of bfcl-eval, or several, with these very data, which fit; empty: none that is known
	Documents []string // what they say of a function that is not so, a clause each
	Raised    []Raise  // the tasks whose ground truth raises, in the order of the data
	Calls     int      // that were played to find out; 0 for a release that is known
}

// Raise is a task whose ground truth raises an exception. It does not say which call: the ground truth is private.
type Raise struct {
	ID   string
	Turn int // from 0
}

// String names the task and the turn.
func (r Raise) String() string { return fmt.Sprintf("%s (turn %d)", r.ID, r.Turn) }

// Judge holds data against the functions of a profile.
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

// Truth plays the ground truth of an entry, up to the first call that raises an exception, and counts the calls. A
// configuration that cannot be loaded raises in turn 0.
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

// documents holds what the data say of the functions against the functions. The data of releases that fit have two flaws that
// are no reason to refuse them: they may order parameters otherwise, and describe one that is optional and is not there.
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
