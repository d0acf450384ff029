package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

// harnesses defines how real harnesses are given the policy's address, and how many requests they send to a failed
// engine before they exit. Claude Code sends a second one if its stream had begun, and opencode requests a title in
// addition to its task.
var harnesses = map[string]struct {
	program string
	args    []string
	most    int64
	beside  int // requests that may reach the policy, because they are sent at the same time
	files   map[string]string
	env     []string
}{
	"codex": {program: "codex", most: 1, args: []string{
		"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "say hi",
	}, env: []string{"CODEX_HOME={{HOME}}", "AW_KEY={{KEY}}"}, files: map[string]string{"config.toml": `model = "policy"
model_provider = "aw"
[model_providers.aw]
name = "aw"
base_url = "{{URL}}/v1"
env_key = "AW_KEY"
wire_api = "responses"
`}},
	"claude-code": {program: "claude", most: 2, args: []string{
		"-p", "say hi", "--dangerously-skip-permissions",
	}, env: []string{
		"ANTHROPIC_BASE_URL={{URL}}", "ANTHROPIC_API_KEY={{KEY}}", "ANTHROPIC_MODEL=policy",
		"CLAUDE_CONFIG_DIR={{HOME}}/c", "IS_SANDBOX=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	}},
	"qwen-code": {program: "qwen", most: 1, args: []string{"-y", "--auth-type", "openai", "-p", "say hi"}, env: []string{
		"OPENAI_BASE_URL={{URL}}/v1", "OPENAI_API_KEY={{KEY}}", "OPENAI_MODEL=policy",
	}},
	"opencode": {program: "opencode", most: 2, beside: 1, args: []string{"run", "say hi"}, env: []string{
		"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
	}, files: map[string]string{".config/opencode/opencode.json": `{
  "provider": {"aw": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "{{URL}}/v1", "apiKey": "{{KEY}}"},
    "models": {"policy": {"tool_call": true}}}},
  "autoupdate": false, "share": "disabled", "model": "aw/policy", "small_model": "aw/policy"
}
`}},
}

// TestHarnesses_EndWithADeadEngine checks that real harnesses, which retry as long as it may help, exit when their
// episode has failed permanently, and when it has ended.
func TestHarnesses_EndWithADeadEngine(t *testing.T) {
	folder := os.Getenv("AWHOST_HARNESSES")
	if folder == "" {
		t.Skip("set AWHOST_HARNESSES=$(.ci/harnesses all) to end real harnesses")
	}
	for name, h := range harnesses {
		program := filepath.Join(folder, name, "node_modules", ".bin", h.program)
		if _, err := os.Stat(program); err != nil {
			t.Logf("SKIPPED: %s is not installed", name)
			continue
		}
		for _, over := range []bool{false, true} {
			t.Run(name+map[bool]string{false: ", failed", true: ", over"}[over], func(t *testing.T) {
				p := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
					return nil, errGone
				}}
				g, err := Listen(Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				e, end := g.Grant(t.Context(), Lease{Model: p})
				if over {
					end()
				}
				home := t.TempDir()
				front, requests := counted(t, g)
				fill := strings.NewReplacer("{{HOME}}", home, "{{URL}}", front, "{{KEY}}", e.APIKey)
				for file, text := range h.files {
					path := filepath.Join(home, file)
					if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(fill.Replace(text)), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
				for _, variable := range h.env {
					env = append(env, fill.Replace(variable))
				}
				said := runProgram(t, filepath.Join(home, "work"), env, program, h.args...)
				asked := 1 + h.beside
				if over {
					asked = 0
				}
				if n := requests.Load(); n == 0 || n > h.most || len(p.asked()) > asked {
					t.Errorf("%d requests, of which %d reached the policy; it says %s", n, len(p.asked()), said)
				} else {
					t.Logf("%d requests", n)
				}
			})
		}
	}
}

// counted returns the URL of a proxy to a gateway, and its count of POST requests.
func counted(t *testing.T, g *Gateway) (string, *atomic.Int64) {
	t.Helper()
	target, err := url.Parse(g.URL())
	if err != nil {
		t.Fatal(err)
	}
	requests := &atomic.Int64{}
	transport := &http.Transport{DisableKeepAlives: true}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, Transport: transport}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			requests.Add(1)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL, requests
}

// runProgram runs a program until it exits, and returns its output.
func runProgram(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its leftover processes
	if ctx.Err() != nil {
		t.Errorf("it does not end: %v", err)
	}
	return string(out[max(0, len(out)-500):])
}
