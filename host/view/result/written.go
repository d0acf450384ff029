package result

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/host/view/text"
)

// Written lists new files: a plugin from `plugin new`, a spec or an agent from `new`, or a page from `show --html`.
// Paths are relative to dir.
type Written struct {
	Type  string   `json:"type"`
	Dir   string   `json:"dir"`
	Files []string `json:"files"`

	what    string   // "the reward my-reward"
	missing string   // names a missing program and its purpose; empty: none is missing
	next    []string // lines with the next commands
}

// WrittenOf returns the result for a new plugin.
func WrittenOf(r scaffold.Request, files []string) Written {
	w := Written{
		Type: "written", Dir: r.Dir, Files: files, what: "the " + r.Kind + " " + r.Name,
		missing: missing(interpreter[r.Language], "build the plugin"), next: []string{"awhost plugin test " + inPlace(r.Dir)},
	}
	if r.Language == scaffold.Go && r.Released {
		w.next[0] = "go -C " + inPlace(r.Dir) + " mod tidy && " + w.next[0]
	}
	return w
}

// SDKWritten returns the result for the SDK of other languages than Go.
func SDKWritten(dir string) Written {
	return Written{
		Type: "written", Dir: dir, Files: []string{"pyproject.toml", "awhost", "awhost_bridge", "proto"}, what: "the SDK",
		next: []string{"python3 -m pip install " + inPlace(dir)},
	}
}

// SpecWritten returns the result for a new spec. The user runs commands next; they name the directory DIR.
func SpecWritten(dir string, files, commands []string) Written {
	var next []string
	if len(commands) > 1 {
		next = []string{"", ""}
	}
	for _, command := range commands {
		next = append(next, strings.ReplaceAll(command, "DIR", text.Clean(filepath.ToSlash(dir))))
	}
	w := Written{Type: "written", Dir: dir, Files: files, what: "a spec, and what it names", next: next}
	if slices.ContainsFunc(files, func(name string) bool { return filepath.Ext(name) == ".py" }) {
		w.missing = missing("python3", "run its Python code")
	}
	return w
}

// AgentWritten returns the result for a new agent. defined reports whether the spec has a block with its name.
func AgentWritten(dir, name, file string, defined bool) Written {
	module := strings.TrimSuffix(file, ".py")
	path := filepath.ToSlash(filepath.Join(dir, file))
	block := []string{
		fmt.Sprintf("in your spec, and agent.python.%s in its train block:", module), "",
		fmt.Sprintf("  agent \"python\" %q {", module), fmt.Sprintf("    file = %q", path),
		fmt.Sprintf("    name = %q", scaffold.AgentFunction), "  }",
	}
	if defined {
		block = []string{
			fmt.Sprintf("your spec has agent.python.%s: give that block the new file:", module), "", block[3], block[4],
		}
	}
	return Written{
		Type: "written", Dir: dir, Files: []string{file}, what: "the agent " + name,
		missing: missing("python3", "run it"), next: block,
	}
}

// PageWritten returns the result for a part of a run that was written as an HTML page.
func PageWritten(what, path string) Written {
	return Written{
		Type: "written", Dir: filepath.Dir(path), Files: []string{filepath.Base(path)}, what: what + ", as a page",
		next: []string{"open it in a browser; any user with the file can read its messages"},
	}
}

// EpisodesWritten returns the result for episodes that were written to a file or a directory for other programs.
func EpisodesWritten(episodes int, path string) Written {
	return Written{
		Type: "written", Dir: filepath.Dir(path), Files: []string{filepath.Base(path)},
		what: text.Plural(episodes, "episode"),
	}
}

// interpreter maps a language to the program that builds or runs its plugins.
var interpreter = map[scaffold.Language]string{scaffold.Go: "go", scaffold.Python: "python3"}

func missing(program, purpose string) string {
	if _, err := exec.LookPath(program); program == "" || err == nil {
		return ""
	}
	return fmt.Sprintf("%s is not on the PATH: install it to %s", program, purpose)
}

// inPlace returns a directory in the form of a plugin source.
func inPlace(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return "./" + filepath.ToSlash(filepath.Clean(dir))
}

// Text implements Result.
func (w Written) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%s wrote %s:", out.Styles.Good("✓"), w.what))
	for _, f := range w.Files {
		out.Line("  " + filepath.Join(w.Dir, f))
	}
	if w.missing != "" {
		out.Line(out.Styles.Warn("! " + w.missing))
	}
	for i, line := range w.next {
		if i == 0 {
			out.Blank()
			line = strings.TrimSpace("Next: " + line)
		}
		out.Line(line)
	}
}
