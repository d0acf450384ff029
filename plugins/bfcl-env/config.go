package bfclenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/fit"
	"github.com/awhost/awhost/sdk"
)

// config is the body of an environment "bfcl" block.
type config struct {
	Source        string   `json:"source"`
	Profile       string   `json:"profile"`
	Mode          string   `json:"mode"`
	Categories    []string `json:"categories"`
	HeldOut       float64  `json:"held_out"`
	SplitSeed     int64    `json:"split_seed"`
	StepLimit     int      `json:"step_limit"`
	SystemPrompt  *string  `json:"system_prompt"` // nil: the mode's default
	Turns         int      `json:"turns"`         // turns played per entry; 0: all
	Compatibility string   `json:"compatibility"`
	RaisingTasks  string   `json:"raising_tasks"`
}

// The values of raising_tasks, which define how tasks whose ground truth raises an exception are treated.
const (
	raisingRefuse   = "refuse"
	raisingLeaveOut = "leave_out"
	raisingPlay     = "play"
)

func defaults() config {
	return config{Profile: "v4", Mode: "tools", HeldOut: 0.5, SplitSeed: 1, StepLimit: 20, Compatibility: "corrected",
		RaisingTasks: raisingRefuse}
}

var profiles = map[string]api.Profile{"v4": api.V4, "v3": api.V3, "envtuning": api.EnvTuning}

// version returns the version of BFCL's data that the profile requires.
func (c config) version() string {
	if c.Profile == "v4" {
		return "v4"
	}
	return "v3"
}

// parse decodes and checks a block, except for the data that it names.
func parse(raw json.RawMessage) (config, []sdk.Diagnostic) {
	c := defaults()
	var wrong *json.UnmarshalTypeError
	switch err := sdk.DecodeConfig(raw, &c); {
	case errors.As(err, &wrong) && numbers[wrong.Type.Kind()] != "" && strings.HasPrefix(wrong.Value, "number "):
		return c, problem("Wrong number", fmt.Sprintf("%s has to be %s; it is %s.", wrong.Field, numbers[wrong.Type.Kind()],
			strings.TrimPrefix(wrong.Value, "number ")), wrong.Field)
	case err != nil:
		return c, problem("BFCL cannot read its configuration", err.Error())
	}
	if c.Categories == nil { // not set in defaults(): a null in the list would keep the default's element
		c.Categories = slices.Clone(data.Categories)
	}
	if len(c.Categories) == 0 {
		return c, problem("No category is left", "List at least one of "+strings.Join(data.Categories, ", ")+".",
			"categories")
	}
	if err := data.CheckCategories(c.Categories); err != nil {
		return c, problem("Wrong categories", err.Error(), "categories")
	}
	if c.Mode == "envtuning" && c.Profile == "v4" {
		return c, problem("This way to play needs older functions",
			`EnvTuning plays with the functions of version 3: set profile to "envtuning" or "v3".`, "profile")
	}
	return c, nil
}

// numbers describes the valid values of each kind of number.
var numbers = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Int64: "a whole number of at most 64 bits",
	reflect.Float64: "a number of at most 64 bits",
}

// validateEnvironment checks the data and the rules that the schema cannot express.
func validateEnvironment(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c, problems := parse(raw)
	var known map[string]json.RawMessage
	if len(problems) > 0 || json.Unmarshal(raw, &known) != nil || c.Source == "" { // the source may not be set yet
		return problems
	}
	if known["profile"] == nil || known["categories"] == nil { // the host sends defaults: they are not known yet
		_, err := data.Open(c.Source, data.Options{Version: c.version(), Categories: data.Categories[:1]})
		if err == nil || errors.As(err, new(*data.VersionError)) {
			return nil
		}
		return problem("BFCL's data cannot be read", err.Error(), "source")
	}
	_, problems = c.open()
	return problems
}

func problem(summary, detail string, path ...string) []sdk.Diagnostic {
	return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}}
}

// open reads the data and checks whether its function documents match the profile's functions. It returns the data
// together with problems that are only warnings.
func (c config) open() (*data.Set, []sdk.Diagnostic) {
	set, err := data.Open(c.Source, data.Options{Version: c.version(), Categories: c.Categories})
	var other *data.VersionError
	switch {
	case errors.As(err, &other):
		return nil, problem("BFCL's data are of another version", c.explain(other), "source")
	case err != nil:
		return nil, problem("BFCL's data cannot be read", err.Error(), "source")
	}
	report := fit.Judge(set, profiles[c.Profile])
	if len(report.Documents) > 0 {
		return nil, problem("BFCL's data are of other functions", c.describeMismatch(report.Documents), "source")
	}
	problems := c.applyRaisingTasks(set, report.Raised)
	if failed(problems) || report.Release != "" {
		return set, problems
	}
	return set, append(problems, warning("BFCL's data are of no known release", fmt.Sprintf(
		"The data of %s (%s) are not those of a release of bfcl-eval that is known to fit profile %q (%s). Its documents agree with the functions, and each of its ground truths was played once, %d calls: %s.",
		c.Source, set.Digest, c.Profile, data.Releases(c.version()), report.Calls,
		describeRaised(len(report.Raised))), "source")...)
}

func describeRaised(raised int) string {
	if raised == 0 {
		return "none raised an exception"
	}
	return fmt.Sprintf("that of %d tasks raised an exception", raised)
}

// describeMismatch explains that the data documents other functions, and names releases that match.
func (c config) describeMismatch(documents []string) string {
	return fmt.Sprintf("What %s says of the functions does not fit profile %q: %s. A right call would be judged wrong. Releases of bfcl-eval that fit: %s for the profiles v3 and envtuning, %s for v4; %s gets one for profile %q.",
		c.Source, c.Profile, shortened(documents, "; "), data.Releases("v3"), data.Releases("v4"), data.Download(c.version()),
		c.Profile)
}

// applyRaisingTasks applies raising_tasks to the tasks whose ground truth raises an exception.
func (c config) applyRaisingTasks(set *data.Set, raised []fit.Raise) []sdk.Diagnostic {
	if len(raised) == 0 {
		return nil
	}
	names := make([]string, len(raised))
	for i, r := range raised {
		names[i] = r.String()
	}
	what := fmt.Sprintf("With profile %q the ground truth of %d of the %d tasks of %s raises an exception, so that a right call is punished: %s.",
		c.Profile, len(raised), len(set.Entries), c.Source, strings.Join(names, ", "))
	switch c.RaisingTasks {
	case raisingPlay:
		return warning("Tasks whose ground truth raises are played", what, "raising_tasks")
	case raisingLeaveOut:
		if len(raised) == len(set.Entries) {
			return problem("No task is left", what, "source")
		}
		set.Remove(func(id string) bool {
			return slices.ContainsFunc(raised,
				func(r fit.Raise) bool { return r.ID == id })
		})
		return warning("Tasks whose ground truth raises are left out", what, "raising_tasks")
	}
	return problem("The ground truth of tasks raises", what+
		` Set raising_tasks = "leave_out" to do without them, or to "play" if that is meant.`, "source")
}

// failed reports whether a problem is more than a warning.
func failed(problems []sdk.Diagnostic) bool {
	return slices.ContainsFunc(problems, func(d sdk.Diagnostic) bool { return d.Severity == sdk.SeverityError })
}

func warning(summary, detail string, path ...string) []sdk.Diagnostic {
	return []sdk.Diagnostic{{Severity: sdk.SeverityWarning, Summary: summary, Detail: detail, Path: path}}
}

// maxListed is the maximum number of items that shortened lists.
const maxListed = 6

func shortened(clauses []string, separator string) string {
	if more := len(clauses) - maxListed; more > 0 {
		return strings.Join(clauses[:maxListed], separator) + fmt.Sprintf("%sand %d more", separator, more)
	}
	return strings.Join(clauses, separator)
}

// explain describes the remedies for data from another version.
func (c config) explain(other *data.VersionError) string {
	remedy := ""
	switch {
	case other.Has == "v3":
		remedy = `set profile to "v3" or "envtuning", or `
	case c.Mode != "envtuning":
		remedy = `set profile to "v4", or `
	}
	return fmt.Sprintf("%s is BFCL's data of version %s, and profile %q needs version %s: %sget version %s with %s.",
		other.Source, other.Has[1:], c.Profile, other.Wants[1:], remedy, other.Wants[1:], data.Download(other.Wants))
}
