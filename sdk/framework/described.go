package framework

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/awhost/awhost/sdk"
)

// Described is an installation with its version and its configuration.
type Described struct {
	Installed
	Version       string // as the framework writes it: "0.8.0.dev"
	Release       Release
	Configuration *Configuration
}

// versionLine is the version in a file of a framework: alone, or as in pyproject.toml.
var versionLine = regexp.MustCompile(`(?m)^(?:version\s*=\s*")?v?(\d+\.[^"\s]+)`)

// Describe looks for a framework, as Find does, and reads its version and configuration. The version is in a file
// below the root, which belongs to the code itself, or else in the distribution's metadata.
func (f Framework) Describe(given, source, versionFile string) (*Described, error) {
	found, err := f.Find(given, source)
	if err != nil {
		return nil, err
	}
	out := &Described{Installed: *found, Version: found.Packages[f.Package]}
	text, _ := os.ReadFile(filepath.Join(out.Root, filepath.FromSlash(versionFile))) // the metadata may have it
	if m := versionLine.FindSubmatch(text); m != nil {
		out.Version = string(m[1])
	}
	if out.Release, err = ParseRelease(out.Version); err != nil {
		return nil, fmt.Errorf("read the version of %s in %s: neither %s nor the metadata has one: %w", f.Name, out.Root,
			versionFile, err)
	}
	out.Configuration, err = f.Configuration(out.Root, out.Release)
	return out, err
}

// DescribeAbsent returns the newest tested version, as Absent does.
func (f Framework) DescribeAbsent(interpreter string) (*Described, error) {
	found, c, err := f.Absent(interpreter)
	if err != nil {
		return nil, err
	}
	out := &Described{Installed: *found, Version: c.Version, Configuration: c}
	out.Release, err = ParseRelease(c.Version)
	return out, err
}

// Reread replaces a guessed configuration by the installed one, as Configure does.
func (f Framework) Reread(ctx context.Context, d *Described) (err error) {
	d.Configuration, err = f.Configure(ctx, &d.Installed, d.Release)
	return err
}

// Require returns the requirement that the interpreter has a distribution, which something imports: "AReaL's trainer".
func (i *Installed) Require(name, importer string) sdk.Requirement {
	version, ok := i.Packages[name]
	detail := name + " " + version
	if !ok {
		detail = fmt.Sprintf("%s: %s needs it, and it is not next to %s: install it there", name, importer, i.Python)
	}
	return sdk.Requirement{Kind: "package", Detail: detail, Met: ok}
}

// RequireGPUs returns the requirement that this machine has a number of GPUs. found is negative if it is unknown.
func RequireGPUs(detail string, needed, found int, elsewhere bool) sdk.Requirement {
	if found < 0 {
		return sdk.Requirement{Kind: "gpu", Detail: detail, Met: true}
	}
	detail += fmt.Sprintf("; this machine has %d", found)
	if found < needed && !elsewhere {
		detail += ": lower gpus_per_node, or set device = \"cpu\" for a tiny model"
	}
	return sdk.Requirement{Kind: "gpu", Detail: detail, Met: found >= needed}
}
