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
	r, err := merged(req)
	switch {
	case err != nil:
		return nil, err
	case r.release.Before(v060):
		return r.out, nil // nothing that follows would be true of it
	}
	r.settleLayers()
	r.chooseTrainer()
	r.settleOwned(ownedKeys(r))
	r.settleKnobs()
	r.fill()
	r.finish()
	r.out.Diagnostics = gathered(r.out.Diagnostics)
	return r.out, nil
}

// merged merges what the user wrote in verl's own words.
func merged(req Request) (*resolver, error) {
	r := &resolver{
		req: req, release: req.Installed.Release, engine: defaultEngine, view: &framework.Settings{},
	}
	r.out = &Resolved{Settings: r.view, Version: req.Installed.Version, Module: "verl.trainer.main_ppo"}
	r.out.Diagnostics = req.Installed.support()
	if r.release.Before(v060) {
		return r, nil
	}
	claims := r.claims()
	if err := r.chooseEngine(claims); err != nil {
		return nil, err
	}
	schema, err := req.Installed.schema(r.engine)
	r.schema, r.view.Schema = schema, schema
	r.out.Diagnostics = append(r.out.Diagnostics, verl.Warning(&req.Installed.Installed, req.Installed.Configuration)...)
	if err == nil {
		r.settleUser(claims)
	}
	return r, err
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
	schema  *framework.Schema
	view    *framework.Settings
	out     *Resolved

	gpuSchema *framework.Schema // of the engine that a smoke run replaces; nil: it replaces none

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
		if engine, ok := s.Value.(string); s.Key == engineKey && ok && slices.Contains(engines, engine) {
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
		if s.Key == engineKey {
			r.settleEngine(s)
			continue
		}
		if s = r.check(s); s == nil {
			continue
		}
		r.view.Set(s)
	}
}

// checkReplaced reports the values of the user that do not count: an error if awhost needs or counts with another one.
func (r *resolver) checkReplaced() {
	for _, p := range r.view.Replaced() {
		s, by := p.Setting, p.By
		fromFile, owned := s.Level == framework.File, by.Level == framework.Owned
		switch counted := slices.Contains(hostCounts, s.Origin); {
		case s.Level == framework.Spec && (by.Level == framework.SmokeRun || by.Yields):
		case s.Level == framework.Spec && counted, owned && !by.Yields && by.Why == "" && !fromFile:
			r.twice(s, by)
		case owned && by.Why != "" && fromFile:
			r.leftOut(s, by.Why)
		case owned && by.Why != "":
			r.contradicts(s, by)
		default:
			r.noteReplaced(s, by)
		}
	}
}

// noteReplaced notes that a value of the user is not used.
func (r *resolver) noteReplaced(user, by *setting) {
	r.replaced = append(r.replaced, fmt.Sprintf("%s: %s = %s, and not %s (%s)", standing(by), user.Key,
		framework.Shown(by.Value), framework.Shown(user.Value), standing(user)))
}

// leftOut notes that a value of the user is not used, and why.
func (r *resolver) leftOut(user *setting, why string) {
	r.replaced = append(r.replaced, fmt.Sprintf("%s: %s = %s is not used: %s", standing(user), user.Key,
		framework.Shown(user.Value), why))
}

func (r *resolver) settleEngine(s *setting) {
	if r.gpuSchema != nil && s.Value != defaultEngine {
		r.leftOut(s, needsGPUs)
		return
	}
	if _, ok := allowed(engineKey, r.engine, s.Value); !ok {
		r.fail(s.Path, "No such choice", "%s: verl takes %s there.", described(s), listed(engines))
		return
	}
	if r.release.Before(v071) && r.engine != defaultEngine {
		r.fail(s.Path, "No such choice", "%s: verl %s chooses its engine by the name of the configuration, which awhost does not change; 0.7.1 and later have %s.", described(s), r.req.Installed.Version, engineKey)
		return
	}
	r.view.Set(s)
}

// twice shows two values that cannot both be.
func (r *resolver) twice(a, b *setting) {
	path := b.Path
	if len(path) == 0 {
		path = a.Path
	}
	r.fail(path, setTwice, "%s is %s in %s and %s in %s."+removeOne, a.Key, framework.Shown(a.Value), standing(a), framework.Shown(b.Value), standing(b))
}

// standing is where a setting stands, for people.
func standing(s *setting) string {
	switch {
	case s.Origin == framework.FromCommand:
		return "the command line (after --)"
	case s.Origin == framework.FromOverrides:
		return "the adapter's overrides"
	case s.Level == framework.File:
		return strings.TrimPrefix(s.Origin, framework.FromFiles)
	}
	if slices.ContainsFunc(knobs, func(k knob) bool { return k.path == s.Origin }) {
		return "the spec (" + s.Origin + ")"
	}
	return s.Origin
}

// settleLayers adds the further sources of the request. Defaults need no place where another value is.
func (r *resolver) settleLayers() {
	for _, layer := range r.req.Layers {
		for _, key := range slices.Sorted(maps.Keys(layer.Values)) {
			if layer.Level == framework.Default && r.view.Get(key) != nil {
				continue
			}
			r.view.Set(&setting{Key: key, Value: layer.Values[key], Level: layer.Level, Origin: layer.Origin, Yields: layer.Yields})
		}
	}
}
