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
		Description: "Runs the model's code in a Python process for each episode: docs/guides/code.md.",
		Attributes: append([]schema.Attribute{
			schema.String("sandbox", "what keeps the code from your files, your network and your processes: `process`, "+
				"namespaces of the kernel's; `none`, nothing at all, so that the model's code runs as you do").
				Enum(sandboxProcess, sandboxNone).Default(sandboxProcess),
			schema.Path("python", "the Python that runs the code, with the packages that it may use: a program, or the folder "+
				"of a virtual environment; default: that of your shell").Exist(),
			schema.Strings("imports", "modules that are imported before an episode begins, so that no call waits for them").
				Example([]string{"numpy", "sympy"}),
			schema.String("state", "what a call finds of those before it: with `kept` variables and modules, with `fresh` "+
				"nothing but files").Enum(stateKept, stateFresh).Default(stateKept),
			schema.String("tool", "what the tool is called").Default("execute_python_code"),
			schema.String("format", "what the model is told: `text`, what was written and the error; or `tags`, AgentScope's "+
				"<returncode>, <stdout> and <stderr>").Enum(formatText, formatTags).Default(formatText),
			schema.Bool("show_value", "whether the value of an expression at the end of the code is written, as at a prompt").
				Default(true),
			schema.StringMap("files", "files that are in the working directory when an episode begins, by name"),
			schema.String("files_column", "a column of the tasks with more of them: an object of texts by name"),
			schema.Strings("collect", "files of the working directory that rewards get in the environment's state: patterns "+
				"such as \"out/*.csv\"").
				Example([]string{"answer.txt"}),
			schema.Integer("collect_bytes", "most bytes of them together, as JSON").Default(1<<20).Range(0, 16<<20).In("bytes"),
			schema.Strings("read", "files and folders that the code may read in its sandbox, beside the system's and its "+
				"Python's").Example([]string{"/data/tables"}),
		}, limitAttributes()...),
	}
}

// limitAttributes returns the limits of calls and episodes, and of the number of episodes.
func limitAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Duration("timeout", "longest time of a call; one may ask for less").Default("30s"),
		schema.Integer("memory_bytes", "most memory of an episode's processes together").Default(1<<30).
			Range(64<<20, 1<<50).In("bytes"),
		schema.Integer("output_bytes", "most bytes of standard output, and of standard error, that the model is shown; of "+
			"more it gets the beginning and the end").Default(16<<10).Range(64, 1<<20).In("bytes"),
		schema.Integer("disk_bytes", "most bytes of an episode's folder").Default(1<<30).Range(1<<20, 1<<50).In("bytes"),
		schema.Integer("processes", "most processes of an episode").Default(32).Range(2, 4096),
		schema.Integer("warm", "interpreters that have started before an episode needs one").Default(2).Range(0, 256).
			CanResume(),
		schema.Integer("max_turns", "most assistant messages in an episode; 0 means any number").Default(0).AtLeast(0),
		schema.Integer("max_sessions", "most episodes open at a time; 0 means any number").Default(0).AtLeast(0).CanResume(),
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
		return []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "Wrong configuration", Detail: err.Error()}}
	}
	return c.check()
}

var (
	toolName   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	moduleName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)*$`)
)

// check reports mistakes that the schema does not detect.
func (c *config) check() []sdk.Diagnostic {
	out := slices.Concat(c.checkNames(), c.checkPaths())
	if c.Timeout < 0 {
		out = append(out, wrong("timeout", "No time", "A call has to have some time."))
	}
	if c.Sandbox == sandboxNone && len(c.Read) > 0 {
		out = append(out, wrong("sandbox", "Setting of a sandbox that there is none of", "read says what the sandbox lets "+
			"through: with sandbox = %q everything is.", sandboxNone))
	}
	return out
}

// checkNames reports names that models cannot call or Python cannot import.
func (c *config) checkNames() (out []sdk.Diagnostic) {
	if c.Tool != "" && !toolName.MatchString(c.Tool) {
		out = append(out, wrong("tool", "Wrong name of a tool",
			"%q: models call tools by letters, digits, - and _, at most 64.", c.Tool))
	}
	for _, name := range c.Imports {
		if !moduleName.MatchString(name) {
			out = append(out, wrong("imports", "Wrong name of a module",
				"%q cannot be imported: write names such as numpy or scipy.stats.", name))
		}
	}
	return out
}

// checkPaths reports files outside of an episode's folder.
func (c *config) checkPaths() (out []sdk.Diagnostic) {
	for name := range c.Files {
		if !filepath.IsLocal(name) {
			out = append(out, wrong("files", "File outside of the working directory", "%q leads out of it.", name))
		}
	}
	for _, pattern := range c.Collect {
		if _, err := path.Match(pattern, ""); err != nil || !filepath.IsLocal(pattern) {
			out = append(out, wrong("collect", "Wrong pattern", "%q is no pattern of files below the working directory.",
				pattern))
		}
	}
	for _, file := range c.Read {
		if !filepath.IsAbs(file) || filepath.Clean(file) == "/" {
			out = append(out, wrong("read", "Files that cannot be shown",
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
	out := sdk.ProbeResponse{Tools: []sdk.Tool{c.tool()}, Diagnostics: []sdk.Diagnostic{c.foreseeSandbox()}}
	if _, problem := c.findPython(); problem != nil {
		out.Diagnostics = append(out.Diagnostics, *problem)
	}
	return out
}

func (c *config) foreseeSandbox() sdk.Diagnostic {
	note := func(format string, args ...any) sdk.Diagnostic {
		return sdk.Diagnostic{Severity: sdk.SeverityNote, Summary: fmt.Sprintf(format, args...)}
	}
	if c.Sandbox == sandboxNone {
		return note("no sandbox: the model's code runs as you, and may read and write your files and use your network. " +
			"Limits that are not enforced: processes, and memory_bytes and disk_bytes of all processes and files together " +
			"(each process and each file is limited)")
	}
	s := sandbox.Probe()
	if s.Missing != "" {
		return wrong("sandbox", "No sandbox on this machine", "%s To run the model's code all the same, as you and with the "+
			"policy deciding what it does, write sandbox = %q.", s.Missing, sandboxNone)
	}
	return note(
		"sandbox: the model's code writes nothing but its own folder, reads the system and its Python, and has no "+
			"network (%s)",
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
			"VIRTUAL_ENV is not set, and PATH has no python3: install Python 3.8 or newer, or set python to one.",
		)
	}
	info, err := os.Stat(c.Python)
	if err != nil {
		return "", problem("No such Python", err.Error()+".")
	}
	if info.IsDir() {
		if path, ok := pythons.InVenv(c.Python); ok {
			return path, nil
		}
		return "", problem("No Python", c.Python+" is no virtual environment: it has no bin/python that can be run.")
	}
	if info.Mode()&0o111 == 0 {
		return "", problem("Python cannot be run", c.Python+" is not executable: name a Python program.")
	}
	return c.Python, nil
}

// tool returns the tool that the model is offered.
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
