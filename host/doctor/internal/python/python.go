// Package python finds Python environments and reads what is installed in them, without starting Python.
//
//	for _, place := range python.Find(python.Search{Dir: specDir, WorkDir: ".", Home: home, Getenv: os.Getenv}) {
//		environment, err := python.Read(place, home, []string{"torch", "ray"})
//	}
//
// Packages are identified by their metadata (*.dist-info, *.egg-info), so that reading executes none of their code.
// Only [AskTorch] starts an interpreter. The caller decides which ones are started.
//
// The package must not depend on training frameworks or on how its results are used.
package python

import "strings"

// Place is a location that may contain an environment.
type Place struct {
	Prefix string // the directory that contains bin and lib
	Python string // the program, as a user would start it
	Origin string // why it is inspected: "VIRTUAL_ENV", "conda"
	// Own reports whether the user chose it, rather than a spec or its directory. Other environments are not started
	// without permission.
	Own bool
	// Meant reports whether it is used by default: it is named, active, or next to the spec.
	Meant bool
	// Listed reports whether it comes from a list of environments, which may be long.
	Listed bool
}

// Environment describes the contents of a place.
type Environment struct {
	Place
	Version  string    // Python version: "3.11.7", "3.11" or, if unknown, empty
	Packages []Package // the requested packages, in the requested order
	Problems []string  // with the requested packages: unreadable metadata, two versions of a package
}

// Package is an installed distribution.
type Package struct {
	Name     string // normalized, see Normalise
	Version  string
	Editable string // the source directory that an editable installation points to
	Dir      string // directory of its metadata
}

// Package returns an installed package.
func (e *Environment) Package(name string) (Package, bool) {
	for _, p := range e.Packages {
		if p.Name == Normalise(name) {
			return p, true
		}
	}
	return Package{}, false
}

// Normalise returns a distribution's name as normalized by PEP 503: "ms_swift" and "MS.Swift" become "ms-swift".
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
