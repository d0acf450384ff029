package runstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// NewRun holds the inputs for creating a run.
type NewRun struct {
	Name     string          // of the train block
	Identity string          // digest of everything that the result depends on
	SpecPath string          // for display
	Spec     json.RawMessage // resolved, with the origins of secrets instead of their values
	Protocol int             // plugin protocol version
	Plugins  []UsedPlugin    // by address of the block
	Data     []UsedData      // by address
	Build    *build.Build    // the awhost build that begins it; nil: not recorded
	Steps    int             // --steps; 0: the spec's

	PolicyRun *PolicyRun // start of the policy; nil: the base model
	Played    *Played    // set if nothing is trained

	// Newest is the result of Store.Newest before the caller found no equal run. Create refuses the run if another
	// process has created an equal one since. If it is nil, any number of equal runs may exist.
	Newest *int
}

// Newest returns the number of the newest run of a train block; 0: none.
func (s *Store) Newest(name string) (int, error) {
	number, err := s.highest(folderName(name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return number, err
}

// Create creates a directory with the next free number for a new run, and opens the run for writing.
func (s *Store) Create(ctx context.Context, run NewRun) (*Writer, error) {
	if !json.Valid(run.Spec) {
		return nil, errors.New("create run: the resolved spec is not JSON")
	}
	if err := s.MakeRoot(); err != nil {
		return nil, err
	}
	info := Info{
		Format: FormatVersion, ID: newID(), Name: folderName(run.Name), Identity: run.Identity,
		Created: s.opts.Now().UTC().Truncate(time.Millisecond), Spec: run.SpecPath, Awhost: s.opts.Version,
		Protocol: run.Protocol, Machine: thisMachine(), Plugins: run.Plugins, Data: run.Data, Build: run.Build,
		Steps: run.Steps, PolicyRun: run.PolicyRun, Played: run.Played,
	}
	dir, err := s.reserve(&info)
	if err != nil {
		return nil, explain("create run "+info.Name, err)
	}
	w, err := s.found(ctx, &Run{Info: info, Dir: dir, store: s, known: &knownHistory{}}, run.Spec)
	if err != nil {
		// The directory is not a run yet. If removing it also fails, it remains without run.json, and all readers
		// ignore it.
		_ = disk.RemoveAll(s.opts.FS, dir)
		return nil, explain("create run "+info.Ref(), err)
	}
	if run.Newest != nil {
		if rival := s.rival(ctx, info, *run.Newest); rival != nil {
			return nil, errors.Join(rival, w.release(), disk.RemoveAll(s.opts.FS, dir))
		}
	}
	return w, nil
}

// rivalPatience is how long Create waits for another process to complete a run with a lower number.
const rivalPatience = 2 * time.Second

// rival returns a *LockedError for an equal run with a number after newest and before the number of a new run. Of
// several processes that create equal runs at the same time, the process with the lowest number finds none.
func (s *Store) rival(ctx context.Context, info Info, newest int) error {
	ctx, cancel := context.WithTimeout(ctx, rivalPatience)
	defer cancel()
	for number := newest + 1; number < info.Number; number++ {
		other := info
		other.Number = number
		dir := filepath.Join(s.root, other.Ref())
		run, err := s.openRun(dir)
		for errors.Is(err, errNoInfo) && ctx.Err() == nil {
			if _, gone := s.opts.FS.Lstat(dir); gone != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
			run, err = s.openRun(dir)
		}
		if err == nil && run.Info.Identity == info.Identity {
			return &LockedError{Ref: run.Ref(), Dir: dir, Owner: readOwner(s.opts.FS, dir), Alive: true}
		}
	}
	return nil
}

// MakeRoot creates the directory that contains the runs, and excludes it and its siblings from version control.
func (s *Store) MakeRoot() error {
	if err := s.makeRoot(); err != nil {
		return explain("create the folder of runs", err)
	}
	return nil
}

func (s *Store) makeRoot() error {
	if err := disk.MkdirAll(s.opts.FS, s.root, openMode); err != nil {
		return err
	}
	parent := filepath.Dir(s.root)
	if filepath.Base(parent) != ".awhost" {
		return nil
	}
	ignore := filepath.Join(parent, ".gitignore")
	if _, err := s.opts.FS.Lstat(ignore); err == nil {
		return nil
	}
	return disk.StageFile(s.opts.FS, ignore, []byte("*\n"))
}

// reserve reserves the next free number by creating its directory, which only one process can do.
func (s *Store) reserve(info *Info) (string, error) {
	for {
		number, err := s.highest(info.Name)
		if err != nil {
			return "", err
		}
		info.Number = number + 1
		dir := filepath.Join(s.root, info.Ref())
		err = s.opts.FS.Mkdir(dir, openMode)
		if !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

func (s *Store) highest(name string) (int, error) {
	entries, err := s.opts.FS.ReadDir(s.root)
	if err != nil {
		return 0, err
	}
	highest := 0
	for _, entry := range entries {
		if owner, number, ok := splitRef(entry.Name()); ok && owner == name {
			highest = max(highest, number)
		}
	}
	return highest, nil
}

// splitRef splits "quickstart-3" into the name and the number.
func splitRef(ref string) (name string, number int, ok bool) {
	cut := strings.LastIndexByte(ref, '-')
	if cut < 1 {
		return "", 0, false
	}
	number, err := strconv.Atoi(ref[cut+1:])
	return ref[:cut], number, err == nil && number > 0
}

// found populates a new run directory. It becomes a run when run.json is written, which happens last.
func (s *Store) found(ctx context.Context, run *Run, spec json.RawMessage) (*Writer, error) {
	lock, err := s.acquire(ctx, run.Dir)
	if err != nil {
		return nil, err
	}
	w, err := s.furnish(ctx, run, spec)
	if err != nil {
		return nil, errors.Join(err, closeLock(lock))
	}
	w.lock = lock
	return w, nil
}

func (s *Store) furnish(ctx context.Context, run *Run, spec json.RawMessage) (*Writer, error) {
	fsys := s.opts.FS
	for _, dir := range folders {
		if err := fsys.Mkdir(filepath.Join(run.Dir, dir.name), dir.mode); err != nil {
			return nil, err
		}
	}
	specJSON, err := encode(spec)
	if err != nil {
		return nil, err
	}
	if err := disk.StageFile(fsys, filepath.Join(run.Dir, specFile), specJSON); err != nil {
		return nil, err
	}
	j, _, err := journal.Open(run.JournalPath(), journal.Options{FS: fsys, Writer: s.program(), Index: indexed})
	if err != nil {
		return nil, err
	}
	w := newWriter(run, j)
	w.build = run.Info.Build
	if err := w.writeFirstRecord(ctx, specJSON); err != nil {
		return nil, errors.Join(err, w.release())
	}
	return w, nil
}

// writeFirstRecord turns the directory into a run. Its first record contains the hashes of run.json and the resolved
// spec.
func (w *Writer) writeFirstRecord(ctx context.Context, spec []byte) error {
	infoJSON, err := encode(w.Info)
	if err != nil {
		return err
	}
	w.files = []FileHash{hashOf(infoFile, infoJSON), hashOf(specFile, spec)}
	if err := w.begin(ctx, &history{}, 0); err != nil {
		return err
	}
	if err := disk.WriteFile(w.fs(), filepath.Join(w.Dir, infoFile), infoJSON); err != nil {
		return err
	}
	return w.fs().SyncDir(w.store.root)
}

// program returns this program's name for use in file headers.
func (s *Store) program() string {
	if s.opts.Version == "" {
		return ""
	}
	return "awhost " + s.opts.Version
}

func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// folderName returns a name that is valid in all file systems and shells.
func folderName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return '-'
	}, name)
	safe = strings.Trim(safe, "-.")
	if safe == "" {
		return "run"
	}
	return fmt.Sprintf("%.64s", safe)
}
