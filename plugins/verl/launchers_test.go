package verl

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// configured is a config with the schema's defaults, or the reason why there is none.
func configured(t *testing.T, text string) config {
	t.Helper()
	full, err := configSchema.Complete(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	var c config
	if err := json.Unmarshal(full, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPlanLaunch(t *testing.T) {
	const reachable = `"bridge":{"listen":"0.0.0.0:0","advertise":["head"]}`
	for name, test := range map[string]struct {
		config string
		env    string // RAY_ADDRESS
		want   []string
	}{
		"this machine":                {config: `{}`},
		"ray here":                    {config: `{"launch":"ray"}`},
		"ray here by the variable":    {config: `{"launch":"ray"}`, env: "auto"},
		"ray here, several nodes":     {config: `{"launch":"ray","nodes":2}`, want: []string{"error: The bridge cannot be reached"}},
		"ray elsewhere":               {config: `{"launch":"ray","ray":{"address":"http://head:8265"}}`, want: []string{"error: The bridge cannot be reached"}},
		"ray elsewhere, reachable":    {config: `{"launch":"ray","ray":{"address":"http://head:8265"},` + reachable + `}`},
		"everywhere, by no name":      {config: `{"launch":"slurm","nodes":2,"bridge":{"listen":"0.0.0.0:0"}}`, want: []string{"error: No address for verl's workers"}},
		"everywhere, on this machine": {config: `{"bridge":{"listen":":4310"}}`, want: []string{"error: No address for verl's workers"}},
		"one address":                 {config: `{"launch":"slurm","nodes":2,"bridge":{"listen":"10.0.0.7:0"}}`},
		"ray's own port":              {config: `{"launch":"ray"}`, env: "head:6379", want: []string{"error: No Ray cluster"}},
		"ray with a password":         {config: `{"launch":"ray","ray":{"address":"http://me:pw@head"}}`, want: []string{"error: No Ray cluster"}},
		"ray with a folder":           {config: `{"launch":"ray","ray":{"working_dir":"./project"}}`, want: []string{"error: No URI"}},
		"a block without effect":      {config: `{"ray":{},"slurm":{}}`, want: []string{"error: Block without effect", "error: Block without effect"}},
		"slurm on one node":           {config: `{"launch":"slurm"}`, want: []string{"warning: The bridge may not be reached"}},
		"slurm on several":            {config: `{"launch":"slurm","nodes":2}`, want: []string{"error: The bridge cannot be reached"}},
		"slurm on several, reachable": {config: `{"launch":"slurm","nodes":2,` + reachable + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("RAY_ADDRESS", test.env)
			withSlurm(t)
			out := &sdk.PlanResponse{}
			(&adapter{config: configured(t, test.config)}).site(false).Plan(out)
			var got []string
			for _, d := range out.Diagnostics {
				got = append(got, string(d.Severity)+": "+d.Summary)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}

// withSlurm puts commands by the names of Slurm's on PATH.
func withSlurm(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"sbatch", "squeue", "scancel"} {
		if err := os.WriteFile(dir+"/"+name, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

func TestPlan_TellsOfVariablesThatRayChanges(t *testing.T) {
	env := map[string]string{"A": "plain", "B": "cost: $5", "C": "${HOME}/x"}
	for config, want := range map[string][]string{`{"launch":"ray"}`: {"B", "C"}, `{"launch":"slurm"}`: nil, `{}`: nil} {
		out := &sdk.PlanResponse{}
		for range 2 { // stages
			(&adapter{config: configured(t, config)}).site(false).PlanEnv(out, env)
		}
		var got []string
		for _, d := range out.Diagnostics {
			name, _, _ := strings.Cut(strings.TrimPrefix(d.Detail, "The value of "), " ")
			got = append(got, name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: variables (-want +got):\n%s", config, diff)
		}
	}
}

func TestPlan_NamesPorts(t *testing.T) {
	for config, want := range map[string]int{`{}`: 2, `{"launch":"ray"}`: 1, `{"bridge":{"listen":"127.0.0.1:nothing"}}`: 2} {
		got := (&adapter{config: configured(t, config)}).ports(false)
		if len(got) != want || got[0].Met == strings.Contains(config, "nothing") {
			t.Errorf("%s: %+v", config, got)
		}
	}
}

func TestPlanLaunch_SlurmIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out := &sdk.PlanResponse{}
	(&adapter{config: configured(t, `{"launch":"slurm"}`)}).site(false).Plan(out)
	if len(out.Diagnostics) == 0 || out.Diagnostics[0].Summary != "No Slurm" || !strings.Contains(out.Diagnostics[0].Detail, "sbatch") {
		t.Errorf("%+v, want that sbatch is missing", out.Diagnostics)
	}
	out = &sdk.PlanResponse{}
	(&adapter{config: configured(t, `{"launch":"slurm"}`)}).site(true).Plan(out)
	if len(out.Diagnostics) != 0 {
		t.Errorf("a smoke run needs no Slurm: %+v", out.Diagnostics)
	}
}

func TestPlanned_ShowsHowVerlIsStarted(t *testing.T) {
	command := []string{"python", "-m", "verl"}
	for text, want := range map[string]string{
		`{}`:               "python -m verl",
		`{"launch":"ray"}`: "POST http://127.0.0.1:8265/api/jobs/ submission_id=awhost-LAUNCH entrypoint=cd '/d' && exec 'python' '-m' 'verl'",
		`{"launch":"slurm","slurm":{"partition":"gpu"}}`: "sbatch --parsable --job-name=awhost-LAUNCH --output=/d/verl.log --open-mode=append --chdir=/d --nodes=1 " +
			"--ntasks-per-node=1 --no-requeue --export=HOME,USER,LOGNAME,SHELL,LANG,PATH --partition=gpu --gpus-per-node=8 < /d/slurm.sh: python -m verl",
	} {
		t.Setenv("RAY_ADDRESS", "")
		got := (&adapter{config: configured(t, text)}).planned("/d", command, false)
		if joined := strings.Join(got.Argv, " "); joined != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, joined, want)
		}
		if got := (&adapter{config: configured(t, text)}).planned("/d", command, true); strings.Join(got.Argv, " ") != "python -m verl" {
			t.Errorf("a smoke run: %v", got.Argv)
		}
	}
}
