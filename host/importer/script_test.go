package importer_test

import (
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/importer"
)

// find returns the results for a key.
func find(spec *importer.Spec, key string) (out []importer.ImportedKey) {
	for _, k := range spec.Keys {
		if k.Key == key {
			out = append(out, k)
		}
	}
	return out
}

// A launch script is evaluated as the shell does, and no command in it is run.
func TestScript(t *testing.T) {
	const launch = "python3 -m verl.trainer.main_ppo data.train_batch_size=8"
	t.Setenv("HOME", "/home/user")
	t.Setenv("SIZE", "64")
	t.Setenv("HF_TOKEN", "hidden")
	dir := t.TempDir()
	t.Chdir(dir)
	for name, test := range map[string]struct {
		script string
		key    string // of the last result; empty: trainer.experiment_name
		value  string
		want   importer.Outcome // empty: Kept
		why    string           // in the reason
	}{
		"a text":                       {script: launch + " trainer.experiment_name=first", value: "first"},
		"quotes":                       {script: launch + ` trainer.experiment_name='a b'"c d"`, value: "a bc d"},
		"a continuation":               {script: launch + " \\\n  trainer.experiment_name=first", value: "first"},
		"a variable":                   {script: "A=x\n" + launch + " trainer.experiment_name=$A-${A}", value: "x-x"},
		"a default":                    {script: launch + " trainer.experiment_name=${A:-b}", value: "b"},
		"a default of a default":       {script: launch + " trainer.experiment_name=${A:-${B:-c}}", value: "c"},
		"an assigned default":          {script: ": ${A:=b}\nA=${A:-c}\n" + launch + " trainer.experiment_name=$A", value: "b"},
		"no default for a value":       {script: "A=x\n" + launch + " trainer.experiment_name=${A:-b}", value: "x"},
		"a parameter of the script":    {script: "A=${1:-vllm}\n" + launch + " trainer.experiment_name=$A", value: "vllm"},
		"a removed suffix":             {script: "A=a/b.json\n" + launch + " trainer.experiment_name=${A##*/}", value: "b.json"},
		"an appended value":            {script: "A=x\nA+=y\n" + launch + " trainer.experiment_name=$A", value: "xy"},
		"an export":                    {script: "export A=x\n" + launch + " trainer.experiment_name=$A", key: "env.A", value: "x", want: importer.Mapped},
		"an export of a variable":      {script: "A=x\nexport A\n" + launch, key: "env.A", value: "x", want: importer.Mapped},
		"a variable of the command":    {script: "A=x " + launch, key: "env.A", value: "x", want: importer.Mapped},
		"a secret":                     {script: "export API_KEY=abc\n" + launch, key: "env.API_KEY", value: "…", want: importer.Unresolved, why: "is a secret"},
		"arithmetic":                   {script: "A=3\nB=$(( (A + 1) * 4 ))\n" + launch + " trainer.experiment_name=$((B*2))", value: "32"},
		"an arithmetic command":        {script: "A=3\n(( A += 2 ))\n" + launch + " trainer.experiment_name=$A", value: "5"},
		"an array":                     {script: "ARGS=(data.seed=3 trainer.experiment_name=x)\n" + launch + ` "${ARGS[@]}"`, value: "x"},
		"an array that grows":          {script: "ARGS=(data.seed=3)\nARGS+=(trainer.experiment_name=x)\n" + launch + ` "${ARGS[@]}"`, value: "x"},
		"arguments of the script":      {script: launch + ` trainer.experiment_name=x $@ "$@" $*`, value: "x"},
		"a variable of the machine":    {script: launch + " trainer.experiment_name=$SIZE", value: "64"},
		"a secret of the machine":      {script: launch + " trainer.experiment_name=$HF_TOKEN", value: "$HF_TOKEN", want: importer.Unresolved, why: `env("HF_TOKEN")`},
		"the home directory":           {script: launch + " trainer.experiment_name=$HOME/a", value: "/home/user/a"},
		"the working directory":        {script: "D=$(pwd)\n" + launch + " trainer.experiment_name=$D", value: dir},
		"its variable":                 {script: launch + " trainer.experiment_name=$PWD", value: dir},
		"the script's directory":       {script: "D=$(cd \"$(dirname \"$0\")\" && pwd)\n" + launch + " trainer.experiment_name=$D", value: dir},
		"the folder of another script": {script: "D=$(dirname \"$0\")/x\n" + launch + " trainer.experiment_name=$D", value: "./x"},
		"its name":                     {script: launch + " trainer.experiment_name=$(basename ${BASH_SOURCE[0]})", value: "run.sh"},
		"a new key":                    {script: launch + " +my.key=3", key: "+my.key", value: "3"},
		"a forced key":                 {script: launch + " ++my.key=[1,2]", key: "++my.key", value: "[1,2]"},
		"a removed key":                {script: launch + " ~my.key", key: "~my.key", want: importer.LeftOut, why: "cannot remove"},
		"a group of Hydra's":           {script: launch + " hydra/job_logging=none", key: "hydra/job_logging", value: "none", want: importer.LeftOut, why: "KEY=VALUE"},
		"the last of two": {
			script: launch + " trainer.experiment_name=a trainer.experiment_name=b", value: "b",
		},
		"a condition that holds": {
			script: "A=1\nif [ \"$A\" -gt 0 ]; then B=x; else B=y; fi\n" + launch + " trainer.experiment_name=$B", value: "x",
		},
		"a condition that does not hold": {
			script: "if [ -n \"$UNSET\" ]; then B=x; elif [ a = b ]; then B=z; else B=y; fi\n" + launch + " trainer.experiment_name=$B", value: "y",
		},
		"the other branch": {
			script: "if [ a = b ]; then B=x; else B=y; fi\n" + launch, key: "B", value: "x", want: importer.LeftOut, why: "does not hold",
		},
		"a condition with brackets": {
			script: "A=x\nif [[ $A == x && ! -f none ]]; then B=1; fi\n" + launch + " trainer.experiment_name=$B", value: "1",
		},
		"a condition that needs a command": {
			script: "if command -v nvcc; then B=x; else B=y; fi\n" + launch + " trainer.experiment_name=$B", value: "x",
		},
		"a condition that substitutes a command": {
			script: "if [[ -z $(nvcc) ]]; then B=x; else B=y; fi\n" + launch, key: "B", value: "y", want: importer.LeftOut, why: "an alternative",
		},
		"its alternative": {
			script: "if command -v nvcc; then B=x; else B=y; fi\n" + launch, key: "B", value: "y", want: importer.LeftOut, why: "an alternative",
		},
		"a short condition": {
			script: "A=x\n[ -z \"$A\" ] && A=y\n[ -n \"$A\" ] || A=z\n" + launch + " trainer.experiment_name=$A", value: "x",
		},
		"a pipe":          {script: launch + " trainer.experiment_name=x 2>&1 | tee log", value: "x"},
		"a list":          {script: "cd /tmp && " + launch + " trainer.experiment_name=x || exit 1", value: "x"},
		"a block":         {script: "{ " + launch + " trainer.experiment_name=x; } &\nwait", value: "x"},
		"another command": {script: "nvidia-smi -L\n" + launch, key: "nvidia-smi", value: "nvidia-smi -L", want: importer.NotRun},
		"ray": {
			script: `ray job submit --address=http://h:8265 -- ` + launch + " trainer.experiment_name=x", value: "x",
		},
		"overrides joined by mistake": {
			script: "A=x\n" + launch + " trainer.project_name=\"${A}\"\\\ntrainer.experiment_name=y", value: "y",
		},
		"an unset variable": {
			script: launch + " trainer.experiment_name=$NONE", value: "$NONE", want: importer.Unresolved,
			why: "run.sh:1: NONE is not set: import again with NONE=VALUE",
		},
		"a command substitution": {
			script: "D=$(date)\n" + launch + " trainer.experiment_name=a-$D", value: "a-$D",
			want: importer.Unresolved, why: "run.sh:1: $(date) is not run: write its output",
		},
		"backquotes": {
			script: launch + " trainer.experiment_name=`hostname`", value: "$(hostname)", want: importer.Unresolved,
			why: "run.sh:1: $(hostname) is not run",
		},
		"a file of variables": {script: "source env.sh\n" + launch, key: "source", value: "source env.sh", want: importer.Unresolved, why: "is not run"},
		"a loop": {
			script: "for A in 1 2; do B=$A; done\n" + launch + " trainer.experiment_name=$B", value: "$B",
			want: importer.Unresolved, why: "run.sh:1: loops",
		},
		"a training in a loop": {
			script: "for A in 1 2; do " + launch + " trainer.experiment_name=$A; done", value: "$A", want: importer.Unresolved, why: "run.sh:1: loops",
		},
		"the rest of a training in a loop": {
			script: "for A in 1 2; do " + launch + " trainer.project_name=$A trainer.experiment_name=x; done", value: "x",
		},
		"a second training": {
			script: launch + "\n" + launch + " trainer.experiment_name=x", value: "x", want: importer.LeftOut, why: "import it alone",
		},
		"a configuration that is missing": {
			script: launch + " --config-path=conf --config-name=lost", key: "configuration", value: "conf/lost.yaml", want: importer.Unresolved,
			why: "no such file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if test.key == "" {
				test.key = "trainer.experiment_name"
			}
			if test.want == "" {
				test.want = importer.Kept
			}
			spec, err := importer.Systems["verl"].Import("run.sh", []byte(test.script), importer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := find(spec, test.key)
			if len(found) == 0 {
				t.Fatalf("no %s in %+v", test.key, spec.Keys)
			}
			got := found[len(found)-1]
			if got.Value != test.value || got.Outcome != test.want || !strings.Contains(got.Why, test.why) {
				t.Errorf("%+v, want %q, %s and %q", got, test.value, test.want, test.why)
			}
		})
	}
}

// No command of a script is run, and no file is written, however it is hidden.
func TestScript_RunsNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, line := range []string{
		"touch bad", "A=$(touch bad)", "A=`touch bad`", "A=$(cd $(touch bad) && pwd)", "exec touch bad", "echo x > bad",
		`[ -n "$(touch bad)" ] && A=1`, "A=${B:-$(touch bad)}", "A=${B:=$(pwd; touch bad)}", `eval "touch bad"`,
		`trap "touch bad" EXIT`, "((A = $(touch bad) + 1))", "A=<(touch bad)", "if touch bad > bad; then A=1; fi",
		"export A=$(touch bad) B=3", "A=($(touch bad) x)", "A+=$(touch bad)", "f() { touch bad; }; f", "A=$(< bad)",
		"[[ -f bad || $(touch bad) ]] || touch bad", "while true; do touch bad; done", "A=1 touch bad", "(touch bad) &",
		"pwd > bad", "A=$(pwd > bad)", ": > bad", "command touch bad", "builtin eval 'touch bad'", "A[$(touch bad)]=1",
		"echo $(touch bad) | tee bad", "case $(touch bad) in *) touch bad;; esac", "test -n x > bad && A=1",
		"dirname $(touch bad)", "A=$(dirname $(touch bad))", "A=$(pwd)$(dirname x > bad)",
	} {
		script := line + "\npython3 -m verl.trainer.main_ppo data.train_batch_size=8 trainer.experiment_name=$A a=$(touch bad)\n"
		if _, err := importer.Systems["verl"].Import("run.sh", []byte(script), importer.Options{}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Fatalf("%s: %v %v", line, files, err)
		}
	}
}

// A script that starts no training, and text that is not a script, are errors.
func TestScript_Errors(t *testing.T) {
	for script, want := range map[string]string{
		"echo a":                               "no command in it starts verl",
		"python3 -m pip install a=b":           "no command in it starts verl",
		"if true; then":                        "run.sh:1:10: `then` must be followed",
		"python3 -m verl.main_ppo --a \"b\nc=": "run.sh:1",
	} {
		_, err := importer.Systems["verl"].Import("run.sh", []byte(script), importer.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}
