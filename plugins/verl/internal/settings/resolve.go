package settings

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/python"
)

// engineKey selects verl's training engine, and with it the reference file.
const engineKey = "model_engine"

// Resolve says what verl would be started with. What a user can do something about is a diagnostic; an error means that
// the installation cannot be read.
func Resolve(req Request) (*Resolved, error) {
	if req.Installed == nil {
		return nil, errors.New("resolve the settings of verl: no installation is given")
	}
	r := &resolver{
		req: req, release: req.Installed.release, engine: defaultEngine, view: view{set: map[string]*setting{}},
		out: &Resolved{Version: req.Installed.Version, Module: "verl.trainer.main_ppo"},
	}
	r.out.Diagnostics = req.Installed.support()
	if r.release.before(v060) {
		return r.out, nil // nothing that follows would be true of it
	}
	claims := r.claims()
	if err := r.chooseEngine(claims); err != nil {
		return nil, err
	}
	schema, err := req.Installed.schema(r.engine)
	if err != nil {
		return nil, err
	}
	r.schema, r.view.schema = schema, schema
	r.out.values = &r.view
	r.settleUser(claims)
	r.chooseTrainer()
	r.settleOwned(ownedKeys(r))
	r.settleKnobs()
	r.settleLayers(Require)
	r.settleLayers(Replace)
	r.settleLayers(Fill)
	r.fill()
	r.finish()
	r.out.Diagnostics = gathered(r.out.Diagnostics)
	return r.out, nil
}

// Parts of what is said of a key with two values.
const (
	setTwice        = "Set twice with different values"
	removeOne       = " Remove one of them."
	removeOneOfEach = "Remove one of each: what the train block leaves out is what verl's own keys say."
)

// gathered joins diagnostics with the same summary and attribute: each of the many of a file would show the same lines
// of the spec.
func gathered(all []sdk.Diagnostic) []sdk.Diagnostic {
	var out []sdk.Diagnostic
	several := map[int]bool{} // of out
	for _, d := range all {
		at := slices.IndexFunc(out, func(o sdk.Diagnostic) bool {
			return o.Summary == d.Summary && o.Severity == d.Severity && slices.Equal(o.Path, d.Path)
		})
		if at < 0 {
			out = append(out, d)
			continue
		}
		several[at] = several[at] || d.Summary == setTwice
		out[at].Detail = strings.TrimSuffix(out[at].Detail, removeOne) + "\n" + strings.TrimSuffix(d.Detail, removeOne)
	}
	for at, twice := range several {
		if twice {
			out[at].Detail += "\n" + removeOneOfEach
		}
	}
	return out
}

type resolver struct {
	req     Request
	release release
	engine  string
	schema  *schema
	view    view
	out     *Resolved

	gpuSchema *schema // of the engine that a smoke run replaces; nil: it replaces none

	model python.Model // what is known of the policy
	said  []string     // what rules have for the notes

	replaced []string // what the user wrote for verl and a smoke run, or a test of a CPU, does not take
}

func (r *resolver) fail(path []string, summary, format string, args ...any) {
	r.report(sdk.SeverityError, path, summary, format, args...)
}

func (r *resolver) warn(path []string, summary, format string, args ...any) {
	r.report(sdk.SeverityWarning, path, summary, format, args...)
}

func (r *resolver) report(severity sdk.Severity, path []string, summary, format string, args ...any) {
	r.out.Diagnostics = append(r.out.Diagnostics, sdk.Diagnostic{Severity: severity, Summary: summary, Detail: fmt.Sprintf(format, args...), Path: path})
}

// chooseEngine finds the engine before the settings are checked, because each engine has its own keys. A smoke run has
// no GPU, so that it takes verl's default engine and leaves out the keys that only the other one has.
func (r *resolver) chooseEngine(claims []*setting) error {
	for _, s := range claims {
		if engine, ok := s.value.(string); s.key == engineKey && ok && slices.Contains(engines, engine) {
			r.engine = engine
		}
	}
	if !r.req.Smoke || r.engine == defaultEngine {
		return nil
	}
	var err error
	r.gpuSchema, err = r.req.Installed.schema(r.engine)
	r.engine = defaultEngine
	return err
}

const needsGPUs = "a smoke run trains with FSDP, because this engine needs GPUs"

// settleUser checks what the user wrote for verl and keeps it.
func (r *resolver) settleUser(claims []*setting) {
	for _, s := range claims {
		if s.key == engineKey {
			r.settleEngine(s)
			continue
		}
		if s = r.check(s); s == nil {
			continue
		}
		r.settleStronger(s)
	}
}

// settleStronger sets what a user wrote unless a stronger source did, and notes the value that is not used. The last of
// several files counts, as in Hydra; two values in the spec are an error.
func (r *resolver) settleStronger(s *setting) {
	other := r.view.set[s.key]
	switch {
	case other == nil || other.weak || other.strength() <= s.strength() && framework.Equal(other.value, s.value):
	case framework.Equal(other.value, s.value):
		return
	case other.strength() > s.strength():
		r.noteReplaced(s, other)
		return
	case other.strength() == s.strength() && s.strength() > 0:
		r.twice(other, s)
		return
	default:
		r.noteReplaced(other, s)
	}
	r.view.set[s.key] = s
}

// noteReplaced notes that a value of the user is not used.
func (r *resolver) noteReplaced(user, by *setting) {
	r.replaced = append(r.replaced, fmt.Sprintf("%s: %s = %s, and not %s (%s)", standing(by), user.key, framework.Shown(by.value),
		framework.Shown(user.value), standing(user)))
}

// leftOut notes that a value of the user is not used, and why.
func (r *resolver) leftOut(user *setting, why string) {
	r.replaced = append(r.replaced, fmt.Sprintf("%s: %s = %s is not used: %s", standing(user), user.key,
		framework.Shown(user.value), why))
}

func (r *resolver) settleEngine(s *setting) {
	if r.gpuSchema != nil && s.value != defaultEngine {
		r.leftOut(s, needsGPUs)
		return
	}
	if _, ok := allowed(engineKey, r.engine, s.value); !ok {
		r.fail(s.path, "No such choice", "%s: verl takes %s there.", described(s), listed(engines))
		return
	}
	if r.release.before(v071) && r.engine != defaultEngine {
		r.fail(s.path, "No such choice", "%s: verl %s chooses its engine by the name of the configuration, which awhost does not change; 0.7.1 and later have %s.", described(s), r.req.Installed.Version, engineKey)
		return
	}
	r.settleStronger(s)
}

// twice shows two values that cannot both be.
func (r *resolver) twice(a, b *setting) {
	path := b.path
	if len(path) == 0 {
		path = a.path
	}
	r.fail(path, setTwice, "%s is %s in %s and %s in %s."+removeOne, a.key, framework.Shown(a.value), standing(a), framework.Shown(b.value), standing(b))
}

// standing is where a setting stands, for people.
func standing(s *setting) string {
	switch {
	case s.origin == fromCommand:
		return "the command line (after --)"
	case s.origin == fromOverrides:
		return "the adapter's overrides"
	case strings.HasPrefix(s.origin, fromFiles):
		return strings.TrimPrefix(s.origin, fromFiles)
	}
	if slices.ContainsFunc(knobs, func(k knob) bool { return k.path == s.origin }) {
		return "the spec (" + s.origin + ")"
	}
	return s.origin
}

// settleLayers adds the layers of a mode.
func (r *resolver) settleLayers(mode LayerMode) {
	for _, layer := range r.req.Layers {
		if layer.Mode != mode {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(layer.Values)) {
			value, err := framework.Normal(layer.Values[key])
			if err != nil {
				r.fail(nil, "Unusable setting", "%s of %s: %v.", key, layer.Origin, err)
				continue
			}
			r.settle(&setting{key: key, value: value, origin: layer.Origin}, mode)
		}
	}
}

// settle adds a value that is awhost's.
func (r *resolver) settle(s *setting, mode LayerMode) {
	other := r.view.set[s.key]
	switch {
	case other == nil || mode == Replace || mode == Require && (other.weak || other.user && other.strength() == 0):
		if other != nil && other.user && !framework.Equal(other.value, s.value) {
			r.noteReplaced(other, s)
		}
		r.view.set[s.key] = s
	case mode == Require && !framework.Equal(other.value, s.value):
		r.twice(other, s)
	}
}
