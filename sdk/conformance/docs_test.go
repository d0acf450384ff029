package conformance_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk/conformance"
)

var update = flag.Bool("update", false, "write the list of checks into CHECKS.md, and its size into the documentation")

// Each check in the list has a mutant: TestChecks_EachHasAMutantThatFailsItAlone kills them all.
//
//go:generate go test -count=1 -run ^TestDocs_ListAllChecks$ . -update
func TestDocs_ListAllChecks(t *testing.T) {
	var list, sizes strings.Builder
	all := conformance.Checks()
	broken, sizeOf := 0, map[string]int{}
	for _, c := range all {
		broken += len(mutants(c.ID))
		name, _, _ := strings.Cut(c.ID, "-")
		sizeOf[name]++
	}
	fmt.Fprintf(&sizes, "%d checks, and %d mutants that fail them.\n\n", len(all), broken)
	sizes.WriteString("| group | checks | of |\n|---|---|---|\n")
	group := ""
	for _, c := range all {
		if name, _, _ := strings.Cut(c.ID, "-"); name != group {
			group = name
			fmt.Fprintf(&sizes, "| `%s` | %d | %s |\n", group, sizeOf[group], groups[group])
			fmt.Fprintf(&list, "\n## %s: %s\n\n", group, groups[group])
		}
		list.WriteString(readme.Item(fmt.Sprintf("* `%s`%s: %s", c.ID, condition(c), strings.TrimPrefix(c.Title, "it "))))
	}
	readme.CheckTablesOf(t, "../../docs/reference/conformance.md", *update, map[string]string{"checks": sizes.String()})
	readme.CheckTablesOf(t, "CHECKS.md", *update, map[string]string{"checks": list.String()})
}

// The GitLab job in the documentation, with this repository instead of the published one.
func TestDocs_TheGitLabJobRuns(t *testing.T) {
	if !testlevel.Slow() {
		t.Skip("SKIPPED: AWHOST_SLOW is not set: the job builds awhost from a clone")
	}
	page, err := os.ReadFile("../../docs/reference/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	var jobs map[string]struct {
		Script    []string `yaml:"script"`
		Artifacts struct {
			Reports map[string]string `yaml:"reports"`
		} `yaml:"artifacts"`
	}
	if err := yaml.Unmarshal([]byte(text), &jobs); err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Rename(build(t, "../../examples/rewards/exact"), filepath.Join(dir, "my-reward")); err != nil {
		t.Fatal(err)
	}
	fixtures, err := os.ReadFile("../../examples/rewards/exact/conformance.json")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "conformance.json"), fixtures, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs {
		cmd := exec.CommandContext(t.Context(), "sh", "-exc", strings.Join(job.Script, "\n"))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CI_PROJECT_DIR="+dir, "AWHOST_ENDURANCE=3s", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=url.file://"+top+".insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/awhost/awhost.git")
		if out, err := cmd.CombinedOutput(); err != nil || len(job.Script) < 3 {
			t.Fatalf("%v\n%s", err, out)
		}
		report, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["junit"]))
		if err != nil || !strings.Contains(string(report), `<property name="conforms" value="true">`) {
			t.Errorf("%v\n%s", err, report)
		}
	}
}

var groups = map[string]string{
	"PROC": "the process", "COM": "every component", "ENV": "environments", "RWD": "rewards", "ADP": "adapters",
	"AGT": "agents",
}

// condition returns the level of a check that is not a MUST, and the capability that the check needs.
func condition(c conformance.Check) string {
	var parts []string
	if c.Level != conformance.Must {
		parts = append(parts, string(c.Level))
	}
	if c.Needs != "" {
		parts = append(parts, "`"+string(c.Needs)+"`")
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
