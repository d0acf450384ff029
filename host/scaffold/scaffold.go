// Package scaffold creates starting points: a plugin with a working component, a test, fixtures for the conformance
// suite and a CI file; a spec that trains; and an agent in Python.
//
//	files, err := scaffold.Write(scaffold.Request{
//		Kind: "reward", Name: "my-reward", Language: scaffold.Python, Dir: "my-reward",
//	})
//	files, err := scaffold.Spec("math", map[string][]byte{scaffold.SpecFile: text})
//	file, err := scaffold.Agent(".", "my-solver")
//	err := scaffold.SDK("awhost-sdk", python.Sources, awhost.SDK)
//
// A plugin requires the SDK of exactly the version that writes it. The result of an awhost without a released version
// builds and conforms nevertheless: a Go plugin then includes the SDK's sources, and awhost adds the SDK to a Python
// plugin when it builds it.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// Language is the programming language of a plugin.
type Language string

// The languages.
const (
	Go     Language = "go"
	Python Language = "python"
)

// Kinds lists the supported plugin kinds.
var Kinds = []string{"environment", "reward", "agent", "adapter"}

// languages lists the languages with templates.
var languages = []Language{Go, Python}

// Request configures a plugin.
type Request struct {
	Kind     string   // one of Kinds
	Name     string   // "my-reward": lower-case letters, digits and single hyphens
	Language Language // Go or Python
	Dir      string   // the directory to create; it must not exist, or must be empty
	Version  string   // of awhost; the plugin requires the same version of the SDK
	Released bool     // the version can be downloaded as a Go module
	SDK      fs.FS    // the module awhost: go.mod and the sources below sdk; for Go, unless Released
	Reserved []string // names reserved for bundled plugins, which a spec would reject
}

//go:embed all:templates
var templates embed.FS

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// longestName limits the length of socket and file names.
const longestName = 40

// values holds the values for templates.
type values struct {
	Name, Type, Module, Kind, Version string
	Class                             string // MyReward
	Released                          bool
}

// Write creates the directory with the plugin and returns its readable files, relative to the directory. It replaces
// nothing, and leaves nothing after a failure.
func Write(r Request) (files []string, err error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	made, err := prepareDir(r.Dir, "choose another name, or another directory with --out")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, undo(r.Dir, made))
		}
	}()
	identifier := r.identifier()
	v := values{Name: r.Name, Type: identifier, Module: identifier, Kind: r.Kind, Version: r.Version,
		Released: r.Released}
	for word := range strings.SplitSeq(r.Name, "-") {
		v.Class += strings.ToUpper(word[:1]) + word[1:]
	}
	for _, tree := range []string{"package", r.Kind} {
		written, err := writeTree(r.Dir, path.Join("templates", string(r.Language), tree), v)
		if err != nil {
			return nil, err
		}
		files = append(files, written...)
	}
	if r.Language == Go && !r.Released {
		if err := writeSources(filepath.Join(r.Dir, sdkDir), r.SDK); err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return files, nil
}

// identifier returns the form of the name used for types and modules.
func (r Request) identifier() string { return strings.ReplaceAll(r.Name, "-", "_") }

func (r Request) check() error {
	switch {
	case !slices.Contains(Kinds, r.Kind):
		return fmt.Errorf("unknown plugin kind %q: choose %s", r.Kind, strings.Join(Kinds, ", "))
	case !slices.Contains(languages, r.Language):
		return fmt.Errorf("no template for the language %q: choose go or python; docs/guides/plugins.md describes plugins "+
			"in other languages", r.Language)
	case !nameForm.MatchString(r.Name) || len(r.Name) > longestName:
		return fmt.Errorf("invalid plugin name %q: use at most %d lowercase letters, digits, and single hyphens, starting "+
			"with a letter, as in my-reward", r.Name, longestName)
	case slices.Contains(r.Reserved, r.Name) || slices.Contains(r.Reserved, r.identifier()):
		return fmt.Errorf("a plugin cannot be named %q: the name is reserved for a bundled plugin. Use another name, such "+
			"as my-%s", r.Name, r.Name)
	case r.Language == Python:
		return checkPythonModule("a plugin", r.identifier())
	}
	return nil
}

// prepareDir creates the directory and reports whether it is new. The error for a directory that is not empty contains
// remedy.
func prepareDir(dir, remedy string) (made bool, err error) {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, os.MkdirAll(dir, 0o755)
	case err != nil:
		return false, err
	case len(list) > 0:
		return false, fmt.Errorf("%s is not empty: %s", dir, remedy)
	}
	return false, nil
}

// undo removes the written files.
func undo(dir string, made bool) error {
	if made {
		return os.RemoveAll(dir)
	}
	list, err := os.ReadDir(dir)
	for _, e := range list {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// writeTree renders the templates in a directory. `dot-` at the beginning of a name means a dot, `NAME` the module's
// name, and the suffix `.tmpl` is removed: it prevents tools from treating templates as code.
func writeTree(dir, root string, v values) (files []string, err error) {
	err = fs.WalkDir(templates, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		relative := strings.TrimSuffix(strings.TrimPrefix(name, root+"/"), ".tmpl")
		relative = strings.ReplaceAll(strings.ReplaceAll(relative, "dot-", "."), "NAME", v.Module)
		parsed, err := template.New(name).Delims("[[", "]]").Option("missingkey=error").Parse(string(text))
		if err != nil {
			return err
		}
		var filled bytes.Buffer
		if err := parsed.Execute(&filled, v); err != nil {
			return err
		}
		files = append(files, relative)
		return writeFile(filepath.Join(dir, filepath.FromSlash(relative)), filled.Bytes())
	})
	return files, err
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// sdkDir is the directory that holds the SDK in a Go plugin.
const sdkDir = "awhost-sdk"

// writeSources writes the sources without their tests.
func writeSources(dir string, sdk fs.FS) error {
	return fs.WalkDir(sdk, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(sdk, name)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(dir, filepath.FromSlash(name)), text)
	})
}

// SDK writes the Python SDK, as a package for pip, and the protocol of module to a new directory, which stays empty
// until it is complete.
func SDK(dir string, python, module fs.FS) error {
	if _, err := prepareDir(dir, "choose another directory with --out"); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), ".awhost-sdk-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	protos, err := fs.Glob(module, "sdk/proto/awhost/v1/*.proto")
	err = errors.Join(err, os.Chmod(scratch, 0o755), writeSources(scratch, python))
	for _, name := range append(protos, "sdk/proto/awhost/v1/README.md") {
		text, failed := fs.ReadFile(module, name)
		err = errors.Join(err, failed, writeFile(filepath.Join(scratch, strings.TrimPrefix(name, "sdk/")), text))
	}
	if err != nil {
		return err
	}
	return errors.Join(os.Remove(dir), os.Rename(scratch, dir)) // Remove fails if it is not empty
}
