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
)

// ChatTemplate describes how a policy's conversations are rendered.
type ChatTemplate struct {
	Model    string         `json:"model"`    // a folder in the Hugging Face layout or a name of the hub
	Template string         `json:"template"` // replaces the model's own template; empty: the model's own
	Kwargs   map[string]any `json:"kwargs"`   // template arguments, such as enable_thinking

	Elsewhere bool `json:"-"` // the trainer runs on other machines, whose files may differ
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

// Rows returns a sentence for the plan that states which rows result from the template or why it was not checked.
// awhost_bridge.judge renders the template in isolation in the user's own Python, which must have jinja2 installed.
func (c ChatTemplate) Rows(ctx context.Context) string {
	interpreter, why, ok := Own()
	if !ok {
		return RowsUnknown("VIRTUAL_ENV is not set, and PATH has no python3 to render it with")
	}
	answer, err := c.judge(ctx, interpreter)
	switch {
	case err != nil:
		return RowsUnknown(fmt.Sprintf("%s (%s) cannot render it: %v", interpreter, why, err))
	case answer.Lacks != "":
		return RowsUnknown(fmt.Sprintf("%s, or activate an environment that has it. A plan starts %s, but no Python "+
			"that "+
			"a spec names", answer.Lacks, why))
	case answer.Unknown != "" && c.Elsewhere:
		return RowsUnknown(answer.Unknown) + " The trainer runs on other machines."
	case answer.Unknown != "":
		return RowsUnknown(answer.Unknown)
	}
	if c.Elsewhere {
		return answer.Note + " This holds for this machine; the trainer runs on others."
	}
	return answer.Note
}

// RowsUnknown returns the plan's sentence about a template that was not checked.
func RowsUnknown(why string) string {
	return "The rows produced by the chat template were not checked: " + why + "."
}

// judged is the response from awhost_bridge.judge. Exactly one field is set.
type judged struct {
	Note    string `json:"note"`
	Unknown string `json:"unknown"` // the reason why the rows are unknown
	Lacks   string `json:"lacks"`   // the reason why this Python cannot render templates
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
	if out == (judged{}) {
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
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, "-I", "-B", "-c", runJudge, dir)
	var said, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = bytes.NewReader(question), &said, &complaint, dir
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("it did not finish: %w", ctx.Err())
		}
		return nil, fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	return said.Bytes(), nil
}
