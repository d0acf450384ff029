package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/host/doctor"
	"github.com/awhost/awhost/host/gpu"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

// exampleReport returns a report with a finding of every kind, and foreign text that would move the cursor.
func exampleReport() *doctor.Report {
	busy, processes := 97, 3
	return &doctor.Report{
		Findings: []doctor.Finding{
			{Group: doctor.Machine, Subject: "memory", Status: doctor.OK, Found: "9.2 GiB free of 16.0 GiB"},
			{Group: doctor.Machine, Subject: "open files", Status: doctor.Warn, Found: "1024 per process",
				Remedy: "frameworks open many: ulimit -n 65536, before awhost"},
			{Group: doctor.GPUs, Subject: "GPU 0", Status: doctor.OK,
				Found: "NVIDIA H200, 3.0 GiB of 141.0 GiB used, 97 % busy, 3 processes, GPU-6f1c"},
			{Group: doctor.Python, Subject: ".venv/bin/python", Status: doctor.OK,
				Found: "Python 3.11.7 (next to the spec): ray 2.52.0, transformers 5.9.0"},
			{
				Group: doctor.Python, Subject: ".venv/bin/python", Part: "verl", Status: doctor.Failed,
				Found:  "0.5.0: refused; its AgentLoop has run(messages, sampling_params): no dataset fields, no reward, no log-probabilities",
				Remedy: "upgrade in a separate environment: pip install 'verl>=0.7.1,<0.10'",
			},
			{Group: doctor.Python, Subject: ".venv/bin/python", Part: "torch", Status: doctor.Skipped,
				Found: "2.11.0, not asked for its device: \x1b[2J"},
			{Group: doctor.Clusters, Subject: "Slurm", Status: doctor.Skipped, Found: "neither sinfo nor sbatch is on PATH"},
		},
		Inventory: &gpu.Inventory{Driver: "570.86.15", CUDA: "12.8", GPUs: []gpu.GPU{{
			Index: 0, Name: "NVIDIA H200", UUID: "GPU-6f1c", Memory: &gpu.Memory{Total: 141 << 30, Used: 3 << 30},
			Utilization: &busy, Processes: &processes,
			MIG: true, Instances: []gpu.Instance{{Name: "1g.18gb", UUID: "MIG-1", Memory: &gpu.Memory{Total: 18 << 30}}},
			Problems: []string{"name: unknown"},
		}}},
		Environments: []doctor.Environment{{
			Python: "/spec/.venv/bin/python", Prefix: "/spec/.venv", Origin: "next to the spec", Version: "3.11.7",
			Packages:   []doctor.Package{{Name: "verl", Version: "0.5.0", Editable: "/src/verl"}},
			Frameworks: []doctor.FrameworkVersion{{Name: "verl", Version: "0.5.0", Tier: doctor.Refused, Why: "its AgentLoop"}},
		}},
		Ray:   &doctor.Ray{Address: "http://127.0.0.1:8265", Version: "2.52.0"},
		Slurm: []doctor.Partition{{Name: "gpu", Default: true, State: "up", Nodes: 16, GRES: "gpu:h200:8"}},
	}
}

// patience bounds every wait of a test. It is generous, because the machine may be busy.
const patience = 3 * time.Minute

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "doctor", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (rewrite it with -update):\n%s", path, diff)
	}
}

func TestDoctor_ShowsAReport(t *testing.T) {
	for name, terminal := range map[string]text.Terminal{
		"pipe.golden":     {Styles: text.Plain()},
		"terminal.golden": {Styles: text.Coloured(), IsTerminal: true, Width: 72},
	} {
		var out bytes.Buffer
		printer := text.NewPrinter(&out, terminal)
		result.DoctorOf(exampleReport()).Text(printer)
		if err := printer.Err(); err != nil {
			t.Fatal(err)
		}
		golden(t, name, strings.ReplaceAll(out.String(), "\x1b", "^["))
	}
}

func TestDoctor_PrintsAReportAsTheSchemaSays(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: text.NewOutput(&out), err: text.NewOutput(&out)}
	line := result.DoctorOf(exampleReport())
	line.Awhost = "0.1.0"
	a.print(line)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err == nil {
		err = commandSchema(t).Validate(value)
	}
	if err != nil {
		t.Error(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, out.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", pretty.String())
}

// docs/reference/doctor.md must list the versions known to the program.
func TestDoctorPage_HasTheSupportedVersions(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frameworks {
		row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(f.Name) + ` \|.*$`).FindString(string(page))
		if row == "" {
			t.Errorf("docs/reference/doctor.md has no row for %s", f.Name)
		}
		for _, r := range f.Support {
			if r.From != "" && r.Tier != doctor.Untested && !strings.Contains(row, r.From) {
				t.Errorf("docs/reference/doctor.md does not name %s %s (%s): %s", f.Name, r.From, r.Tier, row)
			}
		}
	}
}

// The supported versions of frameworks are documented promises; a change here changes a promise.
func TestFrameworks_SupportWhatIsPromised(t *testing.T) {
	root := t.TempDir()
	site := filepath.Join(root, ".venv", "lib", "python3.11", "site-packages")
	for name, versions := range map[string]map[string]doctor.Tier{
		"verl": {
			"0.5.0": doctor.Refused, "0.5.0.dev0": doctor.Refused, "0.6.0": doctor.BestEffort, "0.6.1": doctor.BestEffort,
			"0.7.0": doctor.BestEffort,
			"0.7.1": doctor.FirstClass, "0.8.0": doctor.FirstClass, "0.9.0": doctor.FirstClass, "0.9.1": doctor.FirstClass,
			"0.10.0.dev0": doctor.Untested, "0.10.0": doctor.Untested,
		},
		"areal": {"0.5.3": doctor.Untested, "1.0.2": doctor.BestEffort, "1.0.3": doctor.BestEffort,
			"1.0.4": doctor.FirstClass, "2.0.0": doctor.FirstClass, "3.0": doctor.Untested},
		"trl":      {"1.9.0": doctor.Refused, "1.16.0": doctor.FirstClass, "2.0.0": doctor.Refused},
		"ms_swift": {"4.5.0": doctor.Refused, "4.6.0": doctor.FirstClass, "5.0.0": doctor.Refused},
	} {
		for version, want := range versions {
			if got := tierOf(t, root, filepath.Join(site, name+"-"+version+".dist-info"), version); got != want {
				t.Errorf("%s %s: %q, want %q", name, version, got, want)
			}
		}
	}
}

// tierOf installs a package in the environment next to a spec, and removes it again.
func tierOf(t *testing.T, root, record, version string) doctor.Tier {
	t.Helper()
	for path, file := range map[string]string{
		filepath.Join(root, ".venv", "pyvenv.cfg"): "version = 3.11.7", filepath.Join(root, ".venv", "bin", "python"): "",
		filepath.Join(record, "METADATA"): "Version: " + version,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(file), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	defer os.RemoveAll(record)
	a := &app{environ: []string{fmt.Sprintf("HOME=%s", root)}}
	config, err := a.doctorConfig([]string{root}, doctorFlags{torch: "none", timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	config.Home = root
	for _, e := range doctor.Look(t.Context(), config).Environments {
		for _, f := range e.Frameworks {
			return f.Tier
		}
	}
	return ""
}
