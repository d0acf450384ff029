package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Accept builds and describes every source, which runs its code, and records it. It is what the user consents to by
// `awhost init`. Sources that fail are in the joined error and in Pending; the others are usable.
func (c *Catalog) Accept(ctx context.Context) error {
	if len(c.config.Sources) == 0 {
		return nil
	}
	key, err := c.ensureKey()
	if err != nil {
		return fmt.Errorf("remember what you accept: set HOME or XDG_CONFIG_HOME to a directory that you can write to: %w", err)
	}
	var failures []error
	for _, name := range sortedNames(c.config.Sources) {
		failures = append(failures, c.take(ctx, key, name, acceptance{}))
	}
	return errors.Join(failures...)
}

// Refresh rebuilds the accepted Go packages. Consent was given for the directory, so that an author's loop is edit and
// apply. What the build did not change is not run, and nothing is written.
func (c *Catalog) Refresh(ctx context.Context) error {
	var failures []error
	for _, name := range sortedNames(c.accepted) {
		record := c.accepted[name]
		if record.Origin != OriginGo {
			continue
		}
		key, err := c.readKey()
		if err != nil {
			return fmt.Errorf("refresh plugin %s: %w", name, err)
		}
		failures = append(failures, c.take(ctx, key, name, record))
	}
	return errors.Join(failures...)
}

// take makes a source usable; known is its record so far. When that fails an entry that was usable stays.
func (c *Catalog) take(ctx context.Context, key []byte, name string, known acceptance) error {
	record, err := c.accept(ctx, key, name, known)
	var entry *Entry
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

// accept builds a source, describes it unless the program is the known one, and records it.
func (c *Catalog) accept(ctx context.Context, key []byte, name string, known acceptance) (acceptance, error) {
	record := acceptance{Format: acceptanceFormat, Name: name, Source: c.config.Sources[name], Path: c.sourcePath(name)}
	record.Sources, _ = sourceDigest(ctx, record.Path) // before the build; empty for what is no Go package
	var err error
	if record.Program, record.Origin, err = c.program(ctx, name, record.Path, known); err != nil {
		return record, err
	}
	if record.Hash, err = hashFile(record.Program); err != nil {
		return record, err
	}
	if record.Origin != OriginGo {
		record.Sources = ""
	}
	switch same := record.Hash == known.Hash && record.Program == known.Program; {
	case same && record.Sources == known.Sources:
		return known, nil
	case same:
		record.Description = known.Description
	default:
		if record.Description, err = c.describe(ctx, name, record.Program); err != nil {
			return record, err
		}
	}
	if record.Seal, err = seal(key, record); err != nil {
		return record, err
	}
	return record, c.save(record)
}

// program returns what to execute for a source, built when it is a Go package.
func (c *Catalog) program(ctx context.Context, name, path string, known acceptance) (string, Origin, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("there is nothing at source %q: %w", c.config.Sources[name], err)
	case info.IsDir():
		program, err := c.build(ctx, name, path, known)
		return program, OriginGo, err
	case known.Origin == OriginGo:
		return "", "", fmt.Errorf("%w: %s was a directory and is now a file: run `awhost init`", ErrNotAccepted, path)
	case !info.Mode().IsRegular():
		return "", "", fmt.Errorf("%s is neither a file nor a directory: a source is a program or a directory with a Go package", path)
	case info.Mode()&0o111 == 0:
		return "", "", fmt.Errorf("%s is not executable: run chmod +x on it, or name a directory with a Go package", path)
	}
	return path, OriginProgram, nil
}

// describe runs `PROGRAM describe` and returns what it printed, in full, so that a later version of the host can read
// what this one does not know.
func (c *Catalog) describe(ctx context.Context, name, program string) (json.RawMessage, error) {
	text, err := runDescribe(ctx, program, c.config.DescribeTimeout)
	if err != nil {
		return nil, err
	}
	if _, err := c.readDescription(name, text); err != nil {
		return nil, fmt.Errorf("`%s describe`: %w", program, err)
	}
	return text, nil
}
