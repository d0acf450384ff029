// Package settings knows AReaL's configuration: which AReaL is installed, and which values its keys take. The merge is
// framework.Settings.
//
// It must not know plugins, runs or bridges. Only Configure runs Python.
package settings

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"

	"github.com/awhost/awhost/sdk/framework"
)

// Installed is an AReaL on disk.
type Installed struct {
	framework.Described
	Schema *framework.Schema
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
	found, err := Framework.Describe(python, source, "pyproject.toml")
	if err == nil && found.Python == "" {
		err = fmt.Errorf("%s is not an interpreter: set python to the one that runs AReaL, and source to a checkout", python)
	}
	return withSchema(found, err)
}

// Absent returns the newest tested AReaL, which is not on this machine.
func Absent(python string) (*Installed, error) { return withSchema(Framework.DescribeAbsent(python)) }

func withSchema(found *framework.Described, err error) (*Installed, error) {
	if err != nil {
		return nil, err
	}
	out := &Installed{Described: *found}
	out.Schema, err = out.Configuration.Schema("")
	return out, err
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
