package runstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/journal/disk"
)

// removedSuffix ends the name of a directory that was a run. It is not a run's name, so no reader lists it.
const removedSuffix = ".removed"

// Remove deletes the run. It fails if a process holds the run, and does not check whether other runs use it: see
// [Store.Protect]. A kill leaves either the whole run, or files that [Store.Sweep] deletes.
func (r *Run) Remove(ctx context.Context) error {
	retired := fmt.Sprintf("%s.%.12s%s", r.Dir, r.Info.ID, removedSuffix)
	lock, err := r.store.acquire(ctx, r.Dir)
	if err == nil {
		var now Info
		if now, err = readInfo(r.fs(), r.Dir); err == nil && now.ID != r.Info.ID {
			err = fs.ErrNotExist // this is a later run
		}
		if err == nil {
			err = r.fs().Rename(r.Dir, retired)
		}
		if err == nil {
			err = r.fs().SyncDir(r.store.root)
		}
		err = errors.Join(err, closeLock(lock)) // waiting processes find out that the run is gone
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: another process has removed %s", ErrNoRun, r.Ref())
	}
	if err != nil {
		return opened(err, r.Ref())
	}
	return explain(r.Ref()+" is removed, but not all of its files", disk.RemoveAll(r.fs(), retired))
}

// Sweep deletes the files that interrupted removals have left.
func (s *Store) Sweep() error {
	entries, err := s.opts.FS.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if entry.IsDir() && strings.HasSuffix(entry.Name(), removedSuffix) {
			err = errors.Join(err, disk.RemoveAll(s.opts.FS, filepath.Join(s.root, entry.Name())))
		}
	}
	return explain("delete the files of removed runs", err)
}

// Protect returns the runs that cannot be removed, with the reason and the remedy: a process holds the run, or a run
// uses it that is not removed with it.
func (s *Store) Protect(runs []Summary) (kept map[string]string, err error) {
	users, err := s.users()
	if err != nil {
		return nil, err
	}
	kept = map[string]string{}
	for _, r := range runs {
		if r.Status == StatusRunning || r.Trainer != "" {
			kept[r.Ref()] = "it is running; stop it with: awhost stop " + r.Ref() + WhereFlag(r.Dir)
		}
	}
	for again := true; again; { // a run that is kept protects the runs that it uses
		again = false
		for _, r := range runs {
			for _, user := range users[filepath.Base(r.Dir)] {
				gone := kept[user] == "" && slices.ContainsFunc(runs, func(o Summary) bool { return o.Ref() == user })
				if kept[r.Ref()] == "" && !gone {
					kept[r.Ref()] = user + " uses it; remove that run first"
					again = true
				}
			}
		}
	}
	return kept, nil
}

// users maps the names of runs to the runs whose spec or start names a path in them, such as a policy's checkpoint.
func (s *Store) users() (map[string][]string, error) {
	refs, err := s.refs()
	if err != nil {
		return nil, err
	}
	users, known := map[string][]string{}, map[string]string{} // runs have many words in common
	for _, ref := range refs {
		for _, name := range []string{specFile, infoFile} { // the latter names the start of --policy
			path := filepath.Join(s.root, ref, name)
			words, err := stringsIn(s.opts.FS, path)
			if errors.Is(err, fs.ErrNotExist) && !s.hasCommits(ref) {
				continue // its creation was interrupted
			}
			if err != nil {
				return nil, fmt.Errorf("read what run %s uses, which may be another run: %w; restore %s from a backup, or "+
					"remove the directory", ref, err, path)
			}
			for _, word := range words {
				used, ok := known[word]
				if !ok {
					used = s.runAt(word)
					known[word] = used
				}
				if used != "" && used != ref && !slices.Contains(users[used], ref) {
					users[used] = append(users[used], ref)
				}
			}
		}
	}
	return users, nil
}

// runAt returns the run whose directory contains a path, or an empty string. A relative path starts at the spec.
func (s *Store) runAt(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(filepath.Dir(s.root)), path)
	}
	for _, name := range []string{filepath.Clean(path), realPath(path)} {
		for _, root := range []string{s.root, realPath(s.root)} {
			if inside, ok := strings.CutPrefix(name, root+string(filepath.Separator)); ok {
				ref, _, _ := strings.Cut(inside, string(filepath.Separator))
				return ref
			}
		}
	}
	return ""
}

// realPath resolves the links in a path, if it exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// stringsIn returns the strings in a JSON file.
func stringsIn(fsys disk.FS, path string) (words []string, err error) {
	data, err := disk.ReadFile(fsys, path)
	decoder := json.NewDecoder(bytes.NewReader(data))
	for err == nil {
		var token json.Token
		token, err = decoder.Token()
		if word, ok := token.(string); ok {
			words = append(words, word)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return words, err
}
