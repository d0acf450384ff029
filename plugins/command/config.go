package commandplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
)

// config is the body of an agent "command" block.
type config struct {
	sdk.AgentConfig
	sdk.GatewayConfig

	Sandbox       string            `json:"sandbox"`
	Read          []string          `json:"read"`
	Connect       []string          `json:"connect"`
	Preset        string            `json:"preset"`
	Command       []string          `json:"command"`
	ResumeCommand []string          `json:"resume_command"`
	Stdin         string            `json:"stdin"`
	Env           map[string]string `json:"env"`
	PassEnv       []string          `json:"pass_env"`
	Files         map[string]string `json:"files"`
	MCPFiles      map[string]string `json:"mcp_files"`
	Template      string            `json:"template"`
	Directory     string            `json:"directory"`
	Keep          string            `json:"keep"`
	Turns         string            `json:"turns"`

	Result       string   `json:"result"`
	ResultFile   string   `json:"result_file"`
	ResultFormat string   `json:"result_format"`
	Accept       []string `json:"accept"`
	Diff         bool     `json:"diff"`
	Collect      []string `json:"collect"`
	CollectBytes int      `json:"collect_bytes"`

	Timeout     sdk.Duration `json:"timeout"`
	Grace       sdk.Duration `json:"grace"`
	OutputBytes int64        `json:"output_bytes"`
	MemoryBytes int64        `json:"memory_bytes"`
	Processes   int          `json:"processes"`
	DiskBytes   int64        `json:"disk_bytes"`
}

func read(raw json.RawMessage) (*config, error) {
	c := &config{}
	if err := sdk.DecodeConfig(raw, c); err != nil {
		return nil, err
	}
	return c, nil
}

// validate checks a configuration without starting anything.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c, err := read(raw)
	if err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Wrong configuration", Detail: err.Error()}}
	}
	return c.check()
}

func wrong(attribute, summary, format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{
		Severity: sdk.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Path: []string{attribute},
	}
}

// missing reports required attributes without a value. validate does not call it, because values that are still unknown
// may be set later.
func (c *config) missing() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	if len(c.Command) == 0 || c.Command[0] == "" {
		out = append(out, wrong("command", "No program", "Write command = [\"PROGRAM\", …], or a preset: %s.",
			strings.Join(presetNames(), ", ")))
	}
	if c.Turns == turnsResume && len(c.ResumeCommand) == 0 {
		out = append(
			out,
			wrong("turns", "Missing resume_command", "turns = %q needs resume_command, the program and its arguments "+
				"that resume a session of %s.", turnsResume, name(c.Command)),
		)
	}
	if c.Result == resultFile && c.ResultFile == "" {
		out = append(
			out,
			wrong("result_file", "Missing result_file", "result = %q needs result_file, the file's name.", resultFile),
		)
	}
	return out
}

// check reports contradictions.
func (c *config) check() []sdk.Diagnostic {
	return slices.Concat(c.checkResult(), c.checkFiles(), c.checkPlaceholders(), c.checkSandbox())
}

func (c *config) checkResult() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	if (c.Turns == turnsRestart || c.Turns == turnsResume) && c.Result == resultMessage {
		out = append(
			out,
			wrong("turns", "Answer not sent to the environment",
				"With result = %q only awhost receives the answer, and "+
					"the environment cannot continue from it. Use result = %q or %q.", resultMessage, resultStdout,
				resultFile),
		)
	}
	if c.Result != resultFile && c.Result != "" && c.ResultFile != "" {
		out = append(
			out,
			wrong("result_file", "Unused result file", "result = %q and result_file belong together.", resultFile),
		)
	}
	if c.Result == resultMessage && c.ResultFormat == formatJSON {
		out = append(
			out,
			wrong("result_format", "No source of JSON", "The last message of the model is text. Use result = %q "+
				"or %q.", resultStdout, resultFile),
		)
	}
	if c.ResultFile != "" && !filepath.IsLocal(c.ResultFile) {
		out = append(out, wrong("result_file", "File outside of the working directory", "%q leads out of "+
			"it.", c.ResultFile))
	}
	return out
}

// checkFiles reports files outside an episode's directories.
func (c *config) checkFiles() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	for _, files := range []struct {
		attribute string
		files     map[string]string
	}{{"files", c.Files}, {"mcp_files", c.MCPFiles}} {
		for _, file := range slices.Sorted(maps.Keys(files.files)) {
			if !filepath.IsLocal(strings.TrimPrefix(file, homePrefix)) {
				out = append(out, wrong(files.attribute, "File outside of the episode's folders",
					"%q leads out of them: begin with ~/ for the home, with a name for the working directory.", file))
			}
		}
	}
	for _, pattern := range c.Collect {
		if _, err := path.Match(pattern, ""); err != nil || !filepath.IsLocal(pattern) {
			out = append(
				out,
				wrong("collect", "Wrong pattern", "%q is not a pattern of files below the working directory.", pattern),
			)
		}
	}
	return out
}

func name(command []string) string {
	if len(command) == 0 {
		return "the program"
	}
	return command[0]
}

// checkPlaceholders reports unknown names, and secrets in arguments, which all users of the machine can read.
func (c *config) checkPlaceholders() []sdk.Diagnostic {
	var out []sdk.Diagnostic
	for _, texts := range []struct {
		attribute string
		value     any
	}{
		{"command", toAnySlice(c.Command)}, {"resume_command", toAnySlice(c.ResumeCommand)}, {"env", anyMap(c.Env)},
		{"files", anyMap(c.Files)},
		{"mcp_files", anyMap(c.MCPFiles)},
	} {
		for _, used := range placeholder.Names(texts.value) {
			if _, known := valueNames[used]; !known && !strings.HasPrefix(used, taskPrefix) {
				out = append(out, wrong(texts.attribute, "Unknown placeholder", "{{%s}} is not defined: use %s, "+
					"and {{task.COLUMN}}.", used, strings.Join(slices.Sorted(maps.Keys(valueNames)), ", ")))
			}
			if strings.HasSuffix(texts.attribute, "command") && (used == "api_key" || used == "mcp_token") {
				out = append(out, wrong(texts.attribute, "Secret in an argument", "All users of the machine can read the "+
					"arguments of a program. Write {{%s}} in env or files.", used))
			}
		}
	}
	return out
}

func toAnySlice(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

func anyMap(texts map[string]string) map[string]any {
	out := make(map[string]any, len(texts))
	for name, text := range texts {
		out[name] = text
	}
	return out
}

// probe reports notes for the user before the program runs, and whether the program exists.
func probe(_ context.Context, raw json.RawMessage, _ sdk.Probe) sdk.ProbeResponse {
	return sdk.ProbeResponse{Diagnostics: planDiagnostics(raw)}
}

func planDiagnostics(raw json.RawMessage) []sdk.Diagnostic {
	c, err := read(raw)
	if err != nil {
		return nil // validate reports the error
	}
	if missing := c.missing(); len(missing) > 0 {
		return missing
	}
	out := []sdk.Diagnostic{c.describeSandbox()}
	p := presetOf(c.Preset)
	if p != nil {
		out = append(out, note("%s", p.summary(c)))
	}
	program := c.Command[0]
	if strings.Contains(program, "{{") || strings.Contains(program, "/") && !filepath.IsAbs(program) {
		return out // relative to the episode
	}
	searched := c.Env["PATH"]
	if searched == "" {
		searched = os.Getenv("PATH")
	}
	switch path, err := find(program, searched, ""); {
	case err == nil && p != nil:
		out = append(out, p.compareVersion(path)...)
	case err != nil:
		remedy := "Install it, name it by its path, or set PATH in env."
		if p != nil {
			remedy = fmt.Sprintf("Install it, npm install -g %s, or name it by its path in command.", p.testedPackage)
		}
		out = append(out, wrong("command", "Program not found", "%v. %s", err, remedy))
	}
	return out
}

func note(format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
}

// find looks up a program in the same way as a shell in a directory does.
func find(program, searched, folder string) (string, error) {
	candidates := []string{program}
	switch {
	case filepath.IsAbs(program):
	case strings.Contains(program, "/"):
		candidates = []string{filepath.Join(folder, program)}
	default:
		candidates = nil
		for _, dir := range filepath.SplitList(searched) {
			if filepath.IsAbs(dir) {
				candidates = append(candidates, filepath.Join(dir, program))
			}
		}
	}
	for _, candidate := range candidates {
		info, err := os.Stat(candidate)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return candidate, nil
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) && strings.Contains(program, "/") {
			return "", fmt.Errorf("%s is not an executable program", candidate)
		}
	}
	if strings.Contains(program, "/") {
		return "", fmt.Errorf("program %s does not exist", candidates[0])
	}
	return "", fmt.Errorf("program %q is not in PATH (%s)", program, searched)
}
