package realtest

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

//go:embed family.py
var family string

// Families are the model families that sdk/python/tests/test_codec.py has templates of.
var Families = []string{"qwen2.5", "qwen3", "qwen3.5", "qwen3.8", "nemotron-3", "glm-4.5", "gpt-oss", "mistral",
	"llama-3", "deepseek-v3", "gemma-4", "kimi-k2", "minimax-m2"}

// FamilyPython returns Python code for Mutant in which the policy follows a script: act and speak change modules of
// awhost_bridge, and act_in_verl changes a module of awhost_verl. The framework can also import the packages of
// AWHOST_CODECS_PYTHON, such as renderers.
func FamilyPython(t *testing.T) string {
	t.Helper()
	from, packages := codecs(t), t.TempDir()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "trl") { // verl tests whether TRL is installed, and imports it
			if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(packages, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return fmt.Sprintf("%s\nsys.path.append(%q)\n", family, packages)
}

// FamilyModel makes a tiny model of random weights with the tokenizer and the chat template of a family.
func FamilyModel(t *testing.T, python, name string) string {
	t.Helper()
	return makeFamily(t, python, "make", name)
}

// FamilyTokenizer makes the tokenizer with the chat template of a family. It needs no torch.
func FamilyTokenizer(t *testing.T, python, name string) string {
	t.Helper()
	return makeFamily(t, python, "make_tokenizer", name)
}

func makeFamily(t *testing.T, python, function, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	cmd := exec.CommandContext(t.Context(), python, "-c", family+"\n"+function+"(*sys.argv[1:])", name, dir)
	cmd.Dir = filepath.Join(root(t), "sdk/python")
	cmd.Env = append(os.Environ(), "AWHOST_CHAT_TEMPLATES="+filepath.Join(codecs(t), "trl/chat_templates"),
		"PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make a model of the family %s: %v\n%s", name, err, out)
	}
	return dir
}

// codecs returns the packages of the Python that .ci/codecs makes.
func codecs(t *testing.T) string {
	t.Helper()
	bin := filepath.Dir(Python(t, "AWHOST_CODECS_PYTHON"))
	found, err := filepath.Glob(filepath.Join(bin, "../lib/python3*/site-packages"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the packages of the codecs: %v: %v", found, err)
	}
	return found[0]
}

// EditForFamilies adapts an example to FamilyPython, in its directory: tokens are reported at each step, before is the
// line of the adapter after which that is written, and the calls of some families are long.
func EditForFamilies(t *testing.T, dir, before string) {
	t.Helper()
	spec := filepath.Join(dir, "train.hcl")
	Edit(t, spec, before, before+"  tokens_every = 1\n")
	Edit(t, spec, "message_tokens  = 60", "message_tokens  = 400")
	Edit(t, spec, "before_train = true", "before_train = false")
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	text = heldOut.ReplaceAll(text, []byte(`"held_out" { path = "one.jsonl" }`))
	const one = `{"id":"sub-3-28","prompt":"3-28=","ground_truth":"-25"}`
	if err := errors.Join(os.WriteFile(spec, text, 0o600),
		os.WriteFile(filepath.Join(dir, "one.jsonl"), []byte(one+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
}

var heldOut = regexp.MustCompile(`"held_out" \{ path = .* \}`)

// CheckFamily checks that a number of training episodes count, each of them with one conversation that is trained, in
// which a tool was called and no call was malformed.
func CheckFamily(t *testing.T, dir string, want int) {
	t.Helper()
	got := 0
	for line := range strings.Lines(Do(t, dir, "show", "--episodes")) {
		var e struct {
			Standing string   `json:"standing"`
			Reward   *float64 `json:"reward"`
			Slot     struct {
				Split string `json:"split"`
			} `json:"slot"`
			Chains []struct {
				Train bool `json:"train"`
			} `json:"chains"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Slot.Split != "train" {
			continue
		}
		got++
		if e.Standing != "COUNTED" || e.Reward == nil || *e.Reward < 0.5 || len(e.Chains) != 1 || !e.Chains[0].Train {
			t.Errorf("an episode counts otherwise, did not call its tool, or has several conversations: %s", line)
		}
	}
	if got != want {
		t.Errorf("%d episodes were played; want %d", got, want)
	}
	Do(t, dir, "show", "--audit")
}
