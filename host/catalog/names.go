package catalog

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// carries reports whether a type is in the namespace of a local name.
func carries(typ, name string) bool { return typ == name || strings.HasPrefix(typ, name+"_") }

// checkLocalName rejects a name that is reserved for a bundled plugin, or that is not a valid directory name.
func (c *Catalog) checkLocalName(name string) error {
	if strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return fmt.Errorf("plugin %q: local names consist of letters, digits, -, and _: choose another one in "+
			"required_plugins", name)
	}
	if owner, reserved := c.bundledOwner(name); reserved {
		return fmt.Errorf("plugin %q: the name is reserved for the bundled plugin %s; choose another local name in "+
			"required_plugins", name, owner)
	}
	return nil
}

// bundledOwner returns the bundled plugin that reserves a name, either as its local name or as one of its types.
func (c *Catalog) bundledOwner(name string) (owner string, reserved bool) {
	for _, owner := range sortedNames(c.config.Bundled) {
		if owner == name {
			return owner, true
		}
		for _, component := range c.config.Bundled[owner].Description.Components {
			if component.Type == name {
				return owner, true
			}
		}
	}
	return "", false
}

// checkTypes checks the namespace of a plugin's types: a type is the local name, or starts with it and an underscore,
// and is not a bundled type.
func (c *Catalog) checkTypes(name string, d *sdk.Description) error {
	for _, component := range d.Components {
		if !carries(component.Type, name) {
			return fmt.Errorf("its %s %q does not start with its local name %s: "+
				"%s", component.Kind, component.Type, name, adviseName(d))
		}
		if owner, reserved := c.bundledOwner(component.Type); reserved {
			return fmt.Errorf("its %s %q has the same name as one of the bundled plugin %s: its author must rename "+
				"it", component.Kind, component.Type, owner)
		}
	}
	return nil
}

// adviseName suggests the local name that all of a plugin's types start with.
func adviseName(d *sdk.Description) string {
	first, _, _ := strings.Cut(d.Components[0].Type, "_")
	for _, candidate := range []string{d.Name, first} {
		fits := true
		for _, component := range d.Components {
			fits = fits && carries(component.Type, candidate)
		}
		if fits {
			return fmt.Sprintf("declare the plugin %q in required_plugins", candidate)
		}
	}
	return "all types of a plugin must start with its local name: its author must rename them"
}
