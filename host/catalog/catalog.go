// Package catalog knows which plugin a name of the spec means.
//
// A plugin is bundled with the host, or the spec names its source: a program, or a directory with a Go package
// that the catalog builds. A type belongs to the plugin whose local name is its prefix: reward "mine_exact" and
// reward "mine" are the plugin mine's. Bundled names are reserved.
//
//	c, err := catalog.Open(catalog.Config{Bundled: bundled, Sources: sources, SpecDir: dir, StateDir: ".awhost"})
//	schema, ok := c.Component("reward", "gaia")
//	entry, err := c.Resolve("reward", "gaia") // what to start
//
// Reading a stranger's spec runs nothing of theirs: a source is built and executed only by Accept, which `awhost
// init` calls, and by Refresh for sources that were accepted before. What an accepted plugin said of itself is
// cached, so that validate and plan start no process.
//
// The package must not know what plugins do, and nothing of runs.
package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// Config says where plugins come from.
type Config struct {
	// Bundled are the plugins inside the host's binary, by local name.
	Bundled map[string]Bundled
	// Sources are the plugins that the spec names: local name to source, relative to SpecDir.
	Sources map[string]string
	SpecDir string
	// StateDir is the .awhost directory; builds and descriptions are cached below it.
	StateDir string
}

// Bundled is a plugin inside the host's binary.
type Bundled struct {
	Description sdk.Description
	// Command starts it as a process of its own.
	Command []string
	// Hash identifies its code.
	Hash string
}

// Entry is a plugin that can be started.
type Entry struct {
	Name        string // local name
	Origin      Origin
	Source      string // as the spec has it; empty for bundled
	Command     []string
	Hash        string // "sha256:…" of what is executed
	Description sdk.Description
}

// Origin says where a plugin comes from.
type Origin string

// The origins.
const (
	OriginBundled Origin = "bundled"
	OriginProgram Origin = "program"
	OriginGo      Origin = "go package"
)

// Catalog finds plugins by name.
type Catalog struct {
	config  Config
	entries map[string]*Entry
	pending map[string]error // sources that were not accepted yet, and why
}

// ErrNotAccepted says that a plugin's code was never allowed to run here.
var ErrNotAccepted = errors.New("the plugin has not been accepted")

// Open reads what is known; it runs nothing. A source that is missing or was not accepted is reported when
// something asks for it.
func Open(config Config) (*Catalog, error) {
	c := &Catalog{config: config, entries: map[string]*Entry{}, pending: map[string]error{}}
	for name, b := range config.Bundled {
		c.entries[name] = &Entry{Name: name, Origin: OriginBundled, Command: b.Command, Hash: b.Hash, Description: b.Description}
	}
	for _, name := range sortedNames(config.Sources) {
		if _, reserved := config.Bundled[name]; reserved {
			return nil, fmt.Errorf("plugin %q: the name belongs to a bundled plugin: choose another local name in required_plugins", name)
		}
		entry, err := c.load(name)
		if err != nil {
			c.pending[name] = err
			continue
		}
		c.entries[name] = entry
	}
	return c, nil
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Component returns what the catalog knows of a component type.
func (c *Catalog) Component(kind, typ string) (*sdk.ComponentDescription, bool) {
	entry, err := c.Resolve(kind, typ)
	if err != nil {
		return nil, false
	}
	return entry.Description.Component(sdk.ComponentKind(kind), typ)
}

// Types lists the component types of a kind, sorted.
func (c *Catalog) Types(kind string) []string {
	var types []string
	for _, entry := range c.entries {
		for _, component := range entry.Description.Components {
			if string(component.Kind) == kind {
				types = append(types, component.Type)
			}
		}
	}
	slices.Sort(types)
	return types
}

// Resolve returns the plugin that serves a component type.
func (c *Catalog) Resolve(kind, typ string) (*Entry, error) {
	for _, name := range sortedNames(c.entries) {
		if _, ok := c.entries[name].Description.Component(sdk.ComponentKind(kind), typ); ok {
			return c.entries[name], nil
		}
	}
	for _, name := range sortedNames(c.pending) {
		if typ == name || strings.HasPrefix(typ, name+"_") {
			return nil, fmt.Errorf("%s %q: %w", kind, typ, c.pending[name])
		}
	}
	return nil, fmt.Errorf("no plugin has a %s %q: bundled are %s; name others in awhost { required_plugins { … } }", kind, typ, strings.Join(c.Types(kind), ", "))
}

// Pending returns why a source cannot be used yet, by local name.
func (c *Catalog) Pending() map[string]error { return c.pending }

// Entries lists the plugins that can be started, sorted by name.
func (c *Catalog) Entries() []*Entry {
	var out []*Entry
	for _, name := range sortedNames(c.entries) {
		out = append(out, c.entries[name])
	}
	return out
}

func (c *Catalog) path(source string) string {
	if filepath.IsAbs(source) {
		return filepath.Clean(source)
	}
	return filepath.Join(c.config.SpecDir, source)
}
