package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/gpu"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// doctorFlags holds the flags for doctor.
type doctorFlags struct {
	pythons []string
	torch   string
	timeout time.Duration
	vars    specFlags
}

func newDoctor(a *app) *cobra.Command {
	var flags doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor [spec]",
		Short: "Check this machine: GPUs, Python, frameworks, directories, ports, clusters",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := a.doctorConfig(args, flags)
			if err != nil {
				return exit(run.ExitUsage, err)
			}
			silence := time.AfterFunc(silent, a.sayThatItTakesAWhile)
			report := doctor.Look(cmd.Context(), config)
			silence.Stop()
			if err := a.show(result.DoctorOf(report)); err != nil {
				return exit(run.ExitFailed, err)
			}
			if report.Count(doctor.Failed) > 0 {
				return exit(run.ExitNotReady, nil)
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&flags.pythons, "python", nil, "also check this Python: a `program` or an environment's "+
		"directory; may be repeated")
	flags.vars.registerVars(cmd)
	cmd.Flags().StringVar(&flags.torch, "torch", string(doctor.TorchOwn), "`which` Pythons to start to query torch for "+
		"devices: own, all, or none")
	cmd.Flags().DurationVar(&flags.timeout, "timeout", 10*time.Second, "timeout of a probe; starting a Python with torch "+
		"may take six times as long")
	return cmd
}

// silent is how long a command may print nothing before a user becomes impatient.
const silent = 2 * time.Second

// sayThatItTakesAWhile prints a note to a terminal, but not to a log.
func (a *app) sayThatItTakesAWhile() {
	if terminal := text.Detect(a.err, a.environ); terminal.IsTerminal && !a.json {
		a.tell("%s", terminal.Styles.Dim("Checking. Importing torch may take a while; --torch none skips it."))
	}
}

// doctorConfig returns the configuration of the checks to run.
func (a *app) doctorConfig(args []string, flags doctorFlags) (doctor.Config, error) {
	c := doctor.Config{
		Version: sdk.Version, Environ: a.environ, Frameworks: frameworks, Packages: frameworkPackages,
		Torch: doctor.TorchUse(flags.torch), GPUs: gpu.New(), Timeout: flags.timeout,
	}
	if uses := []doctor.TorchUse{doctor.TorchOwn, doctor.TorchAll, doctor.TorchNone}; !slices.Contains(uses, c.Torch) {
		return c, fmt.Errorf("--torch %s: want own, all or none", flags.torch)
	}
	if c.Timeout <= 0 {
		return c, fmt.Errorf("--timeout %s: want a duration above 0", flags.timeout)
	}
	var err error
	if c.WorkDir, err = filepath.Abs("."); err != nil {
		return c, err
	}
	c.Home, _ = os.UserHomeDir() // without a home directory, fewer places are checked
	for _, path := range flags.pythons {
		c.Named = append(c.Named, doctor.Named{Path: programPath(path), Origin: "--python", Own: true})
	}
	return c, a.doctorSpec(&c, args, flags.vars)
}

// programPath resolves a program name without a directory, as a shell does. A name that is not found is kept and
// reported.
func programPath(name string) string {
	if !strings.ContainsRune(name, filepath.Separator) {
		if _, err := os.Stat(name); err != nil {
			if path, err := exec.LookPath(name); err == nil {
				name = path
			}
		}
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// doctorSpec adds a spec's data: its runs directory and the Python interpreters that its blocks name.
func (a *app) doctorSpec(c *doctor.Config, args []string, vars specFlags) error {
	path := defaultSpec
	if len(args) == 1 {
		path = args[0]
	}
	info, err := os.Stat(path)
	if err != nil && len(args) == 0 {
		c.Dir = c.WorkDir
		return nil
	}
	if err != nil {
		return err
	}
	if c.Spec, err = filepath.Abs(path); err != nil {
		return err
	}
	if c.Dir = c.Spec; !info.IsDir() {
		c.Dir = filepath.Dir(c.Spec)
	}
	known := doctor.Finding{Group: doctor.Spec, Subject: "spec", Status: doctor.OK, Found: path}
	given, err := vars.values()
	if err != nil {
		return err
	}
	options := spec.Options{Vars: given, VarFiles: vars.varFiles, Environ: doctorEnvironment, Version: sdk.Version}
	if s, ok := a.doctorRead(path, options); ok {
		c.Named = append(c.Named, pythonsOf(s)...)
		known.Found += " names " + describeNamed(c.Named)
	} else {
		known.Status, known.Found, known.Remedy = doctor.Warn, path+" has errors, or variables without a value, so its "+
			"requirements are not checked", "awhost validate "+path+" "+
			"reports them; doctor also accepts --var and --var-file"
	}
	c.Known = append(c.Known, known)
	return nil
}

// doctorEnvironment returns environment variables. Variables for env() may be missing: only a run needs them.
func doctorEnvironment(name string) (string, bool) {
	if value, ok := os.LookupEnv(name); ok {
		return value, true
	}
	return emptyEnvironment(name)
}

// doctorRead reads a spec to find its references.
func (a *app) doctorRead(path string, options spec.Options) (*spec.Spec, bool) {
	head, problems := spec.Sniff(path, sdk.Version)
	if problems.HasErrors() {
		return nil, false
	}
	c, err := a.openCatalog(head)
	if err != nil {
		return nil, false
	}
	options.Schemas = c
	s, problems := spec.Load(path, options)
	return s, s != nil && !problems.HasErrors()
}

// pythonsOf returns the Python interpreters that a spec's blocks name with the attributes python and venv, as in
// adapters and Python plugins. A default venv does not have to exist.
func pythonsOf(s *spec.Spec) []doctor.Named {
	var out []doctor.Named
	for _, address := range s.Order {
		var config struct{ Python, Venv string }
		if err := json.Unmarshal(s.Blocks[address].Config, &config); err != nil {
			continue // a block with another kind of attribute python
		}
		path := config.Python
		if path == "" && isDirectory(inSpec(s, config.Venv)) {
			path = config.Venv
		}
		if path == "" || !strings.ContainsRune(path, filepath.Separator) {
			continue // none, or a program on PATH
		}
		out = append(out, doctor.Named{Path: inSpec(s, path), Origin: address})
	}
	return out
}

// inSpec resolves a path relative to the spec.
func inSpec(s *spec.Spec, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.Dir, path)
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func describeNamed(all []doctor.Named) string {
	var origins []string
	for _, n := range all {
		if !n.Own {
			origins = append(origins, n.Origin)
		}
	}
	if len(origins) == 0 {
		return "no Python"
	}
	return "the Python of " + strings.Join(origins, ", ")
}
