package metric_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/sdk/metric"
)

var update = flag.Bool("update", false, "write docs/reference/metrics.md")

// Each name must be defined in this package only.
func TestNames_HaveOneHome(t *testing.T) {
	var known []string
	for _, m := range metric.All() {
		known = append(append(known, m.Name), m.Aliases...)
	}
	root, name := filepath.Join("..", ".."), regexp.MustCompile(`^(train|validation)/[a-z_]+$`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "proto" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		isHome := path == filepath.Join(root, "sdk", "metric", "metric.go")
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || isHome {
			return nil
		}
		isExample := strings.HasPrefix(path, filepath.Join(root, "examples")) // may have its own metrics
		for _, literal := range literals(t, path) {
			if name.MatchString(literal) && (slices.Contains(known, literal) || !isExample) {
				t.Errorf("%s has %q: name it in sdk/metric, and write metric.…", path, literal)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func literals(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

func TestAll_IsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range metric.All() {
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if m.Label == "" || m.Meaning == "" {
			t.Errorf("%s has no label, or no meaning", m.Name)
		}
		begins := func(beginning string) bool { return strings.HasPrefix(m.Name, beginning) }
		if !slices.ContainsFunc([]string{metric.Training, metric.Validation, metric.Conversations, metric.Agents,
			metric.Policy}, begins) {
			t.Errorf("%s belongs to no family of names", m.Name)
		}
	}
}

// docs/reference/metrics.md must equal the page generated from this package.
//
//go:generate go test -count=1 -run ^TestPage_IsUpToDate$ . -update
func TestPage_IsUpToDate(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "reference", "metrics.md")
	want := page()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s differs from sdk/metric: run go generate ./sdk/metric", path)
	}
}

func page() string {
	var out strings.Builder
	out.WriteString(`# Metrics

The metrics of a step in ` + "`show`, `compare`, `--json`, and `metrics.jsonl`" + `. Adapters may report others.
The list is generated from [sdk/metric](../../sdk/metric/metric.go).

`)
	for _, m := range metric.All() {
		unit := ""
		if m.Unit != "" {
			unit = " (" + m.Unit + ")"
		}
		out.WriteString(readme.Item(fmt.Sprintf("* `%s`%s: %s", m.Name, unit, m.Meaning)))
	}
	fmt.Fprintf(&out, "* `%s…`, `%s…`: means of score items, by address and name\n",
		metric.Components, metric.ValidationComponents)
	out.WriteString(readme.Item(fmt.Sprintf("* `%sAGENT` with `%s`, `%s`, `%s`: tokens of members "+
		"of a swarm, and of members with served models, over all episodes",
		metric.Members, metric.MemberTurns, metric.MemberPromptTokens, metric.MemberOutputTokens)))
	fmt.Fprintf(&out, "* `%sAGENT%s` (US dollars): cost of a served model in the step\n",
		metric.Members, metric.MemberCost)
	out.WriteString(readme.Item(fmt.Sprintf("* `%sTOOL` with `%s`, `%s`: calls of a tool, and its answers with an error; "+
		"`(unknown)` sums names that the environment does not offer", metric.Tools, metric.ToolCalls, metric.ToolErrors)))
	fmt.Fprintf(&out, "* `%sTOOL%s` (s): time of a tool's calls\n", metric.ToolTiming, metric.TimingSum)
	fmt.Fprintf(&out, "* `%sRULE` (episodes): with a conversation in which a [rule](%s#scans) holds\n", metric.Scans,
		"../guides/when-it-does-not-learn.md")
	fmt.Fprintf(&out, "* `%sLIMIT`, `%sCLASS` (episodes): cut by a limit; failed with a class\n",
		metric.CutBy, metric.FailedBy)
	out.WriteString(readme.Item(fmt.Sprintf("* `%sFEATURE`: correlation, within groups, of the reward with `success`, "+
		"`length`, `punctuation`, `repetition`, `opening`, `ending` of the policy's messages", metric.RewardFollows)))
	fmt.Fprintf(&out, "* `%s/CHECK`, `%s/CHECK` (fraction): rates by [check](../guides/madness.md)\n",
		metric.MadnessRate, metric.ValidationMadnessRate)
	return out.String()
}
