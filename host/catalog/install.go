package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/catalog/internal/archive"
	"github.com/awhost/awhost/host/catalog/internal/download"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/lockfile"
)

// Accept installs a program, an archive or the file at a URL: it copies it once into the state directory, to a
// subdirectory named after the content's hash. The files in a copy, and the directories in an archive's copy, are
// read-only, because files that a program writes next to itself would change its hash. The lock file next to the spec
// records the content, so that all users of the spec run the same content. Only Upgrade accepts different content.

// platform is the name that the lock file uses for this machine's platform.
const platform = runtime.GOOS + "_" + runtime.GOARCH

// install copies a source's content and returns a product of the copy.
func (c *Catalog) install(ctx context.Context, name string, known product, upgrade bool) (product, error) {
	if c.lockErr != nil {
		return product{}, c.lockErr
	}
	wanted := ""
	if !upgrade {
		wanted = c.lockedChecksum(name)
	}
	if isURL(c.config.Sources[name]) && wanted != "" && wanted == known.Checksum {
		if hash, err := known.measure(); err == nil && hash == known.Hash {
			return known, nil // already installed: no download is needed
		}
	}
	home := filepath.Join(c.pluginDir(name), "installed")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return product{}, err
	}
	scratch, err := os.MkdirTemp(home, temporary)
	if err != nil {
		return product{}, err
	}
	defer removeEmpty(filepath.Dir(c.pluginDir(name)), c.pluginDir(name), home)
	defer func() { _ = removeCopy(scratch) }()
	file, err := c.obtain(ctx, name, scratch)
	if err != nil {
		return product{}, err
	}
	defer file.Close()
	sum, err := wholefile.Digest(file.Name())
	if err != nil {
		return product{}, err
	}
	if wanted != "" && sum != wanted {
		return product{}, fmt.Errorf("%s does not match %s: its checksum is %s, and was %s. Run `awhost init --upgrade` to "+
			"accept the current contents",
			c.sourcePath(name), lockfile.Name, sum, wanted)
	}
	root := c.copyPath(name, sum)
	if err := place(file, filepath.Join(scratch, "content"), root, fileName(c.sourcePath(name))); err != nil {
		return product{}, err
	}
	sweepCopies(home, root)
	p, err := c.ofCopy(ctx, name, root, known)
	if err != nil {
		c.discard(name, sum)
		return product{}, err
	}
	p.Checksum = sum
	return p, nil
}

// copyPath returns the directory of an installed copy.
func (c *Catalog) copyPath(name, checksum string) string {
	return filepath.Join(c.pluginDir(name), "installed", strings.TrimPrefix(checksum, "sha256:")[:16])
}

// obtain opens a private copy of the file at a source.
func (c *Catalog) obtain(ctx context.Context, name, scratch string) (*os.File, error) {
	path := c.sourcePath(name)
	file, err := os.OpenFile(filepath.Join(scratch, "file"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if isURL(path) {
		c.say(name, "downloading "+path)
		err = download.Config{}.Fetch(ctx, path, file)
	} else {
		err = copyLocal(path, file)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// copyLocal copies a program or an archive.
func copyLocal(path string, to *os.File) error {
	in, err := openRegular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	format, err := archive.Sniff(in)
	if err != nil {
		return err
	}
	if format != archive.TarGz && format != archive.Zip && info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable: if it is a program, run chmod +x on it; %s", path, sourceForms)
	}
	_, err = io.Copy(to, in)
	return err
}

// place writes a file's content to its final directory.
func place(file *os.File, fresh, root, name string) error {
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	format, err := archive.Sniff(file)
	if err != nil {
		return err
	}
	switch format {
	case archive.TarGz, archive.Zip:
		if err := archive.Unpack(file, fresh, archive.DefaultLimits); err != nil {
			return fmt.Errorf("unpack %s: %w", name, err)
		}
	default:
		if err := placeProgram(file, format, filepath.Join(fresh, name)); err != nil {
			return err
		}
	}
	return settle(fresh, root)
}

func placeProgram(file *os.File, format archive.Format, path string) error {
	start := make([]byte, 64)
	n, _ := file.ReadAt(start, 0)
	if format != archive.Program {
		return fmt.Errorf("%s is neither a program nor an archive (.tar.gz, .zip): it begins with %q", filepath.Base(path),
			start[:n])
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return archive.Write(path, file, 0o555)
}

// settle moves a tree to its final path. An identical tree at that path is not replaced, so that concurrent processes
// do not interfere with one another. A modified tree is replaced.
func settle(fresh, root string) error {
	want, err := archive.HashTree(fresh, nil)
	if err != nil {
		return err
	}
	for range 10 {
		if there, err := archive.HashTree(root, nil); err == nil && there == want {
			return touch(root)
		}
		if _, err := os.Lstat(root); err == nil {
			_ = setFolders(root, 0o755) // a read-only folder cannot be moved; an error shows below
			if err := os.Rename(root, fresh+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err = os.Rename(fresh, root); err == nil {
			return touch(root)
		}
	}
	return err
}

// setFolders sets the permissions of a directory and its subdirectories. Links are not followed.
func setFolders(root string, mode fs.FileMode) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, mode)
	})
}

// removeCopy removes a copy or what remains of it. Folders may be read-only.
func removeCopy(root string) error {
	_ = setFolders(root, 0o755) // RemoveAll reports folders that were not changed
	return os.RemoveAll(root)
}

func touch(path string) error {
	now := time.Now()
	return os.Chtimes(path, now, now)
}

// ofCopy makes a product from an installed copy: a Go or Python package is built, a program is run in place.
func (c *Catalog) ofCopy(ctx context.Context, name, root string, known product) (product, error) {
	dir, err := contentOf(root)
	if err != nil {
		return product{}, err
	}
	if command := c.config.Commands[name]; len(command) > 0 {
		return inDirectory(root, dir, command)
	}
	if _, err := languageOf(dir); err == nil {
		p, err := c.make(ctx, name, dir, known)
		p.Sources = "" // it is not developed there
		return p, err
	}
	program, err := findProgram(dir, name)
	if err != nil {
		return product{}, err
	}
	if names, _ := os.ReadDir(root); len(names) == 1 && filepath.Dir(program) == root {
		return product{Origin: OriginProgram, Program: program}, nil
	}
	return product{Origin: OriginProgram, Program: program, Root: root}, setFolders(root, 0o555)
}

// contentOf returns the directory that an archive was made from: many archives have a single top-level directory.
func contentOf(root string) (string, error) {
	names, err := os.ReadDir(root)
	if err == nil && len(names) == 1 && names[0].IsDir() {
		return filepath.Join(root, names[0].Name()), nil
	}
	return root, err
}

// findProgram returns the program in an archive: the file that has the plugin's name, optionally with the platform as a
// suffix, at the top level or in bin, or the only executable file in these places.
func findProgram(dir, name string) (string, error) {
	var programs []string
	for _, folder := range []string{dir, filepath.Join(dir, "bin")} {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				programs = append(programs, filepath.Join(folder, e.Name()))
			}
		}
	}
	for _, wanted := range []string{name, name + "_" + platform, name + "-" + strings.ReplaceAll(platform, "_", "-")} {
		if i := slices.IndexFunc(programs, func(p string) bool { return filepath.Base(p) == wanted }); i >= 0 {
			return programs[i], nil
		}
	}
	switch len(programs) {
	case 1:
		return programs[0], nil
	case 0:
		return "", fmt.Errorf("the archive contains no plugin: want an executable file %s at its top level or in "+
			"bin, Go files, or a pyproject.toml", name)
	}
	for i := range programs {
		programs[i], _ = filepath.Rel(dir, programs[i])
	}
	return "", fmt.Errorf("the archive contains the programs %s, but none is named %s", strings.Join(programs, ", "), name)
}

// fileName returns the file name for a program's copy.
func fileName(source string) string {
	if address, err := url.Parse(source); err == nil && isURL(source) {
		source = path.Base(address.Path)
	}
	name := filepath.Base(source)
	if name == "." || name == "/" || strings.HasPrefix(name, ".") {
		return "plugin"
	}
	return name
}

// lockedChecksum returns a source's checksum from the lock file, or an empty string if it has no entry.
func (c *Catalog) lockedChecksum(name string) string {
	locked, ok := c.lock.Plugins[name]
	if !ok || locked.Source != c.config.Sources[name] {
		return ""
	}
	return locked.Checksum(platform)
}

// checkInstalled verifies that a copy matches the lock file and its source.
func (c *Catalog) checkInstalled(record acceptance) error {
	if !record.installed() {
		return nil
	}
	if c.lockErr != nil {
		return c.lockErr
	}
	switch wanted := c.lockedChecksum(record.Name); {
	case wanted == "":
		return fmt.Errorf("%w: %s does not match the spec: run `awhost init`", ErrNotAccepted, lockfile.Name)
	case wanted != record.Checksum:
		return fmt.Errorf("%w: %s requires the checksum %s, but %s is installed: run `awhost "+
			"init`", ErrNotAccepted, lockfile.Name, wanted, record.Checksum)
	}
	if isURL(record.Path) {
		return nil
	}
	now, err := wholefile.Digest(record.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the copy is used
	}
	if err != nil {
		return fmt.Errorf("%w: check whether %s changed since it was accepted: %w", ErrNotAccepted, record.Path, err)
	}
	if now != record.Checksum {
		return fmt.Errorf("%w: %s changed since it was accepted: run `awhost init --upgrade` to accept the new "+
			"contents", ErrNotAccepted, record.Path)
	}
	return nil
}

// lockContent adds an installed source to the lock file in memory; writeLock writes it.
func (c *Catalog) lockContent(record acceptance, upgrade bool) {
	if !record.installed() {
		delete(c.lock.Plugins, record.Name)
		return
	}
	entry := lockfile.Plugin{Name: record.Name, Source: record.Source, Checksums: map[string]string{}}
	on := platform
	if isURL(record.Path) || record.Root != "" || record.Origin != OriginProgram { // the same bytes on every platform
		on = lockfile.Any
	} else if old := c.lock.Plugins[record.Name]; old.Source == record.Source && !upgrade { // per platform
		maps.Copy(entry.Checksums, old.Checksums)
	}
	entry.Checksums[on] = record.Checksum
	c.lock.Plugins[record.Name] = entry
}

// writeLock records the installed sources. It keeps the entries of sources that could not be installed.
func (c *Catalog) writeLock() error {
	for name, locked := range c.lock.Plugins {
		if c.config.Sources[name] != locked.Source {
			delete(c.lock.Plugins, name)
			continue
		}
		if entry := c.entries[name]; entry != nil {
			locked.Version = entry.Description.Version
			c.lock.Plugins[name] = locked
		}
	}
	if err := c.lock.Write(c.config.SpecDir); err != nil {
		return fmt.Errorf("record the plugins in %s: %w", lockfile.Name, err)
	}
	return nil
}

// sweepCopies removes old copies and temporary files left by killed processes.
func sweepCopies(home, current string) {
	entries, err := os.ReadDir(home)
	if err != nil {
		return
	}
	ages := map[string]time.Time{}
	var copies []string
	for _, e := range entries {
		path := filepath.Join(home, e.Name())
		info, err := e.Info()
		switch {
		case err != nil || path == current:
		case strings.HasPrefix(e.Name(), strings.TrimSuffix(temporary, "*")):
			if time.Since(info.ModTime()) > staleAfter {
				_ = removeCopy(path)
			}
		default:
			copies, ages[path] = append(copies, path), info.ModTime()
		}
	}
	slices.SortFunc(copies, func(a, b string) int { return ages[b].Compare(ages[a]) })
	for _, path := range copies[min(len(copies), keptBuilds):] {
		_ = removeCopy(path)
	}
}

// removeEmpty removes empty directories, starting with the last one.
func removeEmpty(dirs ...string) {
	for _, dir := range slices.Backward(dirs) {
		_ = os.Remove(dir)
	}
}
