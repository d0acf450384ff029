package commandplugin

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// complete returns a configuration as passed by the host.
func complete(t *testing.T, config string) json.RawMessage {
	t.Helper()
	out, err := configSchema().Complete(json.RawMessage(config))
	if err != nil {
		t.Fatalf("%s: %v", config, err)
	}
	return out
}

func TestPlan_SaysWhatIsWrongAndWhatToKnow(t *testing.T) {
	for config, want := range map[string][]string{
		`{"command":["sh"]}`: {"note: no sandbox: sh runs as you, may read and write your files"},
		`{}`: {"error: No program: Write command = [\"PROGRAM\", …], or a preset: codex, claude-code, qwen-code, " +
			"opencode."},
		`{"command":["no-such"]}`: {
			"note: no sandbox", `error: Program not found: program "no-such" is not in PATH (`,
		},
		`{"preset":"codex","env":{"PATH":"/nowhere"},"repeats":"count"}`: {
			"note: no sandbox: codex runs as you",
			`note: preset "codex", made for @openai/codex@0.171.0: command = ["codex" "exec" "--skip-git-repo-check" ` +
				`"--dangerously-bypass-approvals-and-sandbox" "-"]; repeats = "count"; provider_tools = "drop"; auxiliary = ` +
				`["no_tools"]; ` +
				`env = CODEX_HOME, PATH; files = ~/.codex/config.toml; the block's own, in whole or in part: repeats, env`,
			`error: Program not found: program "codex" is not in PATH (/nowhere). Install it, npm install -g ` +
				`@openai/codex@0.171.0`,
		},
		`{"command":["sh"],"turns":"resume"}`:                     {"error: Missing resume_command"},
		`{"command":["sh"],"turns":"restart","result":"message"}`: {"error: Answer not sent to the environment", "note"},
		`{"command":["sh"],"result":"file"}`:                      {"error: Missing result_file"},
		`{"command":["sh"],"result_file":"x"}`:                    {"error: Unused result file", "note"},
		`{"command":["sh"],"result":"file","result_file":"../x"}`: {"error: File outside of the working directory", "note"},
		`{"command":["sh"],"files":{"~/../x":""}}`: {`error: File outside of the episode's folders: ` +
			`"~/../x" leads out`, "note"},
		`{"command":["sh"],"collect":["["]}`: {"error: Wrong pattern", "note"},
		`{"command":["sh","{{prompt}}","{{answer}}"]}`: {"error: Unknown placeholder: {{answer}} is not defined: " +
			"use api_key, base_url,", "note"},
		`{"command":["sh","--key={{api_key}}"],"resume_command":["sh","{{mcp_token}}"],"env":{"A":"{{api_key}}"}}`: {
			"error: Secret in an argument: All users of the machine can read the arguments of a program. Write {{api_key}}",
			"error: Secret in an argument", "note"},
		`{"command":["sh","{{task.level}}"],"env":{"A":"{{key}}"}}`: {"error: Unknown placeholder: {{key}} is not " +
			"defined", "note"},
	} {
		raw := complete(t, strings.Replace(strings.Replace(config, "{", `{"sandbox":"none",`, 1), ",}", "}", 1))
		var got []string
		for _, d := range append(validate(t.Context(), raw), probe(t.Context(), raw, sdk.ProbeAsk).Diagnostics...) {
			text := string(d.Severity) + ": " + d.Summary
			if d.Detail != "" {
				text += ": " + d.Detail
			}
			got = append(got, text)
		}
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s: %s", config, cmp.Diff(want, got))
		}
	}
}

// TestPlan_NamesAnUntestedVersion checks that plan compares the version of an npm package with the preset's.
func TestPlan_NamesAnUntestedVersion(t *testing.T) {
	for version, warns := range map[string]bool{"0.1.0": true, "0.171.0": false} {
		root := t.TempDir()
		pkg, bin := filepath.Join(root, "node_modules/@openai/codex"), filepath.Join(root, "node_modules/.bin")
		for name, text := range map[string]string{
			"package.json":     `{"name": "@openai/codex", "version": "` + version + `"}`,
			"bin/package.json": `{}`, "bin/codex.js": "",
		} {
			path := filepath.Join(pkg, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
		err := errors.Join(os.Mkdir(bin, 0o755), os.Symlink("../@openai/codex/bin/codex.js", filepath.Join(bin, "codex")))
		if err != nil {
			t.Fatal(err)
		}
		raw := complete(t, `{"sandbox":"none","preset":"codex","env":{"PATH":"`+bin+`"}}`)
		var got []string
		for _, d := range probe(t.Context(), raw, sdk.ProbeAsk).Diagnostics {
			if d.Severity == sdk.SeverityWarning {
				got = append(got, d.Summary+": "+d.Detail)
			}
		}
		want := "Untested version of Codex: " + pkg + "/bin/codex.js has version " + version +
			", and the preset is tested with 0.171.0."
		if warns != (len(got) == 1 && strings.HasPrefix(got[0], want)) || !warns && len(got) > 0 {
			t.Errorf("version %s: %q", version, got)
		}
	}
}

// TestPresets_AreConfigurations checks that presets are valid configurations, also with overriding attributes.
func TestPresets_AreConfigurations(t *testing.T) {
	if err := configSchema().Check(); err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		c, err := read(complete(t, `{"sandbox":"none","preset":"`+p.name+`","env":{"MINE":"1"},"turns":"resume"}`))
		if err != nil {
			t.Fatal(err)
		}
		if problems := append(c.check(), c.missing()...); len(problems) > 0 {
			t.Errorf("%s: %+v", p.name, problems)
		}
		if c.Repeats != "replay" || c.ProviderTools != "drop" || !slices.Equal(c.Auxiliary, []string{"no_tools"}) ||
			c.Env["MINE"] != "1" ||
			len(c.Env) != len(p.env)+1 {
			t.Errorf("%s: %+v", p.name, c)
		}
		for name, text := range c.MCPFiles {
			if strings.HasSuffix(name, ".json") && !json.Valid([]byte(text)) {
				t.Errorf("%s: %s is not JSON: %s", p.name, name, text)
			}
		}
		for name, text := range c.Files {
			if strings.HasSuffix(name, ".json") && !json.Valid([]byte(text)) {
				t.Errorf("%s: %s is not JSON: %s", p.name, name, text)
			}
		}
	}
}
