package python

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// ChatTemplate describes how a policy's conversations are rendered.
type ChatTemplate struct {
	Model    string         `json:"model"`    // a folder in the Hugging Face layout or a name of the hub
	Template string         `json:"template"` // replaces the model's own template; empty: the model's own
	Kwargs   map[string]any `json:"kwargs"`   // template arguments, such as enable_thinking

	ToolFormat      string `json:"tool_format"` // names the codec of tool calls; auto: the first one with evidence
	ReasoningFormat string `json:"reasoning_format"`

	Elsewhere bool   `json:"-"` // the trainer runs on other machines, whose files may differ
	NoRows    string `json:"-"` // the reason why the template does not determine the rows; empty: it does
}

// With returns the template with more arguments, which override its own. kwargs is a JSON object or empty.
func (c ChatTemplate) With(kwargs json.RawMessage) ChatTemplate {
	var more map[string]any
	if json.Unmarshal(kwargs, &more) == nil && len(more) > 0 {
		own := maps.Clone(c.Kwargs)
		if own == nil {
			own = map[string]any{}
		}
		maps.Copy(own, more)
		c.Kwargs = own
	}
	return c
}

// judgeTimeout limits the time for rendering, because a template is a program.
const judgeTimeout = 30 * time.Second

// Plan adds to a plan which rows result from the template, or why it was not checked, and which codec has read its tool
// calls. awhost_bridge.judge renders the template in isolation in the user's own Python, which must have jinja2
// installed, and finds the codec in the user's cache, where the trainer's worker has stored it.
func (c ChatTemplate) Plan(ctx context.Context, out *sdk.PlanResponse) {
	var answer judged
	rows := rowsUnknown("VIRTUAL_ENV is not set, and PATH has no python3 to render it with")
	if interpreter, why, ok := Own(); ok {
		var err error
		answer, err = c.judge(ctx, interpreter)
		rows = c.rows(answer, err, interpreter, why)
	}
	if c.NoRows != "" {
		rows = rowsUnknown(c.NoRows)
	}
	out.Notes = append(out.Notes, rows)
	switch {
	case answer.CodecFailure != "":
		out.Diagnostics = append(out.Diagnostics, sdk.Diagnostic{
			Severity: sdk.SeverityWarning, Summary: "Tool calls cannot be read", Detail: answer.CodecFailure,
			Path: []string{"tool_format"},
		})
	case answer.Codec != "":
		out.Notes = append(out.Notes, answer.Codec)
	default:
		out.Notes = append(out.Notes, "tool calls: the codec is chosen at the start of the trainer, by a test message")
	}
}

// rows returns the plan's sentence about the rows.
func (c ChatTemplate) rows(answer judged, err error, interpreter, why string) string {
	switch {
	case err != nil:
		return rowsUnknown(fmt.Sprintf("%s (%s) cannot render it: %v", interpreter, why, err))
	case answer.Lacks != "":
		return rowsUnknown(fmt.Sprintf("%s, or activate an environment that has it. A plan starts %s, but no Python "+
			"that "+
			"a spec names", answer.Lacks, why))
	case answer.Unknown != "" && c.Elsewhere:
		return rowsUnknown(answer.Unknown) + " The trainer runs on other machines."
	case answer.Unknown != "":
		return rowsUnknown(answer.Unknown)
	}
	if c.Elsewhere {
		return answer.Note + " This holds for this machine; the trainer runs on others."
	}
	return answer.Note
}

// rowsUnknown returns the plan's sentence about a template that was not checked.
func rowsUnknown(why string) string {
	return "The rows produced by the chat template were not checked: " + why + "."
}

// judged is the response from awhost_bridge.judge. Exactly one of its first three fields is set.
type judged struct {
	Note    string `json:"note"`
	Unknown string `json:"unknown"` // the reason why the rows are unknown
	Lacks   string `json:"lacks"`   // the reason why this Python cannot render templates

	Codec        string `json:"codec"`         // the plan's sentence about the codec; empty after a failure
	CodecFailure string `json:"codec_failure"` // the reason why no codec read the template's calls
}

// runJudge imports awhost_bridge from the directory in its argument, and everything else from the interpreter's own
// packages.
const runJudge = "import sys; sys.path.insert(0, sys.argv[1]); from awhost_bridge.judge import main; main()"

func (c ChatTemplate) judge(ctx context.Context, interpreter string) (out judged, err error) {
	if _, err := os.Stat(c.Model); err == nil { // otherwise a name, or a path on other machines
		if c.Model, err = filepath.Abs(c.Model); err != nil { // the interpreter runs in a different folder
			return out, err
		}
	}
	question, err := json.Marshal(c)
	if err != nil {
		return out, err
	}
	answer, err := runIsolated(ctx, interpreter, question)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return out, fmt.Errorf("read its answer: %w", err)
	}
	if out.Note+out.Unknown+out.Lacks == "" {
		return out, fmt.Errorf("the answer is empty: %s", answer)
	}
	return out, nil
}

// runIsolated passes a question to awhost_bridge.judge and returns its response.
func runIsolated(ctx context.Context, interpreter string, question []byte) (answer []byte, err error) {
	dir, err := os.MkdirTemp("", "awhost-judge-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := Unpack(dir, Bridge); err != nil {
		return nil, err
	}
	return Isolated(ctx, interpreter, judgeTimeout, question, "-c", runJudge, dir)
}

// Isolated runs Python with a program's arguments, without the user's own packages and Python's environment variables,
// and returns its output.
func Isolated(
	ctx context.Context, interpreter string, timeout time.Duration, input []byte, arguments ...string,
) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, append([]string{"-I", "-B"}, arguments...)...)
	var said, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = bytes.NewReader(input), &said, &complaint, os.TempDir()
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("it did not finish: %w", ctx.Err())
		}
		return nil, fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	return said.Bytes(), nil
}

// Formats returns the schema of the attributes "tool_format" and "reasoning_format".
func Formats() []schema.Attribute {
	return []schema.Attribute{
		schema.String("tool_format", "The model's tool-call format. `auto`: the first codec that reads what the "+
			"model's chat template renders: `awhost docs reference/tool-formats`.").Default("auto"),
		schema.String("reasoning_format", "`auto`: the codec reads reasoning. `think`: text between `<think>` and "+
			"`</think>` is also reasoning. `none`: it stays in the content.").
			Default("auto").Enum("auto", "think", "none"),
	}
}
