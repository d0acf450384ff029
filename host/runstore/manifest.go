package runstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// Manifest is manifest.json. Once it has its final name, the checkpoint in its directory is complete and its step
// counts.
type Manifest struct {
	Format      int    `json:"format"`
	Awhost      string `json:"awhost"`
	Run         string `json:"run"`    // id of the run
	Parent      string `json:"parent"` // manifest digest of the previous checkpoint, empty for the first
	Incarnation int    `json:"incarnation"`
	LaunchID    string `json:"launch_id"`

	// The caller sets the following fields, down to External.
	Stage         string `json:"stage"`
	StageIndex    int    `json:"stage_index"`
	Step          int    `json:"step"` // over all stages; 0 is the warm start
	PolicyVersion int64  `json:"policy_version"`
	Digest        string `json:"digest"` // over tensors, the optimizer's state and its step, as the adapter computed it
	Keep          bool   `json:"keep"`   // kept by the spec's rules, as announced; others are removed with the next step
	StageEnd      bool   `json:"stage_end,omitempty"`
	// NothingLearned reports that the sample rewards have been equal in every group in the stage so far: the policy has
	// not improved since the stage began.
	NothingLearned bool `json:"nothing_learned,omitempty"`
	// Metrics holds the step's metrics; Prune finds the best checkpoint by one of them.
	Metrics Numbers `json:"metrics,omitempty"`
	// Budgets and RNG hold the host's state for continuing exactly here: failure budgets, breaker window, quarantine,
	// and random state. Any JSON.
	Budgets json.RawMessage `json:"budgets,omitempty"`
	RNG     json.RawMessage `json:"rng,omitempty"`
	// External is the path to a checkpoint that a framework stores in its own location.
	External string `json:"external,omitempty"`

	Files     []FileHash       `json:"files"`   // in the folder, by path
	Journal   journal.Position `json:"journal"` // all earlier records were durable before the manifest
	Committed time.Time        `json:"committed"`
	Consumed  []Consumed       `json:"consumed"` // since the parent: training by step, in slot order, then validation
}

// FileHash is the expected content of a file in a checkpoint or in the run directory.
type FileHash struct {
	Path   string `json:"path"` // in the folder, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Checkpoint is a committed checkpoint.
type Checkpoint struct {
	Dir      string // its folder; for a pruned checkpoint, its former folder
	Path     string // what a trainer loads: Dir, or the framework's own location
	Manifest string // digest of the manifest: the parent of the next

	Parent      string
	Incarnation int
	LaunchID    string
	Stage       string
	StageIndex  int
	Step        int
	StageEnd    bool
	Version     int64
	// NothingLearned is Manifest.NothingLearned.
	NothingLearned bool
	Digest         string // of the content
	Keep           bool
	Metrics        Numbers
	Committed      time.Time
	Removed        bool // pruned
}

// summary returns a checkpoint without its long lists.
func (m *Manifest) summary(dir, digest string) Checkpoint {
	c := Checkpoint{
		Dir: dir, Path: dir, Manifest: digest, Parent: m.Parent, Incarnation: m.Incarnation, LaunchID: m.LaunchID,
		Stage: m.Stage, StageIndex: m.StageIndex, Step: m.Step, StageEnd: m.StageEnd, NothingLearned: m.NothingLearned,
		Version: m.PolicyVersion,
		Digest:  m.Digest, Keep: m.Keep, Metrics: m.Metrics, Committed: m.Committed,
	}
	if m.External != "" {
		c.Path = m.External
	}
	return c
}

// manifestDigest returns a digest that identifies a manifest by its content, regardless of indentation.
func manifestDigest(data []byte) (string, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return "", err
	}
	sum := sha256.Sum256(compact.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// ReadManifest reads the manifest in a checkpoint's directory. An fs.ErrNotExist means that the checkpoint is not
// complete.
func (r *Run) ReadManifest(dir string) (*Manifest, error) {
	m, _, err := readManifest(r.fs(), dir)
	return m, err
}

func readManifest(fsys disk.FS, dir string) (*Manifest, string, error) {
	path := filepath.Join(dir, manifestFile)
	data, err := disk.ReadFile(fsys, path)
	if err != nil {
		return nil, "", fmt.Errorf("read checkpoint: %w", err)
	}
	if err := checkFormat(path, data); err != nil {
		return nil, "", err
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, "", fmt.Errorf("%s is damaged: %w", path, err)
	}
	digest, err := manifestDigest(data)
	return m, digest, err
}

// verify returns an error if any file in a checkpoint is not intact.
func (m *Manifest) verify(ctx context.Context, fsys disk.FS, dir string) error {
	return eachFile(ctx, len(m.Files), func(i int) error { return m.Files[i].verify(fsys, dir) })
}

// hashOf returns the FileHash of a file with the given content.
func hashOf(path string, content []byte) FileHash {
	return FileHash{Path: path, Size: int64(len(content)), SHA256: hashRecord(content)}
}

// verify returns an error if a file differs from its recorded content.
func (want FileHash) verify(fsys disk.FS, dir string) error {
	got, err := hashFile(fsys, dir, want.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing", want.Path)
	case err != nil:
		return err
	case got.Size != want.Size:
		return fmt.Errorf("%s has %d bytes instead of %d", want.Path, got.Size, want.Size)
	case got.SHA256 != want.SHA256:
		return fmt.Errorf("%s has changed since it was written", want.Path)
	}
	return nil
}

// hashes lists a checkpoint's files, sorted by path, and its directories, innermost first.
func hashes(ctx context.Context, fsys disk.FS, dir string) (files []FileHash, folders []string, err error) {
	paths, folders, err := walk(fsys, dir, "")
	if err != nil {
		return nil, nil, err
	}
	files = make([]FileHash, len(paths))
	err = eachFile(ctx, len(paths), func(i int) error {
		hash, err := hashFile(fsys, dir, paths[i])
		files[i] = hash
		return err
	})
	return files, folders, err
}

// eachFile runs do for 0 to n-1, a few at a time: concurrent fsyncs share the file system's work. It returns the error
// with the lowest index.
func eachFile(ctx context.Context, n int, do func(int) error) error {
	var group errgroup.Group
	group.SetLimit(4)
	var mu sync.Mutex
	first, firstErr := n, error(nil)
	for i := range n {
		group.Go(func() error {
			err := ctx.Err()
			if err == nil {
				err = do(i)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil && i < first {
				first, firstErr = i, err
			}
			return nil
		})
	}
	_ = group.Wait() // no function of the group returns an error
	return firstErr
}

// walk lists the files under dir by slash path, sorted, and the directories, innermost first and "" last. The manifest
// is not listed.
func walk(fsys disk.FS, dir, under string) (files, folders []string, err error) {
	entries, err := fsys.ReadDir(filepath.Join(dir, filepath.FromSlash(under)))
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		path := entry.Name()
		if under != "" {
			path = under + "/" + path
		}
		switch {
		case entry.IsDir():
			innerFiles, innerFolders, err := walk(fsys, dir, path)
			if err != nil {
				return nil, nil, err
			}
			files, folders = append(files, innerFiles...), append(folders, innerFolders...)
		case !entry.Type().IsRegular():
			return nil, nil, fmt.Errorf("%s is neither a file nor a folder: a checkpoint must hold its own files", path)
		case path != manifestFile && path != manifestFile+stagedSuffix:
			files = append(files, path)
		}
	}
	return files, append(folders, under), nil
}

func hashFile(fsys disk.FS, dir, path string) (FileHash, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return FileHash{}, fmt.Errorf("%q is not a path in the checkpoint", path)
	}
	file, err := fsys.OpenFile(filepath.Join(dir, filepath.FromSlash(path)), os.O_RDONLY, 0)
	if err != nil {
		return FileHash{}, err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return FileHash{}, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size)); err != nil {
		return FileHash{}, err
	}
	return FileHash{Path: path, Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}
