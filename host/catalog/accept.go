package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/consent"
)

// Accept installs or builds every source, describes it, which runs its code, and records it. The user consents to this
// with `awhost init`. The joined error and Pending contain the failed sources; the others are usable. The content of an
// installed source must match the lock file, and is added to the lock file if it has no entry for the source.
func (c *Catalog) Accept(ctx context.Context) error { return c.acceptAll(ctx, false) }

// Upgrade works like Accept, but accepts the current content of every source, whatever the lock file contains.
func (c *Catalog) Upgrade(ctx context.Context) error { return c.acceptAll(ctx, true) }

func (c *Catalog) acceptAll(ctx context.Context, upgrade bool) error {
	if c.lockErr != nil {
		return c.lockErr
	}
	if len(c.config.Sources) == 0 {
		return c.writeLock()
	}
	key, err := consent.Ensure(c.config.KeyDir)
	if err != nil {
		return fmt.Errorf("store accepted plugins: set HOME or XDG_CONFIG_HOME to a writable directory: %w", err)
	}
	var failures []error
	for _, name := range sortedNames(c.config.Sources) {
		failures = append(failures, c.take(ctx, key, name, taking{known: c.accepted[name], anew: true, upgrade: upgrade}))
	}
	return errors.Join(append(failures, c.writeLock())...)
}

// Refresh rebuilds the accepted packages that are built from directories. Consent was given for the directory, so
// plugin authors only need to edit and apply. If a build is unchanged, it is not run, and nothing is written for it.
func (c *Catalog) Refresh(ctx context.Context) error {
	var failures []error
	for _, name := range sortedNames(c.accepted) {
		record := c.accepted[name]
		if record.installed() {
			continue
		}
		key, err := consent.Read(c.config.KeyDir)
		if err != nil {
			return fmt.Errorf("refresh plugin %s: %w", name, err)
		}
		failures = append(failures, c.take(ctx, key, name, taking{known: record}))
	}
	return errors.Join(failures...)
}

// taking selects how a source is made usable.
type taking struct {
	known   acceptance // the existing record
	anew    bool       // the user consents now: describe it again, and accept its current content
	upgrade bool       // also ignore the lock file
}

// take makes a source usable. If that fails, a usable entry is kept as long as its content is still accepted.
func (c *Catalog) take(ctx context.Context, key consent.Key, name string, t taking) error {
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

// accept prepares a source, describes it unless its description is known, and records it.
func (c *Catalog) accept(ctx context.Context, key consent.Key, name string, t taking) (acceptance, error) {
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

// discard removes the copy of a source that is not a plugin, unless the copy is in use.
func (c *Catalog) discard(name, checksum string) {
	if checksum == "" || checksum == c.accepted[name].Checksum {
		return
	}
	_ = removeCopy(c.copyPath(name, checksum))
	removeEmpty(filepath.Dir(c.pluginDir(name)), c.pluginDir(name), filepath.Dir(c.copyPath(name, checksum)))
}

// describe runs `PROGRAM describe` and returns its complete output, so that a later version of the host can read
// fields that this version does not support.
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
