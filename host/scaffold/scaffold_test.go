package scaffold_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost"
	"github.com/awhost/awhost/host/scaffold"
)

func write(t *testing.T, kind string, language scaffold.Language) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my-"+kind)
	files, err := scaffold.Write(scaffold.Request{Kind: kind, Name: "my-" + kind, Language: language, Dir: dir,
		Version: "0.1.0", SDK: awhost.SDK})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil || strings.Contains(string(text), "[[") {
			t.Errorf("%s: %v: %.100q", f, err, text)
		}
	}
	return dir
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly -trimpath", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// A plugin builds without other sources. .ci/scaffolds runs its tests, which include the conformance suite.
func TestWrite_GoPluginsBuild(t *testing.T) {
	for _, kind := range scaffold.Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := write(t, kind, scaffold.Go)
			if out := command(t, dir, "gofmt", "-l", "."); out != "" {
				t.Errorf("not gofmt-ed: %s", out)
			}
			command(t, dir, "go", "vet", ".")
		})
	}
}

// A plugin of a released awhost takes the SDK from that release. internal/release builds such a plugin.
func TestWrite_ReleasedVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if _, err := scaffold.Write(scaffold.Request{Kind: "reward", Name: "mine", Language: scaffold.Go, Dir: dir,
		Version: "1.2.3", Released: true}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"go.mod": "\nrequire github.com/awhost/awhost v1.2.3\n", ".github/workflows/ci.yml": " awhost==1.2.3\n",
		"README.md": "\n$ go mod tidy ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "awhost-sdk") {
			t.Errorf("%s: %v, want %q:\n%s", file, err, want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "awhost-sdk")); err == nil {
		t.Error("it has a copy of the SDK")
	}
}

// Build products are ignored by Git, and written files are not.
func TestWrite_GitIgnoresWhatIsBuilt(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: there is no git to be asked what it ignores")
	}
	dir := write(t, "reward", scaffold.Go)
	command(t, dir, "git", "init", "--quiet")
	written := command(t, dir, "git", "ls-files", "--others")
	for _, program := range []string{"my-reward", "my-reward.test"} { // by go build and go test -c
		if err := os.WriteFile(filepath.Join(dir, program), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if kept := command(t, dir, "git", "ls-files", "--others", "--exclude-standard"); kept != written {
		t.Errorf("git takes\n%s\nof what was written\n%s", kept, written)
	}
}

// A plugin takes the SDK of exactly this version.
func TestWrite_PythonDependsOnNoUnclaimedName(t *testing.T) {
	for _, kind := range scaffold.Kinds {
		text, err := os.ReadFile(filepath.Join(write(t, kind, scaffold.Python), "pyproject.toml"))
		if err != nil || !strings.Contains(string(text), "\ndependencies = [\"awhost-sdk==0.1.0\"]") {
			t.Errorf("%s: %v in %s", kind, err, text)
		}
	}
}

func TestWrite_PythonCompiles(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: there is no python3")
	}
	for _, kind := range scaffold.Kinds {
		command(t, write(t, kind, scaffold.Python), "python3", "-W", "error", "-m", "compileall", "-q", ".")
	}
}

// The template requires the same modules as the plugin in this repository without other modules.
func TestTemplates_NeedTheModulesOfTheExample(t *testing.T) {
	requirements := func(path string) []string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for line := range strings.Lines(string(text)) {
			if strings.HasSuffix(strings.TrimSpace(line), "// indirect") {
				out = append(out, strings.TrimSpace(line))
			}
		}
		return out
	}
	got, want := requirements("templates/go/package/go.mod.tmpl"), requirements("../../examples/plugins/text-game/go.mod")
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) == 0 {
		t.Errorf("the template requires\n%s\nthe example\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	sums, err := os.ReadFile("templates/go/package/go.sum.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("../../examples/plugins/text-game/go.sum")
	if err != nil {
		t.Fatal(err)
	}
	if string(sums) != string(example) {
		t.Error("go.sum of the template is not that of examples/plugins/text-game: copy it")
	}
}

func TestWrite_RefusesWhatCannotBe(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := scaffold.Request{Kind: "reward", Name: "mine", Language: scaffold.Python,
		Dir: filepath.Join(t.TempDir(), "new")}
	for want, change := range map[string]func(*scaffold.Request){
		"choose environment, reward, agent, adapter":                          func(r *scaffold.Request) { r.Kind = "swarm" },
		"choose go or python":                                                 func(r *scaffold.Request) { r.Language = "rust" },
		`invalid plugin name "My_Reward"`:                                     func(r *scaffold.Request) { r.Name = "My_Reward" },
		`invalid plugin name "../up"`:                                         func(r *scaffold.Request) { r.Name = "../up" },
		`cannot be named "json": it is a module of Python's standard library`: func(r *scaffold.Request) { r.Name = "json" },
		`cannot be named "py_compile": it is a module`:                        func(r *scaffold.Request) { r.Name = "py-compile" },
		"such as my-random":                                                   func(r *scaffold.Request) { r.Name = "random" },
		"is a Python keyword":                                                 func(r *scaffold.Request) { r.Name = "import" },
		`"awhost_mine": it is a module of the SDK`:                            func(r *scaffold.Request) { r.Name = "awhost-mine" },
		`"grpc": it is a module of the SDK`:                                   func(r *scaffold.Request) { r.Name = "grpc" },
		`cannot be named "gaia": the name is reserved for a bundled plugin`: func(r *scaffold.Request) {
			r.Name,
				r.Reserved = "gaia", []string{"local", "gaia"}
		},
		"Use another name, such as my-gaia-x": func(r *scaffold.Request) {
			r.Name, r.Language,
				r.Reserved = "gaia-x", scaffold.Go, []string{"gaia_x"}
		},
		"is not empty": func(r *scaffold.Request) { r.Dir = full },
	} {
		r := good
		change(&r)
		if _, err := scaffold.Write(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(good.Dir); err == nil {
			t.Errorf("%s: something was written", want)
		}
	}
}

// The list is checked in, so that a machine without Python rejects the same names. A newer Python may have additional
// modules.
func TestWrite_RefusesEveryModuleOfThisPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: there is no python3 to be asked for its modules")
	}
	names := command(t, t.TempDir(), "python3", "-c", `import re, sys
sys.version_info < (3, 14) and print(*(n.replace("_", "-") for n in sys.stdlib_module_names if re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", n)))`)
	if names == "" {
		t.Skip("SKIPPED: this python3 is newer than the list, which is of 3.10 to 3.13: add its modules")
	}
	for name := range strings.FieldsSeq(names) {
		dir := filepath.Join(t.TempDir(), "new")
		if _, err := scaffold.Write(scaffold.Request{Kind: "reward", Name: name, Language: scaffold.Python,
			Dir: dir}); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}
