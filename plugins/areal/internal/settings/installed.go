// Package settings knows AReaL's configuration: which AReaL is installed, and which values its keys take. The merge is
// framework.Settings.
//
// It must not know plugins, runs or bridges. Only Configure runs Python.
package settings

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/awhost/awhost/sdk/framework"
)

// Installed is an AReaL on disk.
type Installed struct {
	framework.Installed
	Release       framework.Release
	Schema        *framework.Schema
	Configuration *framework.Configuration
}

// arguments is the file of AReaL's configuration, below its root.
var arguments = filepath.Join("areal", "api", "cli_args.py")

// Framework is AReaL.
var Framework = framework.Framework{
	Name: "AReaL", Package: "areal", Marker: arguments,
	Install:  "AReaL is on no registry: pip install git+https://github.com/inclusionAI/AReaL@v1.0.4, or set source to a checkout",
	Question: framework.Question{Class: "areal.api.cli_args.GRPOConfig"}, Tested: tested,
}

// tested has the configurations of the tested versions.
//
//go:embed tested.jsonl.gz
var tested []byte

// Find looks for the AReaL of a Python, as framework.Find does. If source is not empty, it is a checkout that takes
// precedence over what is installed.
func Find(python, source string) (*Installed, error) {
	found, err := Framework.Find(python, source)
	if err != nil {
		return nil, err
	}
	if found.Python == "" {
		return nil, fmt.Errorf("%s is not an interpreter: set python to the one that runs AReaL, and source to a checkout", python)
	}
	i := &Installed{Installed: *found}
	return i, i.read()
}

// Absent returns the newest tested AReaL, which is not on this machine.
func Absent(python string) (*Installed, error) {
	found, c, err := Framework.Absent(python)
	if err != nil {
		return nil, err
	}
	i := &Installed{Installed: *found, Configuration: c}
	if i.Release, err = framework.ParseRelease(c.Version); err != nil {
		return nil, err
	}
	i.Schema, err = c.Schema("")
	return i, err
}

// Configure reads the configuration of the AReaL of a Python, as framework.Configure does.
func Configure(ctx context.Context, python, source string) ([]*framework.Configuration, error) {
	i, err := Find(python, source)
	if err != nil {
		return nil, err
	}
	c, err := Framework.Configure(ctx, &i.Installed, i.Release)
	return []*framework.Configuration{c}, err
}

func (i *Installed) read() error {
	version := i.version()
	if version == "" {
		return fmt.Errorf("find the version of AReaL: neither a checkout's pyproject.toml nor metadata in %s says it", i.Root)
	}
	var err error
	if i.Release, err = framework.ParseRelease(version); err != nil {
		return err
	}
	if i.Configuration, err = Framework.Configuration(i.Root, i.Release); err != nil {
		return err
	}
	i.Schema, err = i.Configuration.Schema("")
	return err
}

var versionLine = regexp.MustCompile(`(?m)^version\s*=\s*"([^"]+)"`)

// version returns the version in a checkout, or else in the metadata.
func (i *Installed) version() string {
	project, _ := os.ReadFile(filepath.Join(i.Root, "pyproject.toml")) // a checkout's
	if m := versionLine.FindSubmatch(project); m != nil {
		return string(m[1])
	}
	return i.Packages["areal"]
}
