package settings

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// keyForm is a key that Hydra reads: names with dots between them.
var keyForm = regexp.MustCompile(`^[A-Za-z_$][\w$-]*(\.[A-Za-z0-9_$][\w$-]*)*$`)

// check holds a user's setting against what the installed verl takes. It returns the setting as it is to be used, or
// nil after it has said what is wrong.
func (r *resolver) check(s *setting) *setting {
	if strings.HasPrefix(s.Key, "~") && s.Origin == framework.FromCommand {
		r.fail(nil, "Deletion of a setting", "%s: awhost cannot delete a setting of verl. Set it to null (%s=null) if that "+
			"is meant.", s.Key, s.Key[1:])
		return nil
	}
	if !keyForm.MatchString(s.Key) {
		r.fail(s.Path, "No key of verl", "%s: %q is no key: names with dots between them are, actor_rollout_ref.rollout.n for example.", s.Origin, s.Key)
		return nil
	}
	if strings.HasPrefix(s.Key, "hydra.") || s.Key == "hydra" {
		r.fail(s.Path, "Setting of Hydra", "%s: awhost sets up Hydra itself, so that it finds what verl composed. Remove it.", described(s))
		return nil
	}
	if s = r.moved(s); s == nil {
		return nil
	}
	at := r.schema.At(s.Key)
	if at.Kind == framework.Unknown && r.gpuSchema != nil && r.gpuSchema.At(s.Key).Kind != framework.Unknown {
		r.leftOut(s, needsGPUs)
		return nil
	}
	if at.Kind == framework.Unknown && (s.Mark == "" || at.Strict) {
		r.unknown(s, at)
		return nil
	}
	if names := r.schema.Names(s.Key); at.Kind == framework.Section {
		r.fail(s.Path, "A group of settings", "%s: verl has a group of settings there, not one value. Write %s.%s for example.", described(s), s.Key, names[len(names)-1])
		return nil
	}
	return r.checkTools(r.checkValue(s))
}

// checkTools leaves out the tools of verl's own agent loops: since 0.8 every worker loads them and dies where the file is
// not there, as with the dummy that AWorld's recipes name.
func (r *resolver) checkTools(s *setting) *setting {
	if s == nil || s.Key != rollout+"multi_turn.tool_config_path" && s.Key != rollout+"multi_turn.function_tool_path" || !framework.Truthy(s.Value) {
		return s
	}
	const why = "the tools of an episode are the environment's, and verl would load others in every worker"
	if s.Level == framework.File {
		r.warn(s.Path, "Setting left out", "%s: %s. It is left out.", described(s), why)
	} else {
		r.fail(s.Path, "Setting that awhost needs otherwise", "%s, and awhost needs it empty: %s. Remove it.", described(s), why)
	}
	return nil
}

func (r *resolver) checkValue(s *setting) *setting {
	if want := r.typeAt(s.Key); !want.Fit(s.Value) {
		r.fail(s.Path, "Wrong type", "%s: verl %s wants %s there%s.", described(s), r.req.Installed.Version, want, r.defaultOf(s.Key))
		return nil
	}
	options, ok := allowed(s.Key, r.engine, s.Value)
	if !ok {
		given := fmt.Sprint(s.Value)
		r.fail(s.Path, "No such choice", "%s: verl takes %s there.%s", described(s), listed(options), didYouMean(framework.Nearest(given, options)))
		return nil
	}
	return s
}

// defaultOf names the default of a key, as an example of its type.
func (r *resolver) defaultOf(key string) string {
	if value := r.schema.At(key).Default; value != nil && value != framework.Mandatory {
		return "; its default is " + framework.Shown(value)
	}
	return ""
}

// moved follows a key to where this release reads it. verl does the same itself where it still can; in all other cases
// the user must know.
func (r *resolver) moved(s *setting) *setting {
	m, ok := movedFrom(s.Key, r.release, r.schema)
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
	fromFile := s.Level == framework.File
	scores := m.to != "" && r.scores(m.to, s.Value) // its new name is refused, too
	renamed := *s
	renamed.Key = m.to
	renamed.Origin += " as " + s.Key
	switch {
	case m.byVerl(r.release):
		return &renamed
	case fromFile && scores:
		r.leftOut(s, anotherReward)
		return nil
	case fromFile && m.to != "" && m.why == "":
		r.warn(s.Path, "Setting that moved", "%s: %s. The value is used there.", described(s), successor)
		return &renamed
	case fromFile && m.to == "":
		r.warn(s.Path, "Setting left out", "%s: verl %s %s%s. It is left out.", described(s), version, gone, why)
		return nil
	case m.to == "":
		r.fail(s.Path, "Setting that is gone", "%s: verl %s %s%s. Remove it.", described(s), version, gone, why)
		return nil
	case scores:
		r.fail(s.Path, "Setting that awhost needs otherwise", "%s: %s, and awhost refuses both: %s. Remove it.",
			described(s), successor, anotherReward)
		return nil
	}
	r.fail(s.Path, "Setting that moved", "%s: %s%s. Write that instead.", described(s), successor, why)
	return nil
}

// unknown names the key that was meant, as far as that can be guessed.
func (r *resolver) unknown(s *setting, at framework.Place) {
	version := r.req.Installed.Version
	if engine := r.engineWith(s.Key); engine != "" {
		r.fail(s.Path, "Setting of another engine", "%s: only the engine %s has it. Set %s = %s, or remove the setting.",
			described(s), engine, engineKey, engine)
		return
	}
	suggestion := didYouMean(r.schema.Nearest(s.Key))
	if at.Strict {
		r.fail(s.Path, "Unknown setting of verl", "%s: verl %s builds that group into a class without such a field, so not even + makes it one.%s", described(s), version, suggestion)
		return
	}
	r.fail(s.Path, "Unknown setting of verl", "%s: verl %s has no such setting.%s Write +%s if your own code reads it.", described(s), version, suggestion, s.Key)
}

// engineWith returns the other engine of verl that has a key.
func (r *resolver) engineWith(key string) string {
	for _, engine := range engines {
		if other, err := r.req.Installed.schema(engine); engine != r.engine && err == nil && other.Has(key) {
			return engine
		}
	}
	return ""
}

func didYouMean(key string) string {
	if key == "" {
		return ""
	}
	return " Did you mean " + key + "?"
}

// described is a setting for a message: key = value (origin).
func described(s *setting) string {
	return fmt.Sprintf("%s = %s (%s)", s.Key, framework.Shown(s.Value), s.Origin)
}

func listed(options []string) string { return strings.Join(options, ", ") }
