package doctor

import (
	"context"
	"os/exec"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/internal/child"
)

// Partition is a Slurm partition.
type Partition struct {
	Name    string `json:"name"`
	Default bool   `json:"default,omitempty"`
	State   string `json:"state"` // "up", "down", "drain", "inact"
	Nodes   int    `json:"nodes"`
	GRES    string `json:"gres,omitempty"` // "gpu:h200:8"
}

// sinfoFormat selects partition, availability, nodes and generic resources.
const sinfoFormat = "%P|%a|%D|%G"

// slurmVariables lists the variables that Slurm commands need to find their configuration.
var slurmVariables = []string{"PATH", "HOME", "LANG", "SLURM_CONF", "SLURM_CLUSTERS", "LD_LIBRARY_PATH"}

// lookAtSlurm runs sinfo, which queries the cluster's controller.
func (c *Config) lookAtSlurm(ctx context.Context) result {
	f := Finding{Group: Clusters, Subject: "Slurm", Status: OK}
	sinfo, missing := c.lookPath("sinfo"), []string{}
	for _, name := range []string{"sinfo", "sbatch"} {
		if c.lookPath(name) == "" {
			missing = append(missing, name)
		}
	}
	switch {
	case len(missing) == 2:
		f.Status, f.Found = Skipped, "neither sinfo nor sbatch is on PATH"
		return found(f)
	case len(missing) == 1:
		f.Status, f.Found, f.Remedy = Warn, missing[0]+" is not on PATH", "load the module that brings Slurm's commands"
		return found(f)
	}
	var environ []string
	for _, name := range slurmVariables {
		if value := c.getenv(name); value != "" {
			environ = append(environ, name+"="+value)
		}
	}
	out, err := child.Output(ctx, child.Command{Path: sinfo, Args: []string{"-h", "-o", sinfoFormat}, Env: environ})
	if err != nil {
		f.Status, f.Found, f.Remedy = Warn, "sinfo: "+err.Error(), "see whether the controller answers: scontrol ping"
		return found(f)
	}
	partitions := readPartitions(out)
	f.Found = describePartitions(partitions)
	if job := c.getenv("SLURM_JOB_ID"); job != "" {
		f.Found += "; this is job " + job
	}
	if len(partitions) == 0 {
		f.Status, f.Remedy = Warn, "sinfo lists no partition that you may use: ask the cluster's administrators"
	}
	return result{findings: []Finding{f}, slurm: partitions}
}

// readPartitions parses the output of sinfo. A partition has one line for each kind of node.
func readPartitions(text string) []Partition {
	var out []Partition
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != 4 || fields[0] == "" {
			continue
		}
		p := Partition{State: fields[1]}
		p.Name, p.Default = strings.CutSuffix(fields[0], "*")
		p.Nodes, _ = strconv.Atoi(fields[2]) // 0: unknown
		if fields[3] != "(null)" {
			p.GRES = fields[3]
		}
		out = append(out, p)
	}
	return out
}

func describePartitions(all []Partition) string {
	if len(all) == 0 {
		return "no partition"
	}
	words := make([]string, 0, len(all))
	for _, p := range all {
		word := p.Name + " (" + joined(plural(p.Nodes, "node", "nodes"), p.GRES)
		if p.State != "up" {
			word += ", " + p.State
		}
		words = append(words, word+")")
	}
	return plural(len(all), "partition", "partitions") + ": " + joined(words...)
}

// lookPath returns the path of a program on the configuration's PATH, or "".
func (c *Config) lookPath(name string) string {
	for _, dir := range strings.Split(c.getenv("PATH"), ":") {
		if !strings.HasPrefix(dir, "/") {
			continue // depends on the working directory
		}
		if path, err := exec.LookPath(dir + "/" + name); err == nil {
			return path
		}
	}
	return ""
}
