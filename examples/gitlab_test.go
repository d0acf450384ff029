package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/awhost/awhost/internal/testlevel"
)

// The GitLab job in the documentation, with this repository instead of the published one.
func TestConformance_GitLabJob(t *testing.T) {
	if !testlevel.Slow() {
		t.Skip("SKIPPED: AWHOST_SLOW is not set: the job builds awhost from a clone")
	}
	page, err := os.ReadFile("../docs/reference/conformance.md")
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
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	built := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "my-reward"), "./rewards/exact")
	if out, err := built.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fixtures, err := os.ReadFile("rewards/exact/conformance.json")
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
