package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSlurm_SeveralNodes starts Ray on two nodes. It takes a cluster of two and a Python that has Ray.
func TestSlurm_SeveralNodes(t *testing.T) {
	conf, python := os.Getenv("AWHOST_SLURM_NODES"), os.Getenv("AWHOST_VERL_PYTHON")
	if conf == "" || python == "" {
		t.Skip("SKIPPED: set AWHOST_SLURM_NODES to the slurm.conf of a cluster of two nodes (.ci/frameworks/slurm up DIR 2), and AWHOST_VERL_PYTHON")
	}
	l := NewSlurm(SlurmOptions{Conf: conf, Nodes: 2, RayStart: []string{"--num-cpus=2", "--num-gpus=3", "--object-store-memory=100000000", "--dashboard-agent-listen-port=0"}})
	j := testJob(t, "")
	j.Argv = []string{python, "-c", `
import os, ray
ray.init(log_to_driver=False)

@ray.remote(num_gpus=2)
def node(): return ray.get_runtime_context().get_node_id(), os.environ["GREETING"]

seen = ray.get([node.remote() for _ in range(2)])
print("GPUS", ray.cluster_resources()["GPU"], "GREETINGS", {g for _, g in seen})
`}
	h, err := l.Start(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the exit status", func() bool { return read(filepath.Join(j.Dir, exitFile)) != "" }, 4*time.Minute)
	s := until(t, l, h, Ended)
	if text := read(j.LogFile); !s.Succeeded() || !strings.Contains(text, `GPUS 6.0 GREETINGS {"it's 5"}`) {
		t.Errorf("ended with %s; its log:\n%s", s, text)
	}
}
