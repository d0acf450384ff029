// Package catalog knows which plugin a name of the spec means.
//
// A plugin is bundled with the host, or the spec names its source: a program, or a directory with a Go package
// that the catalog builds. A type belongs to the plugin whose local name is its prefix: reward "mine_exact" and
// reward "mine" are the plugin mine's. What is bundled is reserved.
//
//	c, err := catalog.Open(catalog.Config{Bundled: bundled, Sources: sources, SpecDir: dir, StateDir: ".awhost"})
//	component, ok := c.Component("reward", "gaia")
//	entry, err := c.Resolve("reward", "gaia") // what to start
//
// Reading a stranger's spec runs nothing of theirs: a source is built and executed only by Accept, which `awhost
// init` calls, and by Refresh for Go packages that were accepted before. What an accepted plugin said of itself is
// cached below StateDir, so that validate and plan start no process. The cache is sealed with a key of the user's own,
// so that a state directory that came with somebody else's files accepts nothing (see seal.go).
//
// The package must not know what plugins do, and nothing of runs.
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

// Config says where plugins come from.
type Config struct {
	// Bundled are the plugins inside the host's binary, by local name.
	Bundled map[string]Bundled
	// Sources are the plugins that the spec names: local name to source, relative to SpecDir.
	Sources map[string]string
	SpecDir string
	// StateDir is the .awhost directory; builds and descriptions are cached below its folder plugins.
	StateDir string
	// KeyDir holds the key that seals what this user accepted; empty: the folder awhost of the user's configuration
	// directory. It is only looked at when there are Sources.
	KeyDir string
	// DescribeTimeout bounds `PROGRAM describe`; 0 means 30 s.
	DescribeTimeout time.Duration
	// Progress is told what takes long while a source is installed or built, before it begins, and of a first build
	// what it took; nil: nobody is.
	Progress func(name, doing string)
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
	Source      string            // as the spec has it; empty for bundled
	Command     []string          // as Open found it; what is started is what Hold returns
	Env         map[string]string // to start it with, beside the host's own
	Hash        string            // "sha256:…" of what is executed
	Description sdk.Description

	executable *executable // what Hold looks at; nil of what is bundled
}

// Origin says where a plugin comes from.
type Origin string

// The origins.
const (
	OriginBundled Origin = "bundled"
	OriginProgram Origin = "program"
	OriginGo      Origin = "go package"
	OriginPython  Origin = "python package"
)

// Catalog finds plugins by name. It is not safe for concurrent use while Accept or Refresh runs.
type Catalog struct {
	config   Config
	entries  map[string]*Entry
	pending  map[string]error      // sources that cannot be used yet, and why
	accepted map[string]acceptance // what the user consented to, whether or not it can be used
	lock     lockfile.File         // of what is installed
	lockErr  error                 // why the lock file cannot be read
}

// ErrNotAccepted says that a plugin's code was never allowed to run here.
var ErrNotAccepted error = notAccepted{}

type notAccepted struct{}

// Error implements error.
func (notAccepted) Error() string { return "the plugin has not been accepted" }

// NotAccepted tells this error from others where the catalog is not known.
func (notAccepted) NotAccepted() {}

// Open reads what is known; it runs nothing. A source that is missing or was not accepted is reported when
// something asks for it.
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
	c := &Catalog{config: config, entries: map[string]*Entry{}, pending: map[string]error{}, accepted: map[string]acceptance{}}
	for name, b := range config.Bundled {
		c.entries[name] = &Entry{Name: name, Origin: OriginBundled, Command: b.Command, Hash: b.Hash, Description: b.Description}
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

// open takes what is known of a source.
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

// Resolve returns the plugin that serves a component type.
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
	return nil, fmt.Errorf("no plugin has %s %q: known are %s; name others in awhost { required_plugins { … } }", kind, typ, strings.Join(c.Types(kind), ", "))
}

func (e *Entry) serves(kind, typ string) bool {
	_, ok := e.Description.Component(sdk.ComponentKind(kind), typ)
	return ok
}

// WhyUnknown says why a type that no usable plugin serves is not known, and what to do about it; nil when there is
// nothing to add to its being unknown.
func (c *Catalog) WhyUnknown(kind, typ string) error {
	for _, name := range c.owners(typ) {
		if err := c.pending[name]; err != nil {
			return err
		}
	}
	return c.elsewhere(kind, typ)
}

// elsewhere looks for a type under the other kinds, and for what its plugin serves instead.
func (c *Catalog) elsewhere(kind, typ string) error {
	for _, name := range sortedNames(c.entries) {
		for _, component := range c.entries[name].Description.Components {
			if component.Type == typ && string(component.Kind) != kind {
				return fmt.Errorf("plugin %s has %s %q: is that the block you mean?", name, component.Kind, typ)
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
	return fmt.Errorf("plugin %s has no %s at all", name, kind)
}

// owners are the sources whose local name is typ's prefix, the most specific first.
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

// Pending returns why a source cannot be used yet, by local name.
func (c *Catalog) Pending() map[string]error { return maps.Clone(c.pending) }

// Missing returns the sources at which nothing is any more, or yet, by local name. What was installed runs from its
// copy and needs none.
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
	return fmt.Errorf("there is nothing at source %q: %w", source, err)
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
