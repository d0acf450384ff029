package settings

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/awhost/awhost/sdk/framework"
)

// check holds a user's setting against what the installed verl takes. It returns the setting as it is to be used, or
// nil after it has said what is wrong.
func (r *resolver) check(s *setting) *setting {
	if !keyForm.MatchString(s.key) {
		r.fail(s.path, "No key of verl", "%s: %q is no key: names with dots between them are, actor_rollout_ref.rollout.n for example.", s.origin, s.key)
		return nil
	}
	if strings.HasPrefix(s.key, "hydra.") || s.key == "hydra" {
		r.fail(s.path, "Setting of Hydra", "%s: awhost sets up Hydra itself, so that it finds what verl composed. Remove it.", described(s))
		return nil
	}
	if s = r.moved(s); s == nil {
		return nil
	}
	at := r.schema.at(s.key)
	if at.kind == unknown && r.gpuSchema != nil && r.gpuSchema.at(s.key).kind != unknown {
		r.leftOut(s, needsGPUs)
		return nil
	}
	if at.kind == unknown && (s.mark == change || at.strict) {
		r.unknown(s, at)
		return nil
	}
	if at.kind == section {
		r.fail(s.path, "A group of settings", "%s: verl has a group of settings there, not one value. Write %s.%s for example.", described(s), s.key, at.leaf.Names[len(at.leaf.Names)-1])
		return nil
	}
	return r.checkTools(r.checkValue(s))
}

// checkTools leaves out the tools of verl's own agent loops: since 0.8 every worker loads them and dies where the file is
// not there, as with the dummy that AWorld's recipes name.
func (r *resolver) checkTools(s *setting) *setting {
	if s == nil || s.key != rollout+"multi_turn.tool_config_path" && s.key != rollout+"multi_turn.function_tool_path" || !framework.Truthy(s.value) {
		return s
	}
	const why = "the tools of an episode are the environment's, and verl would load others in every worker"
	if strings.HasPrefix(s.origin, fromFiles) {
		r.warn(s.path, "Setting left out", "%s: %s. It is left out.", described(s), why)
	} else {
		r.fail(s.path, "Setting that awhost needs otherwise", "%s, and awhost needs it empty: %s. Remove it.", described(s), why)
	}
	return nil
}

func (r *resolver) checkValue(s *setting) *setting {
	if want := r.schema.typeAt(s.key); !want.fits(s.value) {
		r.fail(s.path, "Wrong type", "%s: verl %s wants %s there%s.", described(s), r.req.Installed.Version, want, r.defaultOf(s.key))
		return nil
	}
	options, ok := allowed(s.key, r.engine, s.value)
	if !ok {
		given := fmt.Sprint(s.value)
		r.fail(s.path, "No such choice", "%s: verl takes %s there.%s", described(s), listed(options), didYouMean(framework.Nearest(given, options)))
		return nil
	}
	return s
}

// defaultOf names the default of a key, as an example of its type.
func (r *resolver) defaultOf(key string) string {
	if at := r.schema.at(key); at.kind == known && at.leaf.Value != nil && at.leaf.Value != mandatory {
		return "; its default is " + framework.Shown(at.leaf.Value)
	}
	return ""
}

// moved follows a key to where this release reads it. verl does the same itself where it still can; in all other cases
// the user must know.
func (r *resolver) moved(s *setting) *setting {
	m, ok := movedFrom(s.key, r.release, r.schema)
	if !ok {
		return s
	}
	why := ""
	if m.why != "" {
		why = ": " + m.why
	}
	version := r.req.Installed.Version
	gone, successor := "has no such setting", "in verl "+version+" it is "+m.to
	if m.inert || m.also != (release{}) {
		gone = "accepts this setting and ignores it"
		successor = "verl " + version + " " + gone + ", because it reads " + m.to
	}
	fromFile := strings.HasPrefix(s.origin, fromFiles)
	scores := m.to != "" && r.scores(m.to, s.value) // its new name is refused, too
	renamed := *s
	renamed.key = m.to
	renamed.origin += " as " + s.key
	switch {
	case m.byVerl(r.release):
		return &renamed
	case fromFile && scores:
		r.leftOut(s, anotherReward)
		return nil
	case fromFile && m.to != "" && m.why == "":
		r.warn(s.path, "Setting that moved", "%s: %s. The value is used there.", described(s), successor)
		return &renamed
	case fromFile && m.to == "":
		r.warn(s.path, "Setting left out", "%s: verl %s %s%s. It is left out.", described(s), version, gone, why)
		return nil
	case m.to == "":
		r.fail(s.path, "Setting that is gone", "%s: verl %s %s%s. Remove it.", described(s), version, gone, why)
		return nil
	case scores:
		r.fail(s.path, "Setting that awhost needs otherwise", "%s: %s, and awhost refuses both: %s. Remove it.",
			described(s), successor, anotherReward)
		return nil
	}
	r.fail(s.path, "Setting that moved", "%s: %s%s. Write that instead.", described(s), successor, why)
	return nil
}

// unknown names the key that was meant, as far as that can be guessed.
func (r *resolver) unknown(s *setting, at place) {
	version := r.req.Installed.Version
	if engine := r.engineWith(s.key); engine != "" {
		r.fail(s.path, "Setting of another engine", "%s: only the engine %s has it. Set %s = %s, or remove the setting.",
			described(s), engine, engineKey, engine)
		return
	}
	suggestion := didYouMean(r.nearestKey(s.key))
	if at.strict {
		r.fail(s.path, "Unknown setting of verl", "%s: verl %s builds that group into a class without such a field, so not even + makes it one.%s", described(s), version, suggestion)
		return
	}
	r.fail(s.path, "Unknown setting of verl", "%s: verl %s has no such setting.%s Write +%s if your own code reads it.", described(s), version, suggestion, s.key)
}

// engineWith returns the other engine of verl that has a key.
func (r *resolver) engineWith(key string) string {
	for _, engine := range engines {
		if other, err := r.req.Installed.schema(engine); engine != r.engine && err == nil && other.has(key) {
			return engine
		}
	}
	return ""
}

// nearestKey looks among the neighbours first, then for the same name elsewhere, then for anything like it.
func (r *resolver) nearestKey(key string) string {
	all := r.schema.keys()
	prefix, name, _ := cutLast(key)
	if above := r.schema.at(prefix); above.kind == section {
		if near := framework.Nearest(name, r.schema.siblings(above.leaf)); near != "" {
			return framework.JoinKey(prefix, near)
		}
	}
	var same []string
	for _, candidate := range all {
		if strings.HasSuffix(candidate, "."+name) {
			same = append(same, candidate)
		}
	}
	best, distance := "", len(key)
	for _, candidate := range same {
		if d := levenshtein.Distance(key, candidate, nil); d < distance || best == "" {
			best, distance = candidate, d
		}
	}
	if best != "" {
		return best
	}
	return framework.Nearest(key, all)
}

func didYouMean(key string) string {
	if key == "" {
		return ""
	}
	return " Did you mean " + key + "?"
}

// described is a setting for a message: key = value (origin).
func described(s *setting) string {
	return fmt.Sprintf("%s = %s (%s)", s.key, framework.Shown(s.value), s.origin)
}

func listed(options []string) string { return strings.Join(options, ", ") }
