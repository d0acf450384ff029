package examples_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/testlevel"
)

// These tests run the content of the examples' READMEs that users copy. HCL blocks are validated, commands of awhost
// are parsed with their flags, and specs that need only this machine are planned. Downloads and builds of plugins in
// other languages are slow and run only with AWHOST_SLOW=1.

// codeBlock is a fenced block of a README.
type codeBlock struct {
	page string // relative to the root of the repository
	readme.Block
}

// codeBlocks returns the blocks of the READMEs in the root folder and below examples, and of the spec reference.
func codeBlocks(t *testing.T) []codeBlock {
	t.Helper()
	pages, err := filepath.Glob("../docs/reference/spec/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no page of the spec reference (%v)", err)
	}
	for i := range pages {
		pages[i] = strings.TrimPrefix(pages[i], "../")
	}
	pages = append(pages, "README.md")
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err == nil && entry.Name() == "README.md" {
			pages = append(pages, filepath.Join("examples", path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []codeBlock
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range readme.Blocks(string(text)) {
			out = append(out, codeBlock{page, block})
		}
	}
	return out
}

// runs are the languages of blocks that these tests can run.
var runs = []string{"hcl", "sh", "console"}

func TestReadmes_HaveNoOtherBlocks(t *testing.T) {
	blocks := codeBlocks(t)
	for _, b := range blocks {
		if !slices.Contains(runs, b.Language) {
			t.Errorf("%s has a block of %s, which nothing runs", b.page, b.Language)
		}
	}
	if len(blocks) < 12 {
		t.Errorf("%d blocks are found", len(blocks))
	}
}

// awhost runs the program and returns its output and whether it succeeded.
func awhost(t *testing.T, dir string, arguments ...string) (output string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), realtest.Binary(t), arguments...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// pluginSource matches the source of a plugin next to the spec, as in the READMEs of plugins.
var pluginSource = regexp.MustCompile(`source = "\./([a-z.-]+)"`)

// TestReadmes_BlocksOfHCLAreValid validates each unchanged block in a folder with the files that it names.
func TestReadmes_BlocksOfHCLAreValid(t *testing.T) {
	for _, b := range codeBlocks(t) {
		if b.Language != "hcl" {
			continue
		}
		t.Run(b.page, func(t *testing.T) {
			if b.page == "README.md" {
				planBlock(t, b)
				return
			}
			dir := t.TempDir()
			fixtures(t, dir)
			built := buildable(t, b)
			spec := pluginSource.ReplaceAllStringFunc(b.Text, func(source string) string {
				name := pluginSource.FindStringSubmatch(source)[1]
				if strings.HasSuffix(name, ".tar.gz") {
					if built {
						pack(t, filepath.Dir(b.page), dir, name)
					} else if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
						t.Fatal(err)
					}
					return source
				}
				return `source = "` + absolute(t, filepath.Join("plugins", name)) + `"`
			})
			if err := os.WriteFile(filepath.Join(dir, "train.hcl"), []byte(spec), 0o600); err != nil {
				t.Fatal(err)
			}
			if built {
				if out, ok := awhost(t, dir, "init", "train.hcl"); !ok {
					t.Fatal(out)
				}
			}
			validBlock(t, dir, built)
		})
	}
}

// planBlock plans a spec whose files are in the repository.
func planBlock(t *testing.T, b codeBlock) {
	t.Helper()
	top := checkout(t)
	if err := os.WriteFile(filepath.Join(top, "readme.hcl"), []byte(b.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := awhost(t, top, "plan", "readme.hcl"); !ok {
		t.Errorf("the block cannot be planned:\n%s", out)
	}
}

// validBlock checks that a spec is valid, except for plugins that were not built.
func validBlock(t *testing.T, dir string, built bool) {
	t.Helper()
	out, ok := awhost(t, dir, "validate", "train.hcl")
	if ok {
		return
	}
	if all, unaccepted := strings.Count(out, "Error: "), strings.Count(out, "Error: Plugin not accepted"); built ||
		all == 0 || all != unaccepted {
		t.Errorf("the block is not valid:\n%s", out)
	}
}

// buildable reports whether the plugins of a block can be built: Go plugins always, others only in slow test runs.
func buildable(t *testing.T, b codeBlock) bool {
	t.Helper()
	match := pluginSource.FindStringSubmatch(b.Text)
	if match == nil {
		return false
	}
	if _, err := os.Stat(filepath.Join("plugins", match[1], "go.mod")); err == nil {
		return true
	}
	return testlevel.Slow()
}

// fixtures creates the files that blocks name.
func fixtures(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "data"), os.DirFS("../data")); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Prompt string `parquet:"prompt"`
		Extra  struct {
			Arguments struct {
				ID string `parquet:"id"`
			} `parquet:"interaction_kwargs"`
		} `parquet:"extra_info"`
		RewardModel struct {
			Style string   `parquet:"style"`
			Truth []string `parquet:"ground_truth,list"`
		} `parquet:"reward_model"`
	}
	one := row{Prompt: "?"}
	one.Extra.Arguments.ID, one.RewardModel.Style = "multi_turn_base_0", "interaction"
	if err := parquet.WriteFile(filepath.Join(dir, "train_format_75.parquet"), []row{one}); err != nil {
		t.Fatal(err)
	}
	reward := []byte("def compute_score(ground_truth): return 1.0\n")
	if err := os.WriteFile(filepath.Join(dir, "format_reward.py"), reward, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "city.schema.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// pack runs the commands of a page that build an archive, in a copy of its folder.
func pack(t *testing.T, page, dir, name string) {
	t.Helper()
	from := filepath.Join(dir, filepath.Base(page))
	if err := os.CopyFS(from, os.DirFS(filepath.Join("..", page))); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(from, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var script []string
	for _, line := range commands(codeBlock{Block: readme.Block{Language: "console", Text: string(text)}}) {
		if strings.HasPrefix(line, "npm ci ") || strings.HasPrefix(line, "tar ") {
			script = append(script, line)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", strings.Join(script, "\n"))
	cmd.Dir = from
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
		t.Fatalf("what %s says makes no %s: %v", page, name, err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// commands returns the commands of a block. Commands joined with && are separated.
func commands(b codeBlock) []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(b.Text, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if b.Language == "console" {
			typed, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			line = typed
		}
		line, _, _ = strings.Cut(line, " #")
		for part := range strings.SplitSeq(line, "&&") {
			if part = strings.TrimSpace(part); part != "" && !strings.HasPrefix(part, "#") {
				out = append(out, part)
			}
		}
	}
	return out
}

// foreign are prefixes of commands of other programs in the READMEs, and the tests or environments that cover them.
var foreign = map[string]string{
	"git clone ":          ".ci/tutorial",
	"cd awhost":           ".ci/tutorial",
	"pip download ":       "TestNamedReleasesFit, TestWheels",
	"python3 -m venv ":    "the environments of .ci/frameworks",
	".venv/bin/pip ":      "the environments of .ci/frameworks",
	"../../../.venv/bin/": "the environments of .ci/frameworks",
	"hf download ":        "the network",
	"npm install @model":  ".ci/mcp-servers",
	"npm ci ":             "TestReadmes_BlocksOfHCLAreValid, with AWHOST_SLOW",
	"tar ":                "TestReadmes_BlocksOfHCLAreValid, with AWHOST_SLOW",
	"cd ..":               "TestReadmes_BlocksOfHCLAreValid, with AWHOST_SLOW",
}

// local are the specs that need only this machine. Where a README applies one, the test plans it.
var local = []string{"train.hcl", "examples/own-reward/train.hcl", "examples/curriculum/train.hcl",
	"examples/envtuning/tiny.hcl"}

func TestReadmes_CommandsWork(t *testing.T) {
	top := checkout(t)
	for _, b := range codeBlocks(t) {
		if b.Language == "hcl" {
			continue
		}
		for _, line := range commands(b) {
			t.Run(b.page+": "+line, func(t *testing.T) { runCommand(t, top, b, line) })
		}
	}
}

func runCommand(t *testing.T, top string, b codeBlock, line string) {
	words, ours := ofAwhost(line, top)
	if !ours {
		for prefix := range foreign {
			if strings.HasPrefix(line, prefix) {
				return
			}
		}
		t.Fatalf("nothing holds %q to be right", line)
	}
	provide(t, top, line)
	dir := top
	if b.Language == "console" { // the READMEs of plugins assume their own folders
		dir = filepath.Join(top, filepath.Dir(b.page))
	}
	if out, ok := awhost(t, dir, append(slices.Clone(words), "--help")...); !ok {
		t.Fatalf("it cannot be typed:\n%s", out)
	}
	spec := slices.IndexFunc(words, func(word string) bool { return strings.HasSuffix(word, ".hcl") })
	if spec < 0 {
		return
	}
	if slices.Contains(local, words[spec]) && dir == top {
		if words[0] == "apply" {
			words[0] = "plan"
		}
		if out, ok := awhost(t, dir, words...); !ok {
			t.Errorf("it fails:\n%s", out)
		}
		return
	}
	if words[0] == "init" { // TestReadmes_BlocksOfHCLAreValid covers it
		return
	}
	static := []string{"validate", words[spec]}
	for i, word := range words {
		if word == "--var" {
			static = append(static, word, words[i+1])
		}
	}
	if out, ok := awhost(t, dir, static...); !ok &&
		strings.Count(out, "Error: ") != strings.Count(out, "Error: Plugin not accepted") {
		t.Errorf("its spec is not valid:\n%s", out)
	}
}

// provide creates the data that a line names, at the path of the download.
func provide(t *testing.T, top, line string) {
	t.Helper()
	for pattern, made := range map[string]func(*testing.T) string{`bfcl_eval[^ ]*\.whl`: bfcl, `gsm8k`: gsm8k} {
		name := regexp.MustCompile(`=\$PWD/(` + pattern + `)`).FindStringSubmatch(line)
		if name == nil {
			continue
		}
		to := filepath.Join(top, name[1])
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if err := os.CopyFS(to, os.DirFS(made(t))); err != nil {
			t.Fatal(err)
		}
	}
}

// ofAwhost returns the words after the program's name, as a shell in a folder would pass them.
func ofAwhost(line, dir string) (words []string, ours bool) {
	line, _, _ = strings.Cut(line, " <")
	rest, ours := strings.CutPrefix(strings.TrimPrefix(line, "uvx "), "awhost ") // .ci/release runs uvx
	if !ours {
		if rest, ours = strings.CutPrefix(line, "go run ./cmd/awhost "); !ours {
			return nil, false
		}
	}
	for word := range strings.FieldsSeq(rest) {
		words = append(words, strings.Trim(strings.ReplaceAll(word, "$PWD", dir), "'"))
	}
	return words, true
}

// checkout copies the parts of this repository that the commands need to a writable folder.
func checkout(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	for _, part := range []string{"train.hcl", "data", "examples", "go.mod", "go.sum", "sdk"} {
		list, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "-z", "--cached", "--others",
			"--exclude-standard", part).Output()
		if err != nil {
			t.Skipf("SKIPPED: the files of the repository cannot be listed: %v", err)
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
			text, err := os.ReadFile(filepath.Join("..", name))
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(top, name)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return top
}
