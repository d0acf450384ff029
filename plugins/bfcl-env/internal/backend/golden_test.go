package backend_test

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// program is a reference program with recorded answers.
type program struct {
	name    string // in the names of files
	profile api.Profile
	data    string
	tables  string
}

var programs = []program{{"v4", api.V4, "data_v4", "v4"}, {"v3", api.V3, "data_v3", "et"},
	{"et", api.EnvTuning, "data_v3", "et"}}

// frozen returns the time that the reference programs saw.
func frozen() time.Time { return time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC) }

func (p program) world(t testing.TB, longContext bool) *api.World {
	return &api.World{Profile: p.profile, LongContext: longContext, Tables: api.NewTables(golden.Tables(t, p.tables)),
		Today: frozen}
}

func list(v py.Value) []py.Value { return v.(*py.List).Items }

func texts(v py.Value) []string {
	var out []string
	for _, item := range list(v) {
		out = append(out, item.(string))
	}
	return out
}

func json(v py.Value) string {
	text, err := py.JSONCompact(v)
	if err != nil {
		return err.Error()
	}
	return text
}

// missing reports whether one of the classes does not exist.
func missing(classes []string) bool {
	return slices.ContainsFunc(classes, func(c string) bool { return api.Classes[c] == nil })
}

// The ground truth of every entry must give the recorded outputs and states.
func TestGroundTruth(t *testing.T) {
	for _, p := range programs {
		entries := golden.Entries(t, p.data)
		for _, category := range []string{"base", "miss_func", "miss_param", "long_context"} {
			t.Run(p.name+"/"+category, func(t *testing.T) {
				t.Parallel()
				world := p.world(t, category == "long_context")
				var b *backend.Backend
				var state, private py.Value
				calls, states, wrong := 0, 0, 0
				complain := func(format string, args ...any) {
					if wrong++; wrong <= 5 {
						t.Errorf(format, args...)
					}
				}
				for record := range golden.Records(t, "gt_"+p.name+"_"+category) {
					id := py.Str(record.Or("id", nil))
					if record.Or("turn", nil) == -1 {
						entry := entries[id]
						classes := texts(entry.Or("involved_classes", nil))
						var err error
						b = nil
						if missing(classes) {
							continue
						}
						if b, err = backend.New(world, classes, entry.Or("initial_config", nil).(*py.Dict),
							backend.Names("golden", id, p.profile)); err != nil {
							t.Fatalf("%s: %v", id, err)
						}
					}
					if b == nil {
						continue
					}
					outputs := texts(record.Or("outputs", nil))
					for i, call := range texts(record.Or("calls", nil)) {
						calls++
						if got := b.Execute(call); got != outputs[i] {
							complain("%s: %s\n%s", id, call, difference(got, outputs[i]))
						}
					}
					state, private = record.Or("state", state), record.Or("priv", private)
					states++
					if got, want := json(api.Encode(b.State())), json(state); got != want {
						complain("%s: state after turn %v\n%s", id, record.Or("turn", nil), difference(got, want))
					}
					if got, want := json(b.Private()), json(private); got != want {
						complain("%s: private state after turn %v\n%s", id, record.Or("turn", nil), difference(got, want))
					}
				}
				t.Logf("%d calls and %d states compared, %d differ", calls, states, wrong)
			})
		}
	}
}

// difference shows the first position where two texts differ.
func difference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("got  …%s\nwant …%s", got[from:min(len(got), i+200)], want[from:min(len(want), i+200)])
}

// exceptions are the rules for recorded steps that need not match. No step is excepted individually.
var exceptions = map[string]func(call, got, want string) bool{
	"the text of a SyntaxError is that of CPython's parser": func(_, got, want string) bool {
		return strings.Contains(got, "(<string>, line ") && strings.Contains(want, "(<string>, line ")
	},
}

// Recorded calls of every kind, including malformed ones, must give the recorded outputs and states.
func TestFuzz(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			entries := golden.Entries(t, p.data)
			worlds := map[bool]*api.World{false: p.world(t, false), true: p.world(t, true)}
			skip := golden.Nondeterministic(t, "fuzz_"+p.name)
			steps, skipped := 0, 0
			wrong, excepted := map[string]int{}, map[string]int{}
			for record := range golden.Records(t, "fuzz_"+p.name) {
				classes := texts(record.Or("classes", nil))
				if missing(classes) {
					continue
				}
				id, seq := py.Str(record.Or("entry", nil)), py.Str(record.Or("seq", nil))
				config := overridden(entries[id].Or("initial_config", nil).(*py.Dict), record.Or("override", nil).(*py.Dict))
				world := *worlds[py.Truth(record.Or("long_context", nil))]
				world.Shared = leaked(list(record.Or("steps", nil)))
				b, err := backend.New(&world, classes, config, backend.Names("golden", id, p.profile))
				if err != nil {
					t.Fatalf("%s: %v", seq, err)
				}
				for i, s := range list(record.Or("steps", nil)) {
					step := s.(*py.Dict)
					call, want := py.Str(step.Or("call", nil)), py.Str(step.Or("out", nil))
					got := b.Execute(call)
					steps++
					sum := sha1.Sum([]byte(json(golden.Abridged(py.NewList(api.Encode(b.State()), b.Private())))))
					state := hex.EncodeToString(sum[:]) == step.Or("state_sha1", nil)
					if got == want && state {
						continue
					}
					if skip[fmt.Sprint(seq, "/", i)] {
						skipped++
						continue
					}
					if rule := exceptionFor(call, got, want); rule != "" && state {
						excepted[rule]++
						continue
					}
					name, _, _ := strings.Cut(call, "(")
					if wrong[name]++; wrong[name] <= 2 {
						t.Errorf("%s step %d: %s\n%s\nstate equal: %v", seq, i, call, difference(got, want), state)
					}
				}
			}
			total := 0
			for _, n := range wrong {
				total += n
			}
			t.Logf("%d steps compared, %d differ, %d skipped as not deterministic", steps, total, skipped)
			for _, rule := range slices.Sorted(maps.Keys(excepted)) {
				t.Logf("  excepted: %4d %s", excepted[rule], rule)
			}
			for _, name := range slices.SortedFunc(maps.Keys(wrong), func(a, b string) int { return wrong[b] - wrong[a] }) {
				t.Logf("  differ: %4d %s", wrong[name], name)
			}
		})
	}
}

func exceptionFor(call, got, want string) string {
	for rule, applies := range exceptions {
		if applies(call, got, want) {
			return rule
		}
	}
	return ""
}

// overridden merges an override into the configuration of each class.
func overridden(config, override *py.Dict) *py.Dict {
	out := py.DeepCopy(config).(*py.Dict)
	for i, class := range override.Keys() {
		own, _ := out.Or(class, py.NewDict()).(*py.Dict)
		changes := override.Values()[i].(*py.Dict)
		for j, key := range changes.Keys() {
			own.Set(key, changes.Values()[j])
		}
		out.Set(class, own)
	}
	return out
}

// leaked returns the content that earlier episodes left in the lists shared by all instances of the reference's
// process. The first tweet without mentions shows it.
func leaked(steps []py.Value) *api.Shared {
	shared := api.NewShared()
	for _, s := range steps {
		step := s.(*py.Dict)
		call, out := py.Str(step.Or("call", nil)), py.Str(step.Or("out", nil))
		if !strings.HasPrefix(call, "post_tweet(") || strings.Contains(call, "mentions=") ||
			!strings.HasPrefix(out, `{"id"`) {
			continue
		}
		var parsed *py.Call
		_, err := expr.Evaluate(call, func(c *py.Call) (py.Value, error) { parsed = c; return nil, nil })
		if err != nil || len(parsed.Args)+len(parsed.Names) > 2 && !slices.Contains(parsed.Names, "tags") {
			continue
		}
		tweet, err := py.ParseJSON([]byte(out))
		if err != nil {
			continue
		}
		shared.Mentions.Items = list(tweet.(*py.Dict).Or("mentions", nil))
		break
	}
	return shared
}
