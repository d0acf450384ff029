// Package sweep trains a spec with every combination of some variables' values, and summarizes the runs.
//
//	axes, fixed, err := sweep.Axes([]string{"lr=[1e-3, 3e-4]", "steps=60"}, 5) // lr, and seed from 1 to 5
//	s := &sweep.Sweep{Axes: axes, Members: sweep.Product(axes), Store: store}
//	signals := s.Run(sweep.Options{Jobs: 2, Command: applyOf, Signals: interrupts})
//	metric, rows, err := s.Rows()
//
// A member is an ordinary run of `awhost apply`, which is identified by the identity of its plan. A sweep therefore has
// no state except its runs: after an interruption or kill -9, the same sweep finds them again, continues unfinished
// runs, and starts missing ones. The package must not depend on the presentation.
package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/host/runstore"
)

// SeedVariable is the variable that distinguishes the members of a row.
const SeedVariable = "seed"

// maxMembers limits the runs of a sweep, because each is planned before the first starts.
const maxMembers = 10_000

// Axis is a variable with several values, in the form that --var accepts.
type Axis struct {
	Name   string
	Values []string
}

// Sweep is a set of runs of a spec.
type Sweep struct {
	Axes    []Axis
	Members []*Member
	Store   *runstore.Store
}

// Member is one combination of values, and its run.
type Member struct {
	Values   []string // by axis
	Label    string   // "lr=0.001 seed=2"
	Identity string   // of its plan
	Train    string   // name of the train block

	Run     *runstore.Summary // the newest run with this identity; nil before its start
	Problem string            // why it has no result; empty unless it failed
}

// Vars returns the values as arguments of --var.
func (s *Sweep) Vars(m *Member) []string {
	var out []string
	for i, axis := range s.Axes {
		out = append(out, axis.Name+"="+m.Values[i])
	}
	return out
}

// HasFinished reports whether the member's run has a result.
func (m *Member) HasFinished() bool { return m.Run != nil && m.Run.Status == runstore.StatusFinished }

// Axes separates the --var arguments whose value is a list from the others, which are the same in each run. seeds adds
// the seeds from 1 to that number. The seed is the last axis.
func Axes(vars []string, seeds int) (axes []Axis, fixed []string, err error) {
	if seeds > 0 {
		axis := Axis{Name: SeedVariable}
		for seed := range min(seeds, maxMembers+1) {
			axis.Values = append(axis.Values, fmt.Sprint(seed+1))
		}
		axes = append(axes, axis)
	}
	for _, arg := range vars {
		name, value, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(strings.TrimSpace(value), "[") {
			fixed = append(fixed, arg)
			continue
		}
		values, err := parseValues(name, value)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: give a list of values, as in --var 'lr=[1e-3, 3e-4]', with strings in quotes; "+
				"for a variable that is a list, give a list of lists", err)
		}
		axes = append(axes, Axis{name, values})
	}
	members := 1
	for i, axis := range axes {
		if members *= len(axis.Values); members > maxMembers {
			return nil, nil, fmt.Errorf("a sweep has at most %d runs: give fewer values or seeds", maxMembers)
		}
		if slices.ContainsFunc(axes[:i], func(a Axis) bool { return a.Name == axis.Name }) ||
			slices.ContainsFunc(fixed, func(arg string) bool { return strings.HasPrefix(arg, axis.Name+"=") }) {
			return nil, nil, fmt.Errorf("the variable %s is set twice: keep one of its --var and --seeds", axis.Name)
		}
	}
	slices.SortStableFunc(axes, func(a, b Axis) int {
		return strings.Compare(fmt.Sprint(a.Name == SeedVariable), fmt.Sprint(b.Name == SeedVariable))
	})
	return axes, fixed, nil
}

// parseValues returns the elements of a list as texts for --var, which are literal for strings.
func parseValues(name, list string) (values []string, err error) {
	wrong := func(what string) error { return fmt.Errorf("--var %s=%s: %s", name, list, what) }
	expr, problems := hclsource.ParseExpression([]byte(list), name)
	if problems.HasErrors() {
		return nil, wrong(problems[0].Summary)
	}
	elements, problems := hcl.ExprList(expr)
	if problems.HasErrors() {
		return nil, wrong(problems[0].Summary)
	}
	for _, element := range elements {
		value, problems := element.Value(nil)
		source := string(element.Range().SliceBytes([]byte(list)))
		switch {
		case problems.HasErrors():
			return nil, wrong(source + ": " + problems[0].Summary)
		case !value.Type().IsPrimitiveType():
			values = append(values, source)
			continue
		}
		text, err := convert.Convert(value, cty.String)
		if err != nil {
			return nil, wrong(err.Error())
		}
		values = append(values, text.AsString())
	}
	if len(values) == 0 {
		return nil, wrong("Empty list")
	}
	return values, nil
}

// Product returns the combinations of the axes' values. The last axis varies fastest.
func Product(axes []Axis) []*Member {
	members := []*Member{{}}
	for _, axis := range axes {
		var longer []*Member
		for _, m := range members {
			for _, value := range axis.Values {
				longer = append(longer, &Member{
					Values: append(slices.Clone(m.Values), value),
					Label:  strings.TrimSpace(m.Label + " " + axis.Name + "=" + value),
				})
			}
		}
		members = longer
	}
	return members
}

// grown reports whether a run has been given more steps than its identity says.
func grown(r runstore.Summary) bool { return r.Extension() != nil }

// Refresh finds the members' runs.
func (s *Sweep) Refresh() error {
	runs, err := s.Store.List()
	runs = slices.DeleteFunc(runs, grown)
	for _, m := range s.Members {
		m.Run = nil
		if i := slices.IndexFunc(runs, func(r runstore.Summary) bool { return r.Identity == m.Identity }); i >= 0 {
			m.Run = &runs[i]
			if m.Run.Status == runstore.StatusFailed && m.Problem == "" {
				m.Problem = m.Run.Finish.Reason
			}
		}
	}
	return err
}
