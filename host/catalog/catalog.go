// Package catalog finds the plugin for a name used in the spec.
//
// A plugin is bundled with the host, or the spec lists its source: a program, or a directory that contains a Go
// package, which the catalog builds. A type belongs to the plugin whose local name is its prefix: rewards "mine_exact"
// and "mine" belong to the plugin mine. Names of bundled plugins are reserved.
//
//	c, err := catalog.Open(catalog.Config{Bundled: bundled, Sources: sources, SpecDir: dir, StateDir: ".awhost"})
//	component, ok := c.Component("reward", "gaia")
//	entry, err := c.Resolve("reward", "gaia") // the plugin to start
//
// Reading a spec from an untrusted source runs none of its code: a source is built and executed only by Accept, which
// `awhost init` calls, and by Refresh for Go packages that were accepted before. The descriptions of accepted plugins
// are cached below StateDir, so that validate and plan start no process. The cache is sealed with the user's key, so
// that copying another user's state directory does not accept anything (see seal.go).
//
// The package must not depend on runs or on the behavior of plugins.
package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/lockfile"
	"github.com/awhost/awhost/sdk"
)

// Config configures the plugin sources.
type Config struct {
	// Bundled holds the plugins in the host's binary, by local name.
	Bundled map[string]Bundled
	// Sources holds the spec's plugins: it maps local names to sources, relative to SpecDir.
	Sources map[string]string
	// Commands holds the commands of sources that are in another language than Go and Python, by local name.
	Commands map[string][]string
	SpecDir  string
	// StateDir is the .awhost directory; builds and descriptions are cached in its plugins subdirectory.
	StateDir string
	// KeyDir holds the key that seals this user's acceptances. If it is empty, the awhost subdirectory of the user's
	// configuration directory is used. It is used only if there are Sources.
	KeyDir string
	// DescribeTimeout limits `PROGRAM describe`; 0 means 30 s.
	DescribeTimeout time.Duration
	// Progress is called before a slow step of installing or building a source, and after a first build, with its
	// duration. May be nil.
	Progress func(name, doing string)
}

// Bundled is a plugin inside the host's binary.
type Bundled struct {
	Description sdk.Description
	// Command starts the plugin as a separate process.
	Command []string
	// Hash identifies its code.
	Hash string
}

// Entry is a plugin that can be started.
type Entry struct {
	Name        string // local name
	Origin      Origin
	Source      string            // as in the spec; empty for bundled
	Command     []string          // found by Open; Hold returns the command to start
	Env         map[string]string // added to the host's environment for the process
	Hash        string            // "sha256:…" of the executed content
	Description sdk.Description

	executable *executable // used by Hold; nil for bundled plugins
}

// Origin is the kind of a plugin's source.
type Origin string

// The origins.
const (
	OriginBundled Origin = "bundled"
	OriginProgram Origin = "program"
	OriginGo      Origin = "go package"
	OriginPython  Origin = "python package"
	OriginCommand Origin = "directory"
)

// Catalog finds plugins by name. It is not safe for concurrent use while Accept or Refresh runs.
type Catalog struct {
	config   Config
	entries  map[string]*Entry
	pending  map[string]error      // unusable sources and the reasons
	accepted map[string]acceptance // sources accepted by the user, usable or not
	lock     lockfile.File         // the installed sources
	lockErr  error                 // set if the lock file cannot be read
}

// ErrNotAccepted reports that running a plugin's code was not allowed on this machine.
var ErrNotAccepted error = notAccepted{}

type notAccepted struct{}

// Error implements error.
func (notAccepted) Error() string { return "the plugin has not been accepted" }

// NotAccepted identifies this error to packages that do not import the catalog.
func (notAccepted) NotAccepted() {}

// Open reads the existing records and runs nothing. A missing or unaccepted source is reported when it is used.
func Open(config Config) (*Catalog, error) {
	if config.DescribeTimeout == 0 {
		config.DescribeTimeout = defaultDescribeTimeout
	}
	var err error
	if config.SpecDir, err = filepath.Abs(config.SpecDir); err != nil {
		return nil, fmt.Errorf("find the spec's directory: %w", err)
	}
	if config.StateDir, err = filepath.Abs(config.StateDir); err != nil {
		return nil, fmt.Errorf("find the state directory: %w", err)
	}
	c := &Catalog{config: config, entries: map[string]*Entry{}, pending: map[string]error{},
		accepted: map[string]acceptance{}}
	for name, b := range config.Bundled {
		c.entries[name] = &Entry{Name: name, Origin: OriginBundled, Command: b.Command, Hash: b.Hash,
			Description: b.Description}
	}
	c.lock, c.lockErr = lockfile.Read(config.SpecDir)
	for _, name := range sortedNames(config.Sources) {
		if err := c.checkLocalName(name); err != nil {
			return nil, err
		}
		c.open(name)
	}
	return c, nil
}

// open reads the record of a source.
func (c *Catalog) open(name string) {
	record, err := c.consent(name)
	if err != nil {
		c.pending[name] = fmt.Errorf("plugin %s: %w", name, err)
		return
	}
	c.accepted[name] = record
	entry, err := c.entry(record)
	if err != nil {
		c.pending[name] = fmt.Errorf("plugin %s: %w", name, err)
		return
	}
	c.entries[name] = entry
}

// Component returns the description of a component type.
func (c *Catalog) Component(kind, typ string) (*sdk.ComponentDescription, bool) {
	entry, err := c.Resolve(kind, typ)
	if err != nil {
		return nil, false
	}
	return entry.Description.Component(sdk.ComponentKind(kind), typ)
}

// Types returns a sorted list of the component types of a kind.
func (c *Catalog) Types(kind string) []string {
	var types []string
	for _, entry := range c.entries {
		types = append(types, entry.types(kind)...)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

func (e *Entry) types(kind string) []string {
	var types []string
	for _, component := range e.Description.Components {
		if string(component.Kind) == kind {
			types = append(types, component.Type)
		}
	}
	return types
}

// Resolve returns the plugin that provides a component type.
func (c *Catalog) Resolve(kind, typ string) (*Entry, error) {
	for _, name := range sortedNames(c.config.Bundled) {
		if c.entries[name].serves(kind, typ) {
			return c.entries[name], nil
		}
	}
	for _, name := range c.owners(typ) {
		if err := c.pending[name]; err != nil {
			return nil, fmt.Errorf("%s %q: %w", kind, typ, err)
		}
		if entry := c.entries[name]; entry.serves(kind, typ) {
			return entry, nil
		}
	}
	if why := c.elsewhere(kind, typ); why != nil {
		return nil, fmt.Errorf("%s %q: %w", kind, typ, why)
	}
	return nil, fmt.Errorf("no plugin has %s %q: known are %s; declare others in awhost { required_plugins { … } "+
		"}", kind, typ, strings.Join(c.Types(kind), ", "))
}

func (e *Entry) serves(kind, typ string) bool {
	_, ok := e.Description.Component(sdk.ComponentKind(kind), typ)
	return ok
}

// WhyUnknown explains why a type is unknown and what to do about it. It returns nil if it has no explanation.
func (c *Catalog) WhyUnknown(kind, typ string) error {
	for _, name := range c.owners(typ) {
		if err := c.pending[name]; err != nil {
			return err
		}
	}
	return c.elsewhere(kind, typ)
}

// elsewhere searches for a type among the other kinds, and otherwise lists the types that its plugin provides.
func (c *Catalog) elsewhere(kind, typ string) error {
	for _, name := range sortedNames(c.entries) {
		for _, component := range c.entries[name].Description.Components {
			if component.Type == typ && string(component.Kind) != kind {
				return fmt.Errorf("plugin %s has %s %q: did you mean this block?", name, component.Kind, typ)
			}
		}
	}
	owners := c.owners(typ)
	if len(owners) == 0 {
		return nil
	}
	name := owners[0]
	if types := c.entries[name].types(kind); len(types) > 0 {
		return fmt.Errorf("plugin %s has no %s %q, only %s", name, kind, typ, strings.Join(types, ", "))
	}
	return fmt.Errorf("plugin %s has no %s", name, kind)
}

// owners returns the sources whose local name is a prefix of typ, the most specific first.
func (c *Catalog) owners(typ string) []string {
	var owners []string
	for _, name := range sortedNames(c.config.Sources) {
		if carries(typ, name) {
			owners = append(owners, name)
		}
	}
	slices.SortStableFunc(owners, func(a, b string) int { return len(b) - len(a) })
	return owners
}

// Pending returns the reasons why sources are unusable, by local name.
func (c *Catalog) Pending() map[string]error { return maps.Clone(c.pending) }

// Missing returns the sources that do not exist, keyed by local name. Installed sources run from their copies and are
// never missing.
func (c *Catalog) Missing() map[string]error {
	out := map[string]error{}
	for name, source := range c.config.Sources {
		path := c.sourcePath(name)
		record, known := c.accepted[name]
		if isURL(path) || checkSource(source) != nil || known && record.installed() {
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			out[name] = nothingAt(source, err)
		}
	}
	return out
}

func nothingAt(source string, err error) error {
	return fmt.Errorf("source %q does not exist: %w", source, err)
}

// Entries lists the plugins that can be started, sorted by name.
func (c *Catalog) Entries() []*Entry {
	var out []*Entry
	for _, name := range sortedNames(c.entries) {
		out = append(out, c.entries[name])
	}
	return out
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
