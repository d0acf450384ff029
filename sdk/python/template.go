package python

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// ChatTemplate is what a policy's conversations are rendered with.
type ChatTemplate struct {
	Model    string         `json:"model"`    // a folder in the layout of Hugging Face, or a name of the hub
	Template string         `json:"template"` // in the place of the model's own; empty: that one
	Kwargs   map[string]any `json:"kwargs"`   // for the template, as enable_thinking

	Elsewhere bool `json:"-"` // the trainer runs on machines whose files may be others
}

// judgeTimeout bounds the rendering: a template is a program.
const judgeTimeout = 30 * time.Second

// Rows is a sentence for a plan: which rows follow from the template, or why it was not looked at. awhost_bridge.judge
// renders it, in isolation and in the user's own Python, which needs jinja2.
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
		return RowsUnknown(fmt.Sprintf("%s, or activate an environment that has it. A plan starts %s, and no Python that "+
			"a spec names", answer.Lacks, why))
	case answer.Unknown != "" && c.Elsewhere:
		return RowsUnknown(answer.Unknown) + " The trainer runs on other machines."
	case answer.Unknown != "":
		return RowsUnknown(answer.Unknown)
	}
	if c.Elsewhere {
		return answer.Note + " So it is on this machine, and the trainer runs on others."
	}
	return answer.Note
}

// RowsUnknown is the sentence of a plan that has not looked at the template.
func RowsUnknown(why string) string {
	return "Which rows follow from the chat template was not looked at: " + why + "."
}

// judged is the answer of awhost_bridge.judge: one of its members is set.
type judged struct {
	Note    string `json:"note"`
	Unknown string `json:"unknown"` // why nothing was found
	Lacks   string `json:"lacks"`   // this Python cannot render templates
}

// runJudge finds awhost_bridge in the folder that it is given, and everything else in the interpreter's own packages.
const runJudge = "import sys; sys.path.insert(0, sys.argv[1]); from awhost_bridge.judge import main; main()"

func (c ChatTemplate) judge(ctx context.Context, interpreter string) (out judged, err error) {
	if _, err := os.Stat(c.Model); err == nil { // else a name, or what only others have
		if c.Model, err = filepath.Abs(c.Model); err != nil { // the interpreter works in a folder of its own
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
		return out, fmt.Errorf("its answer says nothing: %s", answer)
	}
	return out, nil
}

// runIsolated gives awhost_bridge.judge a question.
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
			return nil, fmt.Errorf("it did not end: %w", ctx.Err())
		}
		return nil, fmt.Errorf("%w: %s", err, lastLine(complaint.Bytes()))
	}
	return said.Bytes(), nil
}
