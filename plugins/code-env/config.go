package codeenv

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	pythons "github.com/awhost/awhost/sdk/python"
	"github.com/awhost/awhost/sdk/sandbox"
	"github.com/awhost/awhost/sdk/schema"
)

// The values of attributes.
const (
	sandboxProcess = "process"
	sandboxNone    = "none"

	stateKept  = "kept"
	stateFresh = "fresh"

	formatText = "text"
	formatTags = "tags"
)

// config is the body of an environment "code" block.
type config struct {
	Sandbox      string            `json:"sandbox"`
	Python       string            `json:"python"`
	Imports      []string          `json:"imports"`
	State        string            `json:"state"`
	Tool         string            `json:"tool"`
	Format       string            `json:"format"`
	ShowValue    bool              `json:"show_value"`
	Files        map[string]string `json:"files"`
	FilesColumn  string            `json:"files_column"`
	Collect      []string          `json:"collect"`
	CollectBytes int               `json:"collect_bytes"`
	Read         []string          `json:"read"`
	Timeout      sdk.Duration      `json:"timeout"`
	MemoryBytes  int64             `json:"memory_bytes"`
	OutputBytes  int               `json:"output_bytes"`
	DiskBytes    int64             `json:"disk_bytes"`
	Processes    int               `json:"processes"`
	Warm         int               `json:"warm"`
	MaxTurns     int               `json:"max_turns"`
	MaxSessions  int               `json:"max_sessions"`
}

func configSchema() schema.Block {
	return schema.Block{
		Description: "Each episode has its own Python process: see docs/guides/code.md.",
		Attributes: append([]schema.Attribute{
			schema.String("sandbox", "Isolation from your files, network, and processes: `process`, through kernel "+
				"namespaces; `none`, the model's code runs with your permissions.").
				Enum(sandboxProcess, sandboxNone).Default(sandboxProcess),
			schema.Path("python", "Python program, or virtual environment, that runs the code. Default: your "+
				"shell's Python.").Exist(),
			schema.Strings("imports", "Modules to import before an episode starts.").
				Example([]string{"numpy", "sympy"}),
			schema.String("state", "State between calls. `kept`: variables, modules, and files. `fresh`: files "+
				"only.").Enum(stateKept, stateFresh).Default(stateKept),
			schema.String("tool", "Name of the tool.").Default("execute_python_code"),
			schema.String("format", "Format of the result: `text`, the output and the error; or `tags`, with "+
				"AgentScope's returncode, stdout, and stderr tags.").Enum(formatText, formatTags).Default(formatText),
			schema.Bool("show_value", "Whether to print the value of an expression at the end of the code, as "+
				"interactive Python does.").
				Default(true),
			schema.StringMap("files", "Initial files in the working directory, by name."),
			schema.String("files_column", "Task column with additional files, as an object that maps names to "+
				"strings."),
			schema.Strings("collect", "Patterns of files that rewards receive in the environment's state.").
				Example([]string{"answer.txt"}),
			schema.Integer("collect_bytes", "Maximum total size of these files as JSON.").Default(1<<20).Range(0,
				16<<20).In("bytes"),
			schema.Strings("read", "Additional files and directories that the code may read in its sandbox.").
				Example([]string{"/data/tables"}),
		}, limitAttributes()...),
	}
}

// limitAttributes returns the attributes that limit calls, episodes, and the number of episodes.
func limitAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Duration("timeout", "Maximum duration of a call. A call may request a shorter one.").Default("30s"),
		schema.Integer("memory_bytes", "Maximum total memory of an episode's processes.").Default(1<<30).
			Range(64<<20, 1<<50).In("bytes"),
		schema.Integer("output_bytes", "Maximum number of bytes of standard output and of standard error, each, in "+
			"a result. Longer output is cut in the middle.").Default(16<<10).Range(64, 1<<20).In("bytes"),
		schema.Integer("disk_bytes", "Maximum size of an episode's "+
			"directory.").Default(1<<30).Range(1<<20, 1<<50).In("bytes"),
		schema.Integer("processes", "Maximum number of processes per episode.").Default(32).Range(2, 4096),
		schema.Integer("warm", "Number of interpreters to start in advance.").Default(2).Range(0, 256).
			CanResume(),
		schema.Integer("max_turns", "Maximum number of assistant messages per episode; 0 means no "+
			"limit.").Default(0).AtLeast(0),
		schema.Integer("max_sessions", "Maximum concurrent episodes; 0 means no limit.").Default(0).AtLeast(0).CanResume(),
	}
}

func read(raw json.RawMessage) (*config, error) {
	c := &config{}
	return c, sdk.DecodeConfig(raw, c)
}

func wrong(attribute, summary, format string, args ...any) sdk.Diagnostic {
	return sdk.Diagnostic{
		Severity: sdk.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...), Path: []string{attribute},
	}
}

// validate checks a configuration without starting anything.
func validate(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	c, err := read(raw)
	if err != nil {
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Invalid configuration", Detail: err.Error()}}
	}
	return c.check()
}

var (
	toolName   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	moduleName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)*$`)
)

// check reports errors that the schema does not detect.
func (c *config) check() []sdk.Diagnostic {
	out := slices.Concat(c.checkNames(), c.checkPaths())
	if c.Timeout < 0 {
		out = append(out, wrong("timeout", "Invalid timeout", "timeout must not be negative."))
	}
	if c.Sandbox == sandboxNone && len(c.Read) > 0 {
		out = append(out, wrong("sandbox", "Unused sandbox setting", "read applies only to a sandbox: "+
			"with sandbox = %q, all files are readable. Remove one of the two.", sandboxNone))
	}
	return out
}

// checkNames reports names that models cannot call or Python cannot import.
func (c *config) checkNames() (out []sdk.Diagnostic) {
	if c.Tool != "" && !toolName.MatchString(c.Tool) {
		out = append(out, wrong("tool", "Invalid tool name",
			"Tool names consist of letters, digits, -, and _, up to 64 characters: %q is invalid.", c.Tool))
	}
	for _, name := range c.Imports {
		if !moduleName.MatchString(name) {
			out = append(out, wrong("imports", "Invalid module name",
				"%q cannot be imported. Use names such as numpy or scipy.stats.", name))
		}
	}
	return out
}

// checkPaths reports files outside an episode's directory.
func (c *config) checkPaths() (out []sdk.Diagnostic) {
	for name := range c.Files {
		if !filepath.IsLocal(name) {
			out = append(out, wrong("files", "File outside the working directory", "%q is outside the working directory.", name))
		}
	}
	for _, pattern := range c.Collect {
		if _, err := path.Match(pattern, ""); err != nil || !filepath.IsLocal(pattern) {
			out = append(out, wrong("collect", "Invalid pattern", "%q is not a pattern of files in the working directory.",
				pattern))
		}
	}
	for _, file := range c.Read {
		if !filepath.IsAbs(file) || filepath.Clean(file) == "/" {
			out = append(out, wrong("read", "Invalid path",
				"%q is not the absolute path of a file or a folder.", file))
		}
	}
	return out
}

// probe reports notes for the user before a model's code runs, and whether Python exists.
func probe(_ context.Context, raw json.RawMessage, _ sdk.Probe) sdk.ProbeResponse {
	c, err := read(raw)
	if err != nil {
		return sdk.ProbeResponse{} // validate reports the error
	}
	out := sdk.ProbeResponse{Tools: []sdk.Tool{c.tool()}, Diagnostics: []sdk.Diagnostic{c.describeSandbox()}}
	if _, problem := c.findPython(); problem != nil {
		out.Diagnostics = append(out.Diagnostics, *problem)
	}
	return out
}

func (c *config) describeSandbox() sdk.Diagnostic {
	note := func(format string, args ...any) sdk.Diagnostic {
		return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
	}
	if c.Sandbox == sandboxNone {
		return note("no sandbox: the model's code runs with your permissions, and can read and write your files and use " +
			"your network. Limits that are not enforced: processes, and the totals of memory_bytes and disk_bytes (only each " +
			"process and each file is limited)")
	}
	s := sandbox.Probe()
	if s.Missing != "" {
		return wrong("sandbox", "No sandbox on this machine", "%s To run the model's code anyway, with your permissions, "+
			"set sandbox = %q.", s.Missing, sandboxNone)
	}
	return note(
		"sandbox: the model's code can write only to its own folder, can read the system and its Python, and has no "+
			"network access (%s)",
		s,
	)
}

// findPython returns the path of the Python program.
func (c *config) findPython() (string, *sdk.Diagnostic) {
	problem := func(summary, detail string) *sdk.Diagnostic {
		d := wrong("python", summary, "%s", detail)
		return &d
	}
	if c.Python == "" {
		if path, _, ok := pythons.Own(); ok {
			return path, nil
		}
		return "", problem(
			"No Python",
			"VIRTUAL_ENV is not set, and PATH has no python3. Install Python 3.8 or newer, or set python.",
		)
	}
	info, err := os.Stat(c.Python)
	if err != nil {
		return "", problem("No such Python", sdk.DescribeError(err)+".")
	}
	if info.IsDir() {
		if path, ok := pythons.InVenv(c.Python); ok {
			return path, nil
		}
		return "", problem("No Python", c.Python+" is not a virtual environment: it has no executable bin/python.")
	}
	if info.Mode()&0o111 == 0 {
		return "", problem("Python is not executable", c.Python+" is not executable. Set python to a Python program.")
	}
	return c.Python, nil
}

// tool returns the tool that is offered to the model.
func (c *config) tool() sdk.Tool {
	says := "Runs Python code and returns what it writes. Print what you want to see."
	if c.ShowValue {
		says = "Runs Python code and returns what it writes, and the value of an expression at its end."
	}
	if c.State == stateFresh {
		says += " Nothing is kept between calls but files."
	} else {
		says += " Variables are kept between calls."
	}
	parameters, err := json.Marshal(map[string]any{
		"type": "object", "required": []string{"code"},
		"properties": map[string]any{
			"code": map[string]any{"type": "string", "description": "the code"},
			"timeout": map[string]any{
				"type":        "number",
				"description": fmt.Sprintf("most seconds that it may take, at most %g", c.seconds()),
			},
		},
	})
	if err != nil {
		panic(err) // made of strings: never fails
	}
	return sdk.Tool{Name: strings.Clone(c.Tool), Description: says, Parameters: parameters}
}

func (c *config) seconds() float64 { return time.Duration(c.Timeout).Seconds() }
