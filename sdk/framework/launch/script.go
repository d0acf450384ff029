package launch

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parts of a job's script. They are bash, for Slurm's nodes have that.
var (
	//go:embed script/begin.sh
	scriptBegin string
	//go:embed script/ray.sh
	scriptRay string
	//go:embed script/run.sh
	scriptRun string
)

// Script is the script of a job.
func (s *Slurm) Script(j Job) string { return s.script(j, quote) }

// hidden stands for the value of a variable in what people read.
func hidden(string) string { return "..." }

// script writes the values of variables by value.
func (s *Slurm) script(j Job, value func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n# The job of launch %s. Written by awhost; a change of it is lost with the next launch.\n", strings.ReplaceAll(j.LaunchID, "\n", " "))
	fmt.Fprintf(&b, "dir=%s\n%s", quote(j.Dir), scriptBegin)
	for _, line := range s.options.Setup {
		b.WriteString(line + "\n")
	}
	writeEnv(&b, slurmEnv(j), value)
	argv := j.Argv
	switch {
	case s.options.Script != "":
		argv = append([]string{s.options.Script}, argv...)
	case s.options.Nodes > 1:
		fmt.Fprintf(&b, "python=%s\nnodes=%d\nray_start=(%s)\n%s", quote(j.Argv[0]), s.options.Nodes, quoteAll(s.options.RayStart), scriptRay)
	}
	fmt.Fprintf(&b, "set -m\n%s &\ntrainer=$!\n%s", quoteAll(argv), scriptRun)
	return b.String()
}

// writeEnv sets variables after the set-up lines, which may have set them, too.
func writeEnv(b *strings.Builder, env map[string]string, value func(string) string) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		text := value(env[name])
		if name == pythonPath {
			text += `"${PYTHONPATH:+:$PYTHONPATH}"`
		}
		fmt.Fprintf(b, "export %s=%s\n", name, text)
	}
}
