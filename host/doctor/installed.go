package doctor

import (
	"strings"

	"github.com/awhost/awhost/host/doctor/internal/python"
)

// describePlace returns the finding about an environment: its Python version, origin and other packages.
func (c *Config) describePlace(e *python.Environment) Finding {
	f := Finding{Group: Python, Subject: c.short(e.Python), Status: OK}
	version := "Python " + e.Version
	if e.Version == "" {
		version = "Python of an unknown version"
	}
	f.Found = version + " (" + e.Origin + ")"
	var others []string
	for _, pack := range e.Packages {
		if pack.Name != torchPackage && !c.isFramework(pack.Name) {
			others = append(others, nameOf(pack))
		}
	}
	if len(others) > 0 {
		f.Found += ": " + strings.Join(others, ", ")
	}
	if len(e.Packages) == 0 {
		f.Found += ": no training framework"
	}
	if len(e.Problems) > 0 {
		f.Status, f.Found = Warn, f.Found+"; "+strings.Join(e.Problems, "; ")
		f.Remedy = "repair the environment: install the package again"
	}
	return f
}

func nameOf(p python.Package) string {
	out := p.Name + " " + p.Version
	if p.Editable != "" {
		out += " (editable, " + p.Editable + ")"
	}
	return out
}

func (c *Config) isFramework(name string) bool {
	for _, f := range c.Frameworks {
		if python.Normalise(f.Package) == name {
			return true
		}
	}
	return false
}

// describeFramework returns the level of support for a framework, and findings about missing dependencies.
func (c *Config) describeFramework(e *python.Environment, f Framework, pack python.Package) (FrameworkVersion,
	[]Finding) {
	r := f.rate(pack.Version)
	finding := Finding{Group: Python, Subject: c.short(e.Python), Part: f.Name, Status: OK, Remedy: r.Remedy}
	version := pack.Version
	if pack.Editable != "" {
		version += " (editable, " + pack.Editable + ": the version at its installation)"
	}
	finding.Found = version + ": " + words[r.Tier]
	if r.Why != "" {
		finding.Found += "; " + r.Why
	}
	switch r.Tier {
	case Refused:
		finding.Status = badness(e.Place)
	case Untested, BestEffort:
		finding.Status = Warn
	}
	findings := []Finding{finding}
	if len(f.Engines) > 0 && r.Tier != Refused && !hasOne(e, f.Engines) {
		findings = append(findings, Finding{
			Group: Python, Subject: c.short(e.Python), Part: f.Name, Status: Warn, Found: "no engine: none of " +
				strings.Join(f.Engines, ", ") + " is installed",
			Remedy: f.Name + " samples with one of them on GPUs; install the one that its own manual names for this version",
		})
	}
	return FrameworkVersion{Name: f.Name, Version: pack.Version, Tier: r.Tier, Why: r.Why}, findings
}

func hasOne(e *python.Environment, names []string) bool {
	for _, name := range names {
		if _, ok := e.Package(name); ok {
			return true
		}
	}
	return false
}

// badness returns the severity of an unusable environment. Only an environment that is used by default can prevent a
// run from starting.
func badness(p python.Place) Status {
	if p.Meant {
		return Failed
	}
	return Warn
}
