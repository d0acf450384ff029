package result

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/awhost/awhost/host/scaffold"
	"github.com/awhost/awhost/host/view/text"
)

// Written is a plugin that `plugin new` has begun: the files to read, below dir.
type Written struct {
	Type  string   `json:"type"`
	Dir   string   `json:"dir"`
	Files []string `json:"files"`

	kind, name string
	missing    string // the program that builds or runs it, where it is not there
}

// WrittenOf is the result about a plugin that was begun.
func WrittenOf(r scaffold.Request, files []string) Written {
	w := Written{Type: "written", Dir: r.Dir, Files: files, kind: r.Kind, name: r.Name}
	if program := interpreter[r.Language]; program != "" {
		if _, err := exec.LookPath(program); err != nil {
			w.missing = program
		}
	}
	return w
}

// interpreter is what builds or runs a plugin.
var interpreter = map[scaffold.Language]string{scaffold.Go: "go", scaffold.Python: "python3"}

// Text implements Result.
func (w Written) Text(out *text.Printer) {
	out.Line(fmt.Sprintf("%s wrote the %s %s:", out.Styles.Good("✓"), w.kind, w.name))
	for _, f := range w.Files {
		out.Line("  " + filepath.Join(w.Dir, f))
	}
	if w.missing != "" {
		out.Line(out.Styles.Warn(fmt.Sprintf("! %s is not on the PATH: install it to build the plugin", w.missing)))
	}
	source := w.Dir
	if !filepath.IsAbs(source) {
		source = "./" + filepath.ToSlash(filepath.Clean(source))
	}
	out.Blank()
	out.Line("Next: awhost plugin test " + source)
}
