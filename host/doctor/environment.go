package doctor

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/awhost/awhost/host/doctor/internal/python"
)

// Environment is a Python environment in machine-readable form.
type Environment struct {
	Python     string             `json:"python"` // path of the interpreter
	Prefix     string             `json:"prefix"`
	Origin     string             `json:"origin"` // why it was inspected
	Version    string             `json:"version,omitempty"`
	Packages   []Package          `json:"packages"`
	Frameworks []FrameworkVersion `json:"frameworks"`
	Torch      *python.Torch      `json:"torch,omitempty"` // absent if torch was not queried
}

// Package is an installed distribution package.
type Package struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Editable string `json:"editable,omitempty"` // directory that it is imported from
}

// FrameworkVersion is an installed framework and its level of support.
type FrameworkVersion struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Tier    Tier   `json:"tier"`
	Why     string `json:"why,omitempty"`
}

// torchPackage is the package for which more than the version is inspected.
const torchPackage = "torch"

// lookAtPython finds the environments and inspects them concurrently.
func (c *Config) lookAtPython(ctx context.Context) result {
	type places struct {
		all     []python.Place
		omitted int
	}
	here, err := within(ctx, c.Timeout, func(context.Context) places {
		all, omitted := python.Find(c.search())
		return places{all, omitted}
	})
	if err != nil {
		return found(hung(Python, "environments", err))
	}
	if len(here.all) == 0 {
		return found(Finding{
			Group: Python, Subject: "python3", Status: Skipped, Found: "none on PATH, in VIRTUAL_ENV or next to the spec",
			Remedy: "only plugins in Python and the frameworks need one: --python names it",
		})
	}
	starts := &starts{turns: make(chan struct{}, torchesAtOnce)}
	starts.left.Store(mostTorches)
	var probes []probe
	for _, p := range here.all {
		probes = append(probes, probe{Python, c.short(p.Python), 0,
			func(ctx context.Context) result { return c.lookAtPlace(ctx, p, starts) }})
	}
	return gather(here.all, runAll(ctx, probes), here.omitted)
}

func (c *Config) search() python.Search {
	search := python.Search{Dir: c.Dir, WorkDir: c.WorkDir, Home: c.Home, Getenv: c.getenv}
	for _, n := range c.Named {
		search.Named = append(search.Named, python.Place{Python: n.Path, Origin: n.Origin, Own: n.Own, Meant: true})
	}
	return search
}

// gather drops the listed environments that contain no relevant packages, and reports their number.
func gather(places []python.Place, results []result, omitted int) result {
	var out result
	empty := 0
	for i, r := range results {
		if places[i].Listed && len(r.environments) == 1 && len(r.environments[0].Packages) == 0 && len(r.findings) == 1 {
			empty++
			continue
		}
		out.findings = append(out.findings, r.findings...)
		out.environments = append(out.environments, r.environments...)
	}
	if empty+omitted > 0 {
		f := Finding{Group: Python, Subject: "others", Status: OK, Found: plural(empty, "environment", "environments") +
			" of conda, pyenv and the like with none of these packages"}
		if omitted > 0 {
			f.Status, f.Found = Skipped, f.Found+fmt.Sprintf("; %d were not looked at: --python names one", omitted)
		}
		out.findings = append(out.findings, f)
	}
	return out
}

// lookAtPlace reads an environment and, if allowed, queries its torch installation.
func (c *Config) lookAtPlace(ctx context.Context, p python.Place, starts *starts) result {
	type reading struct {
		environment *python.Environment
		err         error
	}
	read, err := within(ctx, c.Timeout, func(context.Context) reading {
		e, err := python.Read(p, c.Home, c.wanted())
		return reading{e, err}
	})
	if err != nil {
		return found(hung(Python, c.short(p.Python), err))
	}
	if read.err != nil {
		return found(Finding{
			Group: Python, Subject: c.short(p.Python), Status: badness(p), Found: p.Origin + ": " +
				"" + read.err.Error(), Remedy: "create the environment again, or name another with --python",
		})
	}
	return c.describe(ctx, read.environment, starts)
}

// describe returns the findings about an environment.
func (c *Config) describe(ctx context.Context, e *python.Environment, starts *starts) result {
	out := Environment{Python: e.Python, Prefix: e.Prefix, Origin: e.Origin, Version: e.Version, Packages: []Package{},
		Frameworks: []FrameworkVersion{}}
	for _, pack := range e.Packages {
		out.Packages = append(out.Packages, Package{Name: pack.Name, Version: pack.Version, Editable: pack.Editable})
	}
	findings := []Finding{c.describePlace(e)}
	for _, f := range c.Frameworks {
		if pack, ok := e.Package(f.Package); ok {
			rated, more := c.describeFramework(e, f, pack)
			out.Frameworks = append(out.Frameworks, rated)
			findings = append(findings, more...)
		}
	}
	if pack, ok := e.Package(torchPackage); ok {
		torch, finding := c.lookAtTorch(ctx, e, pack, starts)
		out.Torch = torch
		findings = append(findings, finding)
	}
	for i := range findings {
		findings[i].python = e.Python
	}
	return result{findings: findings, environments: []Environment{out}}
}

// wanted returns the packages to look for, frameworks first.
func (c *Config) wanted() []string {
	var names []string
	for _, f := range c.Frameworks {
		names = append(names, f.Package)
	}
	return append(append(names, torchPackage), c.Packages...)
}

// short returns a path for display.
func (c *Config) short(path string) string {
	for _, base := range []string{c.WorkDir, c.Dir} {
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) && base != "/" {
			return rel
		}
	}
	if rel, err := filepath.Rel(c.Home, path); err == nil && filepath.IsLocal(rel) && len(c.Home) > 1 {
		return filepath.Join("~", rel)
	}
	return path
}
