package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/seal"
)

// Accept installs or builds every source and describes it, which runs its code, and records it. It is what the user
// consents to by `awhost init`. Sources that fail are in the joined error and in Pending; the others are usable. What is
// installed must be what the lock file has, and is added to it where that knows nothing of it.
func (c *Catalog) Accept(ctx context.Context) error { return c.acceptAll(ctx, false) }

// Upgrade is Accept that takes every source as it is now, whatever the lock file has.
func (c *Catalog) Upgrade(ctx context.Context) error { return c.acceptAll(ctx, true) }

func (c *Catalog) acceptAll(ctx context.Context, upgrade bool) error {
	if c.lockErr != nil {
		return c.lockErr
	}
	if len(c.config.Sources) == 0 {
		return c.writeLock()
	}
	key, err := seal.Ensure(c.config.KeyDir)
	if err != nil {
		return fmt.Errorf("remember what you accept: set HOME or XDG_CONFIG_HOME to a directory that you can write to: %w", err)
	}
	var failures []error
	for _, name := range sortedNames(c.config.Sources) {
		failures = append(failures, c.take(ctx, key, name, taking{known: c.accepted[name], anew: true, upgrade: upgrade}))
	}
	return errors.Join(append(failures, c.writeLock())...)
}

// Refresh rebuilds the accepted packages in directories. Consent was given for the directory, so that an author's loop is
// edit and apply. What the build did not change is not run, and nothing is written.
func (c *Catalog) Refresh(ctx context.Context) error {
	var failures []error
	for _, name := range sortedNames(c.accepted) {
		record := c.accepted[name]
		if record.installed() {
			continue
		}
		key, err := seal.Read(c.config.KeyDir)
		if err != nil {
			return fmt.Errorf("refresh plugin %s: %w", name, err)
		}
		failures = append(failures, c.take(ctx, key, name, taking{known: record}))
	}
	return errors.Join(failures...)
}

// taking says how a source is made usable.
type taking struct {
	known   acceptance // the record so far
	anew    bool       // the user consents now: describe it whatever is known, and take whatever it has become
	upgrade bool       // and whatever the lock file has
}

// take makes a source usable. When that fails an entry that was usable stays, if it is still what was consented to.
func (c *Catalog) take(ctx context.Context, key seal.Key, name string, t taking) error {
	record, err := c.accept(ctx, key, name, t)
	var entry *Entry
	if err == nil && t.anew {
		c.lockContent(record, t.upgrade)
	}
	if err == nil {
		entry, err = c.entry(record)
	}
	if err != nil {
		err = fmt.Errorf("plugin %s: %w", name, err)
		if c.entries[name] == nil {
			c.pending[name] = err
		}
		return err
	}
	delete(c.pending, name)
	c.entries[name], c.accepted[name] = entry, record
	return nil
}

// accept prepares a source, describes it unless it is known, and records it.
func (c *Catalog) accept(ctx context.Context, key seal.Key, name string, t taking) (acceptance, error) {
	record := acceptance{Format: acceptanceFormat, Name: name, Source: c.config.Sources[name], Path: c.sourcePath(name)}
	known := t.known
	if !t.anew {
		if info, err := os.Stat(record.Path); err == nil && !info.IsDir() {
			return record, fmt.Errorf("%w: %s was a directory and is now a file: run `awhost init`", ErrNotAccepted, record.Path)
		}
	}
	var err error
	if record.product, err = c.prepare(ctx, name, known.product, t.upgrade); err != nil {
		return record, err
	}
	if record.Hash, err = record.measure(); err != nil {
		return record, err
	}
	switch same := record.Hash == known.Hash && record.Program == known.Program && !t.anew; {
	case same && record.Sources == known.Sources:
		return known, nil
	case same:
		record.Description = known.Description
	default:
		if record.Description, err = c.describe(ctx, name, record.command()); err != nil {
			c.discard(name, record.Checksum)
			return record, err
		}
	}
	text, err := record.sealed()
	if err != nil {
		return record, err
	}
	record.Seal = key.MAC(text)
	return record, c.save(record)
}

// discard removes the copy of what turned out to be no plugin, unless it is the one in use.
func (c *Catalog) discard(name, checksum string) {
	if checksum == "" || checksum == c.accepted[name].Checksum {
		return
	}
	_ = removeCopy(c.copyPath(name, checksum))
	removeEmpty(filepath.Dir(c.pluginDir(name)), c.pluginDir(name), filepath.Dir(c.copyPath(name, checksum)))
}

// describe runs `PROGRAM describe` and returns what it printed, in full, so that a later version of the host can read
// what this one does not know.
func (c *Catalog) describe(ctx context.Context, name string, command []string) (json.RawMessage, error) {
	text, err := runDescribe(ctx, command, c.config.DescribeTimeout)
	if err != nil {
		return nil, err
	}
	if _, err := c.readDescription(name, text); err != nil {
		return nil, fmt.Errorf("`%s describe`: %w", strings.Join(command, " "), err)
	}
	return text, nil
}
