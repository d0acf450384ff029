package pyenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

const projectFile = "pyproject.toml"

// maxProjectBytes limits the size of a pyproject.toml.
const maxProjectBytes = 1 << 20

// project is the part of pyproject.toml that a build needs before it calls the build backend.
type project struct {
	Build struct {
		Requires []string `toml:"requires"`
		Backend  string   `toml:"build-backend"`
		Path     []string `toml:"backend-path"`
	} `toml:"build-system"`
	Project struct {
		RequiresPython string `toml:"requires-python"`
	} `toml:"project"`
}

// The defaults for a pyproject.toml without [build-system], according to PEP 517 and 518.
var (
	legacyRequires = []string{"setuptools>=40.8.0"}
	legacyBackend  = "setuptools.build_meta:__legacy__"
)

func readProject(dir string) (*project, error) {
	path := filepath.Join(dir, projectFile)
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxProjectBytes) {
		err = fmt.Errorf("%s is not a file or exceeds %d bytes", path, maxProjectBytes)
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var p project
	meta, err := toml.Decode(string(text), &p)
	if err != nil {
		var wrong toml.ParseError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("%s:%d:%d: %s", path, wrong.Position.Line, wrong.Position.Col, wrong.Message)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !meta.IsDefined("build-system") {
		p.Build.Requires = legacyRequires
	}
	if p.Build.Backend == "" {
		p.Build.Backend = legacyBackend
	}
	return &p, p.check(path)
}

// check rejects names that Python or pip would interpret differently.
func (p *project) check(path string) error {
	if !dotted.MatchString(strings.Replace(p.Build.Backend, ":", ".", 1)) {
		return fmt.Errorf("%s: build-backend = %q is not the name of a Python object", path, p.Build.Backend)
	}
	for _, dir := range p.Build.Path {
		if !filepath.IsLocal(filepath.FromSlash(dir)) {
			return fmt.Errorf("%s: backend-path contains %q, which is not in the package", path, dir)
		}
	}
	return checkRequirements(path+": [build-system] requires", p.Build.Requires)
}

var (
	dotted      = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)
	requirement = regexp.MustCompile(`^[A-Za-z0-9]`)
)

// checkRequirements checks that pip parses the requirements as requirements, not as options.
func checkRequirements(where string, requirements []string) error {
	for _, r := range requirements {
		if !requirement.MatchString(r) || strings.ContainsAny(r, "\n\r\x00") {
			return fmt.Errorf("%s contains %q, which is not a requirement", where, r)
		}
		if name := requirementName.FindString(r); name == "awhost" {
			return fmt.Errorf("%s contains %q, which is the program: write %q for the SDK", where, r,
				strings.TrimSuffix("awhost-sdk"+strings.TrimPrefix(r, name), "+awhost"))
		}
	}
	return nil
}
