package pythonplugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// RowsConfig names a function that returns the rows of a dataset. Paths are absolute.
type RowsConfig struct {
	File, Name   string
	Python, Venv string
	Arguments    map[string]json.RawMessage
	PassEnv      []string
}

// Rows is a function in a user's file that returns rows. The host runs it at the user's request, before there is a run.
// It is not a component of the plugin, but it finds Python, loads the file and runs the process in the same way.
type Rows struct {
	target
	passEnv []string
	program python
	file    *source
}

// FindRows locates the file and the Python interpreter. It runs neither.
func FindRows(config RowsConfig) (*Rows, *sdk.Diagnostic) {
	r := &Rows{
		target: target{
			File:      config.File,
			Name:      config.Name,
			Python:    config.Python,
			Venv:      config.Venv,
			Arguments: config.Arguments,
		},
		passEnv: config.PassEnv,
	}
	var problem *sdk.Diagnostic
	if r.program, problem = r.find(); problem != nil {
		return nil, problem
	}
	if r.file, problem = r.read(); problem != nil {
		return nil, problem
	}
	return r, nil
}

// Basis returns the inputs that determine the rows: the contents of the file and the identity of the Python
// interpreter. The interpreter's version is part of the program's name, or of its virtual environment's settings.
func (r *Rows) Basis() map[string]string {
	text := sha256.Sum256(r.file.text)
	out := map[string]string{r.file.base(): "sha256:" + hex.EncodeToString(text[:])}
	path := r.program.path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	identity := path
	if info, err := os.Stat(path); err == nil {
		identity += fmt.Sprintf(" of %d bytes", info.Size())
	}
	settings, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(r.program.path)), "pyvenv.cfg"))
	if err == nil {
		sum := sha256.Sum256(settings)
		identity += " in a virtual environment, sha256:" + hex.EncodeToString(sum[:])
	}
	out["the Python"] = identity
	return out
}

// rowsBatch is the maximum number of rows in one response.
const rowsBatch = 256

// Make calls the function and yields each row as a JSON object. A diagnostic concerns the function or one of its rows.
func (r *Rows) Make(
	ctx context.Context,
	log *slog.Logger,
	yield func(row json.RawMessage) error,
) (*sdk.Diagnostic, error) {
	body, err := r.members(r.file, []string{})
	if err != nil {
		return nil, err
	}
	p, err := interpreter.Start(ctx, interpreter.Config{
		Python: r.program.path, Name: "python " + r.file.base(), Dir: filepath.Dir(r.file.path), Log: log,
		PassEnv: append([]string{}, r.passEnv...),
	})
	if err != nil {
		return r.problem(ctx, "python", "Python does not start", err)
	}
	defer p.Kill()
	if _, err := p.Call(ctx, "open_rows", body); err != nil {
		return r.problem(ctx, "name", "The function failed", err)
	}
	for {
		answer, err := p.Call(ctx, "next_rows", fmt.Appendf(nil, `"most":%d`, rowsBatch))
		if err != nil {
			return r.problem(ctx, "name", "The function failed", err)
		}
		var rows []string
		if err := json.Unmarshal(answer, &rows); err != nil || len(rows) == 0 {
			return nil, err
		}
		for _, row := range rows {
			if err := yield(json.RawMessage(row)); err != nil {
				return nil, err
			}
		}
	}
}

// problem returns an error as a diagnostic that names the Python interpreter.
func (r *Rows) problem(ctx context.Context, attribute, summary string, err error) (*sdk.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	d := about(attribute, summary, err.Error())
	var refused *interpreter.Refusal
	if errors.As(err, &refused) {
		d = about(attribute, refused.Summary, refused.Detail)
		if refused.Attribute != "" {
			d.Path = []string{refused.Attribute}
		}
	}
	d.Detail += "\nPython: " + r.program.String() + "; set `python` to use another."
	return d, nil
}
