package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	datasets "github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// defaultSpec is the spec used by commands that are given no argument.
const defaultSpec = "train.hcl"

// specFlags holds the flags for commands that read a spec.
type specFlags struct {
	vars     []string
	varFiles []string
	train    string
	passEnv  []string
	// refresh rebuilds accepted plugins whose sources have changed, before the spec is checked against their schemas.
	// Only commands that train set it: other commands do not run plugins.
	refresh bool
}

func (f *specFlags) register(cmd *cobra.Command) {
	f.registerVars(cmd)
	cmd.Flags().StringVar(&f.train, "train", "", "`name` of the train block, if the spec has several")
	cmd.Flags().StringArrayVar(&f.passEnv, "pass-env", nil, "pass the environment variable `NAME` to plugins; may be "+
		"repeated")
}

// registerVars adds the flags for values that are not recorded.
func (f *specFlags) registerVars(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.vars, "var", nil, "set a variable: `name=value`; may be repeated")
	cmd.Flags().StringArrayVar(&f.varFiles, "var-file", nil, "read variables from a `file`; may be repeated")
}

// values returns the --var values.
func (f *specFlags) values() (map[string]string, error) {
	vars := map[string]string{}
	for _, v := range f.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return nil, fmt.Errorf("--var %s has no value: write --var %s=VALUE", v, v)
		}
		vars[name] = value
	}
	return vars, nil
}

// loaded is a spec with its catalog and the locations of its datasets.
type loaded struct {
	spec     *spec.Spec
	catalog  *catalog.Catalog
	prepared datasets.Store
}

// splitArgs returns the spec path and the overrides after `--`.
func splitArgs(cmd *cobra.Command, args []string) (path string, overrides map[string]string, err error) {
	own := args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		own = args[:dash]
		overrides = map[string]string{}
		for _, a := range args[dash:] {
			key, value, ok := strings.Cut(a, "=")
			if !ok {
				return "", nil, fmt.Errorf("override %q: want key=value", a)
			}
			overrides[key] = value
		}
	}
	switch len(own) {
	case 0:
		if _, err := os.Stat(defaultSpec); err != nil {
			if _, err := os.Stat(defaultSpec + ".json"); err == nil { // of awhost.train
				return defaultSpec + ".json", overrides, nil
			}
		}
		return defaultSpec, overrides, nil
	case 1:
		return own[0], overrides, nil
	}
	return "", nil, fmt.Errorf("want one spec: got %s", strings.Join(own, " "))
}

// load reads a spec. If it fails, the diagnostics have already been shown.
func (a *app) load(ctx context.Context, path string, flags specFlags, overrides map[string]string) (*loaded, error) {
	l, problems, err := a.read(ctx, path, flags, overrides)
	if err != nil {
		return nil, err
	}
	if err := a.report(problems); err != nil {
		return nil, err
	}
	if err := a.passEnv(l.spec, flags.passEnv); err != nil {
		return nil, err
	}
	return l, nil
}

// read reads a spec. If a diagnostic is an error, the result is nil.
func (a *app) read(ctx context.Context, path string, flags specFlags, overrides map[string]string) (
	*loaded, diag.Diagnostics, error) {
	if path == defaultSpec {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, exit(run.ExitUsage, fmt.Errorf("%s does not exist in this directory: give a spec, as in "+
				"`awhost apply my.hcl`, or write one: `awhost new spec DIR`", defaultSpec))
		}
	}
	vars, err := flags.values()
	if err != nil {
		return nil, nil, exit(run.ExitUsage, err)
	}
	head, problems := spec.Sniff(path, sdk.Version)
	if problems.HasErrors() {
		return nil, problems, nil
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return nil, nil, exit(run.ExitUsage, err)
	}
	if flags.refresh {
		if err := c.Refresh(ctx); err != nil {
			return nil, nil, exit(run.ExitUsage, err)
		}
	}
	s, problems := spec.Load(path, spec.Options{
		Vars: vars, VarFiles: flags.varFiles, Environ: os.LookupEnv, Schemas: c, Overrides: overrides, Version: sdk.Version,
	})
	if problems.HasErrors() {
		return nil, forSpec(problems, path), nil
	}
	return &loaded{spec: s, catalog: c, prepared: a.prepared(s, c)}, forSpec(problems, path), nil
}

// forSpec adds the spec's path to recommended commands that would not find the spec without it.
func forSpec(problems diag.Diagnostics, path string) diag.Diagnostics {
	if path == defaultSpec {
		return problems
	}
	for i := range problems {
		problems[i].Detail = strings.NewReplacer("`awhost init`", "`awhost init "+path+"`", "`awhost init --upgrade`",
			"`awhost init --upgrade "+path+"`").Replace(problems[i].Detail)
	}
	return problems
}

func (a *app) openCatalog(head *spec.Head) (*catalog.Catalog, error) {
	b, err := bundled()
	if err != nil {
		return nil, err
	}
	sources, commands := map[string]string{}, map[string][]string{}
	for name, p := range head.Required.Plugins {
		sources[name], commands[name] = p.Source, p.Command
	}
	return catalog.Open(catalog.Config{Bundled: b, Sources: sources, Commands: commands, SpecDir: head.Dir,
		StateDir: stateDir(head.Dir), Progress: a.progress})
}

// stateDir returns the directory that holds the state for the specs in a directory.
func stateDir(specDir string) string { return filepath.Join(specDir, ".awhost") }

// progress reports slow steps that precede a plugin's start.
func (a *app) progress(name, doing string) {
	if !a.json {
		a.tell("plugin %s: %s", name, doing)
	}
}

// prepareSource makes a source from the command line executable as a plugin. Its builds are kept in the user's cache,
// keyed by the source.
func (a *app) prepareSource(ctx context.Context, source string) (*catalog.Prepared, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, exit(run.ExitUsage, fmt.Errorf("find the build folder of %s: %w", source, err))
	}
	place := source
	if absolute, err := filepath.Abs(source); err == nil && !strings.Contains(source, "://") {
		place = absolute
	}
	sum := sha256.Sum256([]byte(place))
	prepared, err := catalog.Prepare(ctx, source, filepath.Join(cache, "awhost", "sources", hex.EncodeToString(sum[:8])),
		a.progress)
	if err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	return prepared, nil
}

// isSource reports whether an argument is a source rather than a plugin name.
func isSource(arg string) bool {
	if strings.Contains(arg, "://") || strings.ContainsRune(arg, filepath.Separator) {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

func (a *app) store(dir string) *runstore.Store {
	return runstore.In(dir, runstore.Options{Version: sdk.Version, Command: "awhost " +
		strings.Join(redactedArgs(os.Args[1:]), " ")})
}

// redactedArgs returns the arguments without variable values, which may be secrets.
func redactedArgs(args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = arg
		if i > 0 && args[i-1] == "--var" || strings.HasPrefix(arg, "--var=") {
			name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--var="), "=")
			out[i] = strings.TrimSuffix(arg, strings.TrimPrefix(arg, "--var=")) + name + "=…"
		}
	}
	return out
}
