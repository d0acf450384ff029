package main

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/importer"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

// Shell completion. It starts no process, and omits data that cannot be read: a user who presses Tab does not expect
// error messages.

// completer returns the completions for an argument or a flag value.
type completer = cobra.CompletionFunc

// addCompleters registers the completions for the arguments and flags of every command below cmd.
func (a *app) addCompleters(cmd *cobra.Command) {
	arguments := map[string]completer{
		"init": first(completeSpecs), "validate": first(completeSpecs), "plan": first(completeSpecs),
		"check": first(completeSpecs), "head": first(completeSpecs),
		"apply": first(completeSpecs), "sweep": first(completeSpecs),
		"eval": first(completeSpecs), "doctor": first(completeSpecs), "list": first(completeSpecs),
		"show": a.completeRuns(1), "scan": a.completeRuns(1),
		"logs": a.completeRuns(1), "stop": a.completeRuns(1),
		"resume": a.completeRuns(1), "attach": a.completeRuns(1), "stuck": a.completeRuns(1), "where": a.completeRuns(1),
		"checkpoints": a.completeRuns(1), "compare": a.completeRuns(2), "set": a.completeRuns(1),
		"rm":     a.completeRuns(math.MaxInt),
		"export": first(a.completeCheckpoints), "play": first(a.completePlayed), "score": first(a.completeTypes("reward")),
		"describe": first(a.completePlugins), "docs": first(a.completePlugins), "test": first(a.completePlugins),
		"call": first(a.completePlugins), "serve": first(completeBundled),
		"ask": first(completeSpecs), "debug": first(completeSpecs), "fmt": completeFormatted,
		"ajet": first(completeConfigurations), "areal": first(completeConfigurations), "swift": first(completeConfigurations),
		"trl": first(completeConfigurations), "verl": first(completeConfigurations),
		"spec": first(completeDirectories),
	}
	flags := map[string]completer{
		"dir": completeDirectories, "out": completeDirectories, "spec": completeSpecs, "var-file": completeVariableFiles,
		"train":  a.completeTrains,
		"plugin": a.completeLogs, "reward": a.completeTypes("reward"), "dataset": a.completeAddresses("dataset"),
		"model": a.completeAddresses("model"), "adapter": completeAdapters,
		"state":  cobra.FixedCompletions(states, cobra.ShellCompDirectiveNoFileComp),
		"policy": a.completeRuns(1),
		"failed": a.completeRuns(1), "debug": a.completeDebugged, "attach": a.completeDebugged,
	}
	for _, c := range cmd.Commands() {
		a.addCompleters(c)
		if with := arguments[c.Name()]; with != nil && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = with
		}
		for name, with := range flags {
			if c.Flags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, with) // an existing completion is kept
			}
		}
	}
}

// first completes only the first argument of a command.
func first(with completer) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return with(cmd, args, typed)
	}
}

// completeDebugged offers the blocks whose plugins may run under a debugger.
func (a *app) completeDebugged(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, kind := range []string{"agent", "environment", "reward"} {
		found, _ := a.completeAddresses(kind)(cmd, args, typed)
		out = append(out, found...)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeRuns offers run names for at most the given number of leading arguments.
func (a *app) completeRuns(most int) completer {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		dir := "."
		if flag := cmd.Flags().Lookup("dir"); flag != nil {
			dir = flag.Value.String()
		}
		runs, err := a.store(dir).List()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, r := range runs {
			if !slices.Contains(args, r.Ref()) {
				out = append(out, cobra.CompletionWithDesc(r.Ref(), string(r.Status)+", step "+result.StepText(r)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder // newest first
	}
}

// completeSpecs offers specs: files and directories.
func completeSpecs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeConfigurations offers configuration files for other systems.
func completeConfigurations(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml", "sh"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeAdapters offers the adapters for which a spec can be written.
func completeAdapters(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return importer.Systems["ajet"].Adapters, cobra.ShellCompDirectiveNoFileComp
}

// completeFormatted offers the files that fmt rewrites, specs and variable files, and their directories.
func completeFormatted(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"hcl", "awvars"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeDirectories offers directories.
func completeDirectories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeVariableFiles offers variable files.
func completeVariableFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"awvars"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeBundled offers the plugins inside this program.
func completeBundled(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return pluginNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeTypes offers the component types of a kind.
func (a *app) completeTypes(kind string) completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		c := a.quietCatalog(cmd)
		if c == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, typ := range c.Types(kind) {
			described, _ := c.Component(kind, typ)
			out = append(out, cobra.CompletionWithDesc(typ, described.Description))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completePlayed offers environment types, and the agents and swarms in the spec.
func (a *app) completePlayed(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	out, how := a.completeTypes("environment")(cmd, args, typed)
	path, _ := cmd.Flags().GetString("spec")
	if s := a.quietSpec([]string{path}); s != nil {
		for _, address := range s.Order {
			if kind := s.Blocks[address].Kind; kind == "agent" || kind == "swarm" {
				out = append(out, address)
			}
		}
	}
	return out, how
}

// completePlugins offers plugin names. The argument may also be a file or directory.
func (a *app) completePlugins(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	c := a.quietCatalog(cmd)
	if c == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, e := range c.Entries() {
		out = append(out, cobra.CompletionWithDesc(e.Name, result.PluginOf(e).From()))
	}
	return out, cobra.ShellCompDirectiveDefault
}

// completeCheckpoints offers runs, and the checkpoints of a run whose name has already been typed.
func (a *app) completeCheckpoints(cmd *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	ref, _, inside := strings.Cut(typed, "/")
	if !inside {
		out, directive := a.completeRuns(1)(cmd, args, typed)
		return out, directive | cobra.ShellCompDirectiveNoSpace
	}
	r, err := a.store(cmd.Flags().Lookup("dir").Value.String()).Open(ref)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	checkpoints, _ := r.Checkpoints() // unreadable ones are not offered
	var out []string
	for _, c := range slices.Backward(checkpoints) {
		out = append(out, ref+"/"+filepath.Base(c.Dir))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// quietCatalog returns the catalog for the spec in an incomplete command line.
func (a *app) quietCatalog(cmd *cobra.Command) *catalog.Catalog {
	path := defaultSpec
	if flag := cmd.Flags().Lookup("spec"); flag != nil {
		path = flag.Value.String()
	}
	head, problems := spec.Sniff(path, sdk.Version)
	if problems.HasErrors() || head == nil {
		head = &spec.Head{Dir: "."}
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return nil
	}
	return c
}

// completeLogs offers the addresses of the blocks whose plugins have written a log.
func (a *app) completeLogs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	ref := ""
	if len(args) > 0 {
		ref = args[0]
	}
	r, err := a.store(cmd.Flags().Lookup("dir").Value.String()).Open(ref)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, _ := r.Logs() // unreadable ones are not offered
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeAddresses offers the addresses of blocks of the given kind. The argument may also be a file.
func (a *app) completeAddresses(kind string) completer {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		s := a.quietSpec(args)
		if s == nil || cmd.Name() == "play" { // it takes a file
			return nil, cobra.ShellCompDirectiveDefault
		}
		var out []string
		for _, address := range s.Order {
			if s.Blocks[address].Kind == kind {
				out = append(out, address)
			}
		}
		return out, cobra.ShellCompDirectiveDefault
	}
}

// completeTrains offers the names of the train blocks.
func (a *app) completeTrains(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	s := a.quietSpec(args)
	if s == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Sorted(maps.Keys(s.Trains)), cobra.ShellCompDirectiveNoFileComp
}

// emptyEnvironment provides every variable that a spec may request through env() with an empty value.
func emptyEnvironment(name string) (string, bool) { return "", !strings.HasPrefix(name, "AWHOST_VAR_") }

// quietSpec returns the spec in an incomplete command line, or nil if it cannot be read.
func (a *app) quietSpec(args []string) *spec.Spec {
	path := defaultSpec
	if len(args) > 0 {
		path = args[0]
	}
	head, problems := spec.Sniff(path, sdk.Version)
	if problems.HasErrors() {
		return nil
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return nil
	}
	s, _ := spec.Load(path, spec.Options{Environ: emptyEnvironment, Schemas: c, Version: sdk.Version})
	return s
}
