package commandplugin

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/sandbox"
)

// folders are the directories of one episode.
type folders struct {
	root string // of this episode; parent of the others
	work string // working directory of the program
	home string
	tmp  string
	own  string // awhost's files for the program
}

func (f *folders) file(name string) string { return filepath.Join(f.own, name) }

// folderPool assigns folders. A given position in a run has the same directory at each attempt, and also in identical
// runs in one directory, because a harness includes its path in the prompt, so a different path would change the
// prompt.
type folderPool struct {
	directory string
	template  string

	mu    sync.Mutex
	taken map[string]bool
}

func newFolderPool(directory, template string) (*folderPool, error) {
	if err := ownerfile.MkdirAll(directory); err != nil {
		return nil, fmt.Errorf("create the folder of the episodes: %w", err)
	}
	resolved, err := filepath.EvalSymlinks(directory) // as the program sees it
	if err != nil {
		return nil, err
	}
	if template != "" {
		if err := checkTemplate(template); err != nil {
			return nil, err
		}
	}
	return &folderPool{directory: resolved, template: template, taken: map[string]bool{}}, nil
}

// create creates the folders of an episode, and replaces the folders of an earlier attempt. The caller must call
// leave.
func (r *folderPool) create(req sdk.AgentRequest) (f *folders, leave func(), err error) {
	name := req.Place
	if name == "" { // a host without places
		name = fmt.Sprintf("%x", sha256.Sum256([]byte(req.EpisodeID)))[:16]
	}
	r.mu.Lock()
	free := name
	for n := 2; r.taken[free]; n++ { // the same task may be validated twice at the same time
		free = fmt.Sprint(name, "-", n)
	}
	r.taken[free] = true
	r.mu.Unlock()
	leave = func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.taken, free)
	}
	root := filepath.Join(r.directory, free)
	f = &folders{
		root: root, work: filepath.Join(root, "work"), home: filepath.Join(root, "home"), tmp: filepath.Join(root, "tmp"),
		own: filepath.Join(root, "awhost"),
	}
	if err = r.make(f); err != nil {
		leave()
		return nil, nil, err
	}
	return f, leave, nil
}

func (r *folderPool) make(f *folders) error {
	if err := sandbox.Remove(f.root); err != nil {
		return fmt.Errorf("remove leftovers from an earlier attempt: %w", err)
	}
	for _, folder := range []string{f.root, f.work, f.home, f.tmp, f.own} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return err
		}
	}
	if r.template == "" {
		return nil
	}
	if err := copyTree(r.template, f.work); err != nil {
		return fmt.Errorf("copy the template: %w", err)
	}
	return nil
}

// checkTemplate rejects links that lead out of the template, because a program could change the original through them.
func checkTemplate(template string) error {
	info, err := os.Stat(template)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", template)
	}
	return filepath.WalkDir(template, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return err
		}
		target, err := os.Readlink(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(template, path)
		if err != nil {
			return err
		}
		if filepath.IsAbs(target) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
			return fmt.Errorf("%s is a link to %s, outside of the template: a program would change files there", path,
				target)
		}
		return nil
	})
}

// copyTree copies directories, files with their permissions, and links unchanged. Sockets and other special files are
// omitted.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil || name == "." {
			return err
		}
		target := filepath.Join(to, name)
		switch {
		case d.IsDir():
			return os.Mkdir(target, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// prompt returns the question as text: the system and user messages.
func prompt(messages []sdk.Message) string {
	var texts []string
	for _, m := range messages {
		if m.Content != "" && m.Role != sdk.RoleTool {
			texts = append(texts, m.Content)
		}
	}
	return strings.Join(texts, "\n\n")
}
