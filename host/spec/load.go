package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/internal/hclsource"
	"github.com/awhost/awhost/sdk"
)

// Load evaluates a spec: a file, or a directory whose *.hcl and *.hcl.json files form one spec. It collects all
// problems. The spec is complete only if none of the diagnostics is an error, and nil if its files could not be read.
func Load(path string, options Options) (*Spec, diag.Diagnostics) {
	l, problems := open(path, options)
	if problems.HasErrors() {
		return nil, problems
	}
	s := l.load()
	return s, l.diagnostics()
}

// Head is the information required before the rest of a spec can be evaluated.
type Head struct {
	Dir      string // absolute; sources of plugins are relative to it
	Files    []string
	Required Requirements
	Sources  diag.Sources
}

// Sniff reads only a spec's awhost block: the required plugins and the required awhost version. version is the current
// version; if empty, sdk.Version is used. It reports files that cannot be parsed and an unmet required_version. Load
// reports all other problems.
func Sniff(path, version string) (*Head, diag.Diagnostics) {
	l, problems := open(path, Options{Version: version})
	if problems.HasErrors() {
		return nil, problems
	}
	head := &Head{Dir: l.dir, Files: l.absoluteFiles(), Required: l.readRequirements(), Sources: l.sources}
	return head, l.diagnostics()
}

// loader loads a spec from files.
type loader struct {
	options  Options
	path     string // as given by the caller
	shownDir string // directory of the spec, as shown to the user
	dir      string // the same, absolute
	files    []*hcl.File
	names    []string // displayed names of the files
	sources  diag.Sources
	scope    *scope
	env      *environment
	places   []block // all top-level blocks, for diagnostics
}

// open finds and parses a spec's files. It reports the syntax errors in all files together and then fails.
func open(path string, options Options) (*loader, diag.Diagnostics) {
	l := &loader{options: options, path: path, sources: diag.Sources{}, scope: &scope{nodes: map[string]*node{}}}
	if l.options.Version == "" {
		l.options.Version = sdk.Version
	}
	if err := l.find(path); err != nil {
		return nil, unreadable(err)
	}
	for _, name := range l.names {
		text, err := readFile(name)
		if err != nil {
			return nil, unreadable(err)
		}
		l.add(name, text)
	}
	if l.scope.problems.HasErrors() {
		return nil, l.diagnostics()
	}
	return l, nil
}

func unreadable(err error) diag.Diagnostics {
	text := err.Error()
	return diag.Diagnostics{{Severity: diag.Error, Summary: "Unreadable spec",
		Detail: strings.ToUpper(text[:1]) + text[1:] + "."}}
}

func (l *loader) add(name string, text []byte) {
	file, problems := l.parse(name, text)
	if problems.HasErrors() {
		problems = problems[:1] // further errors in a file mostly follow from its first syntax error
	}
	l.scope.report(problems...)
	if file != nil {
		l.files = append(l.files, file)
	}
}

// parse parses one file and stores its text for snippets.
func (l *loader) parse(name string, text []byte) (*hcl.File, hcl.Diagnostics) {
	l.sources[name] = text
	return hclsource.Parse(text, name)
}

// find sets the directory and the files that make up a spec.
func (l *loader) find(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("file or directory %q does not exist. Give the path of a spec, such as "+
			"train.hcl%s", path, nearbySpec(path))
	}
	if err != nil {
		return err
	}
	l.shownDir = path
	if !info.IsDir() {
		l.shownDir, l.names = filepath.Dir(path), []string{path}
	} else if l.names, err = specFiles(path); err != nil {
		return err
	}
	if l.dir, err = filepath.Abs(l.shownDir); err == nil && !utf8.ValidString(l.dir) {
		err = fmt.Errorf("the name of directory %q is not valid UTF-8, but paths sent to plugins must be: rename "+
			"it", l.dir)
	}
	return err
}

// nearbySpec suggests an existing spec in the same directory.
func nearbySpec(path string) string {
	names, err := specFiles(filepath.Dir(path))
	if err != nil || len(names) == 0 {
		return ""
	}
	if best := Nearest(path, names); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return fmt.Sprintf("; found %s", listed(names))
}

// specFiles lists the spec files in a directory. The directory's subdirectories are not part of the spec.
func specFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		name := entry.Name()
		if !entry.IsDir() && !strings.HasPrefix(name, ".") &&
			(strings.HasSuffix(name, ".hcl") || strings.HasSuffix(name, ".hcl.json")) {
			names = append(names, filepath.Join(dir, name))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("directory %q contains no *.hcl file. Create a train.hcl there, or give the path of another "+
			"directory", dir)
	}
	slices.Sort(names)
	return names, nil
}

func (l *loader) absoluteFiles() []string {
	var files []string
	for _, name := range l.names {
		files = append(files, filepath.Join(l.dir, filepath.Base(name)))
	}
	return files
}
