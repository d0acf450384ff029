package verl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// These tests run smoke runs with the real verl.

// writesCalls is the tiny model's chat template with a message's tool calls, in the format that the parser reads.
const writesCalls = `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls %}` +
	`<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>` +
	`{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

// writesXML writes calls as Qwen3-Coder does.
const writesXML = `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls %}` +
	"<tool_call>\n<function={{ c.function.name }}>\n{% for k, v in c.function.arguments.items() %}<parameter={{ k }}>\n" +
	"{{ v if v is string else v | tojson }}\n</parameter>\n{% endfor %}</function>\n</tool_call>" +
	`{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

// smoke starts a smoke run of the example with a chat template. If the template is empty, the model's own is used.
func smoke(t *testing.T, template string, more ...string) realtest.Finished {
	t.Helper()
	model := realtest.TinyModel(t)
	if template != "" {
		if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(template), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	realtest.Lengthen(t, model, 1<<11)
	dir := realtest.Copy(t, "examples/verl")
	spec, err := os.ReadFile(filepath.Join(dir, "train.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	longer := strings.Replace(string(spec), "message_tokens  = 60", "message_tokens  = 200", 1) // a call as XML
	if err := os.WriteFile(filepath.Join(dir, "train.hcl"), []byte(longer), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--smoke", "--var", "model=" + model, "--var", "response_tokens=600"}, more...)
	return start(t, dir, args...).Wait()
}

func TestVerl_ASmokeRunPasses(t *testing.T) {
	realtest.Slow(t)
	for name, template := range map[string]string{"hermes": writesCalls, "xml": writesXML} {
		t.Run(name, func(t *testing.T) {
			var settings []string
			if name == "xml" { // of a script for GPUs: another engine, and a reference policy
				settings = []string{"--var", "device=gpu", "--", "model_engine=megatron",
					"actor_rollout_ref.actor.use_kl_loss=true",
					"actor_rollout_ref.actor.megatron.tensor_model_parallel_size=1"}
			}
			finished := smoke(t, template, settings...)
			if finished.Outcome != "completed" || finished.Smoke == nil || finished.Smoke.Verdict != "pass" {
				t.Fatalf("outcome %s, report %+v\n%s", finished.Outcome, finished.Smoke, finished.Problems)
			}
			for _, stage := range finished.Smoke.Stages {
				if stage.Steps != 2 || stage.Trained == 0 || stage.ScriptCalls == 0 || stage.Misread != 0 {
					t.Errorf("a stage has %+v; want 2 steps, trained episodes, and calls that were read as they were written",
						stage)
				}
			}
		})
	}
	record(t, realtest.Result{What: realtest.Smoked})
}

// TestVerl_ASmokeRunFindsATemplateWithoutToolCalls uses the tiny model's own template, which omits tool calls: the
// model learned to write them without ever seeing any.
func TestVerl_ASmokeRunFindsATemplateWithoutToolCalls(t *testing.T) {
	realtest.Slow(t)
	finished := smoke(t, "")
	if finished.Outcome != "failed" || finished.Exit != "run_failed" || finished.Smoke == nil ||
		finished.Smoke.Verdict != "fail" {
		t.Fatalf("outcome %s, exit %s, report %+v\n%s", finished.Outcome, finished.Exit, finished.Smoke, finished.Problems)
	}
	if reasons := strings.Join(finished.Smoke.Reasons, "\n"); len(finished.Smoke.Reasons) != 1 ||
		!strings.Contains(reasons, "tool_format") {
		t.Errorf("it fails because of\n%s\nand not of the codec alone", reasons)
	}
}

// TestVerl_AWorldsFilesPassASmokeRun checks AWorld's unchanged grpo_trainer.yaml for eight GPUs and its reward
// function with third-party MCP servers.
func TestVerl_AWorldsFilesPassASmokeRun(t *testing.T) {
	realtest.Slow(t)
	model, servers := realtest.TinyModel(t), os.Getenv("AWHOST_MCP_SERVERS")
	if servers == "" {
		t.Skip("SKIPPED: AWHOST_MCP_SERVERS does not name the folder that .ci/mcp-servers makes")
	}
	if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(writesCalls), 0o600); err != nil {
		t.Fatal(err)
	}
	realtest.Lengthen(t, model, 1<<18) // the file has prompts of 122980 tokens
	dir := realtest.Copy(t, "examples/gaia")
	everything := filepath.Join(servers, "node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	config, reward := realtest.AWorldFiles(t)
	python := filepath.Join(servers, "venv/bin/python")
	values := fmt.Sprintf("everything = [\"node\", %q, \"stdio\"]\nmcp_python = %q\nreward_python = %q\nconfig = %q\n"+
		"reward = %q\nmodel = %q\n", everything, python, python, config, reward, model)
	if err := os.WriteFile(filepath.Join(dir, "here.auto.awvars"), []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	passes(t, apply(t, dir, "--smoke", "--var", "python="+realtest.Python(t, "AWHOST_VERL_PYTHON")).Wait())
}

// passes fails the test unless each stage of a smoke run trained 16 episodes and parsed each call as it was written.
func passes(t *testing.T, finished realtest.Finished) {
	t.Helper()
	if finished.Outcome != "completed" || finished.Smoke == nil || finished.Smoke.Verdict != "pass" {
		t.Fatalf("outcome %s, report %+v\n%s", finished.Outcome, finished.Smoke, finished.Problems)
	}
	for _, stage := range finished.Smoke.Stages {
		if stage.Steps != 2 || stage.Trained != 16 || stage.ScriptCalls == 0 || stage.Misread != 0 {
			t.Errorf("a stage has %+v; want 2 steps, 16 trained episodes, and calls that were read as they were written", stage)
		}
	}
}

// TestVerl_TheMathAgentPassesASmokeRun checks the spec for eight GPUs with rows in the format and layout of GSM8K's
// repository.
func TestVerl_TheMathAgentPassesASmokeRun(t *testing.T) {
	realtest.Slow(t)
	model := realtest.TinyModel(t)
	if err := os.WriteFile(filepath.Join(model, "chat_template.jinja"), []byte(writesCalls), 0o600); err != nil {
		t.Fatal(err)
	}
	realtest.Lengthen(t, model, 1<<15)
	dir, data := realtest.Copy(t, "examples/math-agent"), t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "main"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, split := range []string{"train", "test"} {
		to := filepath.Join(data, "main", split+"-00000-of-00001.jsonl")
		if err := os.Rename(filepath.Join(dir, "data", "laptop."+split+".jsonl"), to); err != nil {
			t.Fatal(err)
		}
	}
	python := realtest.Python(t, "AWHOST_VERL_PYTHON")
	passes(t, apply(t, dir, "--smoke", "--var", "model="+model, "--var", "data="+data, "--var", "python="+python).Wait())
}
