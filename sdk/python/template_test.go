package python_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

const (
	plain = "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}"
	// dropping renders thinking only in the last message.
	dropping = "{% for m in messages %}<{{ m.role }}>" +
		"{{ m.content if loop.last else m.content.split('</think>')[-1] }}<end>{% endfor %}"
)

// templated creates a model with a chat template.
func templated(t *testing.T, template string) string {
	t.Helper()
	dir := folder(t, "tokenizer_config.json", `{"eos_token":"<end>"}`)
	if err := os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// activate makes program the Python of the shell's virtual environment.
func activate(t *testing.T, program string) {
	t.Helper()
	venv := t.TempDir()
	if err := os.Mkdir(filepath.Join(venv, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(venv, "bin", "python"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VIRTUAL_ENV", venv)
}

// withJinja uses the Python on PATH, and skips the test if it lacks jinja2.
func withJinja(t *testing.T) {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not on PATH")
	}
	if err := exec.Command(program, "-I", "-c", "import jinja2").Run(); err != nil {
		t.Skipf("SKIPPED: %s has no jinja2 to render templates with", program)
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("HF_HUB_CACHE", t.TempDir())
}

func planned(t *testing.T, c python.ChatTemplate) *sdk.PlanResponse {
	t.Helper()
	out := &sdk.PlanResponse{}
	c.Plan(t.Context(), out)
	return out
}

func TestChatTemplate_SaysWhichRowsFollow(t *testing.T) {
	withJinja(t)
	type asked = python.ChatTemplate
	model, branching := templated(t, plain), "{% if keep %}"+plain+"{% else %}"+dropping+"{% endif %}"
	for name, c := range map[string]struct {
		template asked
		want     string
	}{
		"a template that only appends": {asked{Model: model}, "only appends: a conversation is one row."},
		"one that drops thinking":      {asked{Model: templated(t, dropping)}, "drops earlier thinking"},
		"another than the model's":     {asked{Model: model, Template: dropping}, "drops earlier thinking"},
		"one that an argument changes": {
			asked{Model: templated(t, branching), Kwargs: map[string]any{"keep": true}}, "only appends",
		},
		"one for other machines":          {asked{Model: model, Elsewhere: true}, "one row. This holds for this machine"},
		"one that rewrites what was said": {asked{Model: model, Template: "{{ messages | length }}" + plain}, "each turn"},
		"one that fails":                  {asked{Model: model, Template: "{{ 1 + messages }}"}, "were not checked: the"},
		"one that leaves the sandbox":     {asked{Model: model, Template: "{{ ''.__class__.__mro__ }}"}, "SecurityError"},
		"a model without a tokenizer":     {asked{Model: folder(t, "config.json", "{}")}, "were not checked: the token"},
		"a name of the hub": {asked{Model: "Qwen/Qwen3-8B"},
			"Qwen/Qwen3-8B is not a folder on this machine, "},
		"a folder of other machines": {asked{Model: "/m", Elsewhere: true}, "machine. The trainer runs on other m"},
		"a path from here":           {asked{Model: relative(t, model)}, "only appends"},
		"rows that others render":    {asked{Model: model, NoRows: "a proxy renders"}, "not checked: a proxy renders."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := planned(t, c.template).Notes[0]; !strings.Contains(got, c.want) {
				t.Errorf("the plan says %q, want %q in it", got, c.want)
			}
		})
	}
}

// The worker's evidence is found by the template, its arguments, and the formats.
func TestChatTemplate_ShowsTheCodec(t *testing.T) {
	withJinja(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	save := func(source, kwargs, formats, found string) {
		t.Helper()
		script := fmt.Sprintf("from awhost_bridge.evidence import save; save(%q, %s, %s, %s)", source, kwargs, formats, found)
		cmd := exec.Command("python3", "-c", script)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	const auto = `("auto", "auto")`
	save(plain, "{}", auto, `codec="hermes 1", result="which read 2 calls, text"`)
	save(plain, "{'keep': True}", auto, `codec="hermes 1", result="which read 1 call"`)
	save(plain, "{}", `("glm", "think")`, `failure="unknown tool_format 'glm': use auto"`)
	model := templated(t, plain)
	for name, c := range map[string]struct {
		template python.ChatTemplate
		want     string // in the note
		warning  string
	}{
		"evidence":  {python.ChatTemplate{Model: model}, "tool calls: hermes 1, which read 2 calls, text (tested on 20", ""},
		"arguments": {python.ChatTemplate{Model: model, Kwargs: map[string]any{"keep": true}}, "which read 1 call (", ""},
		"other arguments": {
			python.ChatTemplate{Model: model, Kwargs: map[string]any{"keep": false}}, "a test message (tool_format = auto)", "",
		},
		"another template": {python.ChatTemplate{Model: model, Template: dropping}, "is chosen at the start", ""},
		"a name of the hub": {
			python.ChatTemplate{Model: "Qwen/Qwen3-8B", ToolFormat: "hermes", ReasoningFormat: "none"},
			"a test message (tool_format = hermes, reasoning_format = none)", "",
		},
		"a failure": {
			python.ChatTemplate{
				Model: model, Kwargs: map[string]any{"keep": false}, ToolFormat: "glm", ReasoningFormat: "think",
			}, "", "failed: unknown tool_format 'glm': use auto. The next start repeats it.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := planned(t, c.template)
			if c.warning == "" {
				if len(out.Notes) != 2 || !strings.Contains(out.Notes[1], c.want) || len(out.Diagnostics) > 0 {
					t.Errorf("the notes are %q, want %q in the second; %v", out.Notes, c.want, out.Diagnostics)
				}
				return
			}
			if len(out.Notes) != 1 || len(out.Diagnostics) != 1 || out.Diagnostics[0].Severity != sdk.SeverityWarning ||
				!strings.Contains(out.Diagnostics[0].Detail, c.warning) {
				t.Errorf("the diagnostics are %v, want %q; the notes are %q", out.Diagnostics, c.warning, out.Notes)
			}
		})
	}
	t.Run("no Python", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		notes := planned(t, python.ChatTemplate{Model: model}).Notes
		if !strings.HasPrefix(notes[1], "tool calls: the codec is") {
			t.Errorf("the notes are %q", notes)
		}
	})
}

func relative(t *testing.T, path string) string {
	t.Helper()
	here, err := os.Getwd()
	if err == nil {
		path, err = filepath.Rel(here, path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestChatTemplate_SaysWhyItWasNotLookedAt(t *testing.T) {
	model := templated(t, plain)
	for program, want := range map[string]string{
		"echo no such package >&2; exit 3": "cannot render it: exit status 3: no such package",
		"echo hello":                       "cannot render it: read its answer",
		"echo {}":                          "the answer is empty: {}",
		`echo '{"lacks":"this one has no jinja2"}'`:         "no jinja2, or activate an environment that has it. A",
		`echo '{"unknown":"it counts'"'"' its messages"}'`:  "were not checked: it counts' its messages.",
		`[ "$1" = -I ] && echo '{"note":"in isolation"}'`:   "in isolation",
		`grep -q "model\":\"/" && echo '{"note":"a path"}'`: "a path",
	} {
		t.Run(program, func(t *testing.T) {
			activate(t, "#!/bin/sh\n"+program+"\n")
			if got := planned(t, python.ChatTemplate{Model: model}).Notes[0]; !strings.Contains(got, want) {
				t.Errorf("the plan says %q, want %q in it", got, want)
			}
		})
	}
	t.Run("no Python", func(t *testing.T) {
		t.Setenv("VIRTUAL_ENV", "")
		t.Setenv("PATH", t.TempDir())
		if got := planned(t, python.ChatTemplate{Model: model}).Notes[0]; !strings.Contains(got, "PATH has no python3") {
			t.Errorf("the plan says %q", got)
		}
	})
}

func TestChatTemplate_EndsWithThePlan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pipe := filepath.Join(t.TempDir(), "began")
	activate(t, fmt.Sprintf("#!/bin/sh\necho > %s; exec sleep 600\n", pipe))
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Fatal(err)
	}
	model := templated(t, plain)
	said := make(chan string)
	go func() {
		var out sdk.PlanResponse
		python.ChatTemplate{Model: model}.Plan(ctx, &out)
		said <- out.Notes[0]
	}()
	if _, err := os.ReadFile(pipe); err != nil { // waits for the program
		t.Fatal(err)
	}
	cancel()
	if got := <-said; !strings.Contains(got, "were not checked") {
		t.Errorf("the plan says %q", got)
	}
}
