package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/dataset"
	datasets "github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	pythonplugin "github.com/awhost/awhost/plugins/python"
	"github.com/awhost/awhost/sdk"
)

// prepared returns the store for a spec's datasets that init fetches or makes.
func (a *app) prepared(s *spec.Spec, c *catalog.Catalog) datasets.Store {
	return datasets.Store{
		SpecDir: s.Dir, StateDir: stateDir(s.Dir), Getenv: s.Getenv, Functions: functions{},
		Environments: environments{plan.Inputs{Spec: s, Catalog: c, Guard: guardCommand()}},
		Progress: func(address, doing string) {
			if !a.json {
				a.tell("%s: %s", address, doing)
			}
		},
		Log: slog.New(printed{a}),
	}
}

// prepareDatasets fetches and makes a spec's datasets. An error in one does not prevent the others from being prepared.
func (a *app) prepareDatasets(
	ctx context.Context, s *spec.Spec, c *catalog.Catalog, upgrade bool,
) diag.Diagnostics {
	var problems diag.Diagnostics
	store := a.prepared(s, c)
	for _, address := range s.Order {
		b := s.Blocks[address]
		if b == nil || b.Kind != "dataset" {
			continue
		}
		config, err := dataset.Decode(b.Type, b.Config)
		if err != nil || !config.Prepared() {
			continue // plan reports the error
		}
		done, err := store.Prepare(ctx, address, config, datasets.Options{Upgrade: upgrade})
		if ctx.Err() != nil {
			return append(
				problems,
				diag.Diagnostic{
					Severity: diag.Error,
					Summary:  "Interrupted",
					Detail:   "Run `awhost init` again to continue.",
				},
			)
		}
		if err != nil {
			problems = append(problems, explainPreparation(s, b, config, err))
			continue
		}
		_ = a.show(result.DatasetOf(address, done)) // errors of a closed output are ignored
	}
	return problems
}

func explainPreparation(s *spec.Spec, b *spec.Block, config dataset.Config, err error) diag.Diagnostic {
	path := []string{config.Origin()}
	if wrong := (*dataset.ConfigError)(nil); errors.As(err, &wrong) && len(wrong.Attribute) > 0 {
		path = wrong.Attribute
	}
	return s.Diagnose(
		b.Places,
		path,
		diag.Diagnostic{Severity: diag.Error, Summary: "Dataset preparation failed", Detail: err.Error()},
	)
}

// functions runs functions in users' Python files with the bundled plugin's code.
type functions struct{}

// Find implements datasets.Functions.
func (functions) Find(config dataset.Config) (datasets.Function, error) {
	rows, problem := pythonplugin.FindRows(pythonplugin.RowsConfig{
		File: config.File, Name: config.Name, Python: config.Python, Venv: config.Venv,
		Arguments: config.Arguments, PassEnv: config.PassEnv,
	})
	if problem != nil {
		return nil, functionError(*problem)
	}
	return function{rows}, nil
}

// function is a function that was found.
type function struct{ rows *pythonplugin.Rows }

// Basis implements datasets.Function.
func (f function) Basis() map[string]string { return f.rows.Basis() }

// Rows implements datasets.Function.
func (f function) Rows(ctx context.Context, log *slog.Logger, yield func([]byte) error) error {
	problem, err := f.rows.Make(ctx, log, func(row json.RawMessage) error { return yield(row) })
	if problem != nil {
		return functionError(*problem)
	}
	return err
}

func functionError(d sdk.Diagnostic) error {
	return &dataset.ConfigError{Attribute: d.Path, Problem: d.Summary, Remedy: d.Detail}
}

// environments provides a spec's environments.
type environments struct{ in plan.Inputs }

// Basis implements datasets.Environments.
func (e environments) Basis(address string) (map[string]string, error) {
	b := e.in.Spec.Blocks[address]
	if b == nil {
		return nil, fmt.Errorf("%s does not exist", address)
	}
	sum := sha256.Sum256(b.Identity())
	return map[string]string{address: "sha256:" + hex.EncodeToString(sum[:])}, nil
}

// Tasks implements datasets.Environments.
func (e environments) Tasks(address string) dataset.TaskStream { return plan.TasksOf(e.in, address) }

// printed shows program output while rows are made.
type printed struct{ *app }

// Enabled implements slog.Handler.
func (p printed) Enabled(context.Context, slog.Level) bool { return !p.json }

// Handle implements slog.Handler.
func (p printed) Handle(_ context.Context, r slog.Record) error {
	p.tell("  %s", r.Message)
	return nil
}

// WithAttrs implements slog.Handler.
func (p printed) WithAttrs([]slog.Attr) slog.Handler { return p }

// WithGroup implements slog.Handler.
func (p printed) WithGroup(string) slog.Handler { return p }

var (
	_ datasets.Functions    = functions{}
	_ datasets.Function     = function{}
	_ datasets.Environments = environments{}
	_ slog.Handler          = printed{}
)
