// Package python finds Python environments and reads what is installed in them, without starting Python.
//
//	for _, place := range python.Find(python.Search{Dir: specDir, WorkDir: ".", Home: home, Getenv: os.Getenv}) {
//		environment, err := python.Read(place, home, []string{"torch", "ray"})
//	}
//
// Packages are known by their metadata (*.dist-info, *.egg-info), so that looking executes nothing of theirs. Only Torch
// starts an interpreter, and it is for the caller to decide whose.
//
// The package knows nothing of training frameworks and of what anybody makes of what is found.
package python

import "strings"

// Place is where an environment may be.
type Place struct {
	Prefix string // the directory that holds bin and lib
	Python string // the program, as a person would start it
	Origin string // why it was looked at: "VIRTUAL_ENV", "beside the spec"
	// Own says that the user chose it, not a spec or what lies beside one. Others are not started unasked.
	Own bool
	// Meant says that something will use it without being told: it is named, active, or the one beside the spec.
	Meant bool
	// Listed says that it was found in a list of environments, of which a machine may have many.
	Listed bool
}

// Environment is what a place holds.
type Environment struct {
	Place
	Version  string    // of Python: "3.11.7", "3.11" or, where that is not to be seen, empty
	Packages []Package // those that were asked for, in that order
	Problems []string  // with what was asked for: metadata that cannot be read, two versions of a package
}

// Package is an installed distribution.
type Package struct {
	Name     string // normalised, see Normalise
	Version  string
	Editable string // the source directory that an editable installation points to
	Dir      string // that it was found in
}

// Package finds an installed one.
func (e *Environment) Package(name string) (Package, bool) {
	for _, p := range e.Packages {
		if p.Name == Normalise(name) {
			return p, true
		}
	}
	return Package{}, false
}

// Normalise writes the name of a distribution as PEP 503 compares it: "ms_swift" and "MS.Swift" are "ms-swift".
func Normalise(name string) string {
	var out strings.Builder
	separated := false
	for _, r := range strings.ToLower(name) {
		if r == '-' || r == '_' || r == '.' {
			separated = true
			continue
		}
		if separated && out.Len() > 0 {
			out.WriteByte('-')
		}
		separated = false
		out.WriteRune(r)
	}
	return out.String()
}
