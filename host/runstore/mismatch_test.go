package runstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// Manifests on disk and commits on record are compared in both directions. Pruned ones are not missing.
func TestManifestsAreComparedWithTheJournal(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(d disk.FS, at func(step string) string) error
		fault Fault
		step  int
		says  []string
	}{
		"nothing": {spoil: func(disk.FS, func(string) string) error { return nil }},
		"another manifest": {
			spoil: func(d disk.FS, at func(string) string) error {
				path := filepath.Join(at("step-000003"), manifestFile)
				data, err := disk.ReadFile(d, path)
				if err != nil {
					return err
				}
				return disk.WriteFile(d, path, bytes.Replace(data, []byte("weights-3"), []byte("weights-7"), 1))
			},
			fault: FaultDamaged, step: 3,
			says: []string{
				"step-000003 of run quickstart-1 is not intact", "its digest is sha256:",
				"the commit record in the journal says sha256:", "restore ",
			},
		},
		"no manifest": {
			spoil: func(d disk.FS, at func(string) string) error {
				return d.Remove(filepath.Join(at("step-000003"), manifestFile))
			},
			fault: FaultMissing, step: 3,
			says: []string{
				"step-000003 of run quickstart-1 was committed and not pruned, and its manifest.json is missing", "restore ",
			},
		},
		"no folder": {
			spoil: func(d disk.FS, at func(string) string) error { return disk.RemoveAll(d, at("step-000004")) },
			fault: FaultMissing, step: 4,
			says: []string{"step-000004 of run quickstart-1 was committed and not pruned"},
		},
		"a journal without its end": {
			spoil: func(d disk.FS, at func(string) string) error { return cutJournal(d, at(""), 1) },
			fault: FaultCut, step: 4,
			says: []string{"the journal ends after ", "when the checkpoint of step 4 was made: its end is gone; restore /"},
		},
		"an empty journal": {
			spoil: func(d disk.FS, at func(string) string) error { return cutJournal(d, at(""), 0) },
			fault: FaultCut, step: 4,
			says: []string{"the journal ends after 0 bytes"},
		},
		"one that no commit knows": {
			spoil: func(d disk.FS, at func(string) string) error {
				data, err := disk.ReadFile(d, filepath.Join(at("step-000004"), manifestFile))
				if err != nil {
					return err
				}
				if err := d.Mkdir(at("step-000009"), 0o755); err != nil {
					return err
				}
				data = bytes.Replace(data, []byte(`"step": 4`), []byte(`"step": 9`), 1)
				return disk.WriteFile(d, filepath.Join(at("step-000009"), manifestFile), data)
			},
			fault: FaultUnknown, step: 9,
			says: []string{
				"step-000009 does not belong to run quickstart-1", "no commit record of the journal knows its manifest", "move ",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := emptyDisk(t)
			s := onDisk(d)
			if err := drive(t.Context(), s, func(int) {}); err != nil {
				t.Fatal(err)
			}
			run := newest(t, s)
			at := func(step string) string { return filepath.Join(run.Dir, checkpointsDir, step) }
			if err := test.spoil(d, at); err != nil {
				t.Fatal(err)
			}
			audit, err := run.Audit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			kept, err := run.Kept(t.Context(), true)
			if err != nil {
				t.Fatal(err)
			}
			var faulty []Kept
			for _, k := range kept {
				if k.Fault != "" {
					faulty = append(faulty, k)
				}
			}
			if test.fault == "" {
				if len(audit.Problems)+len(faulty) > 0 {
					t.Fatalf("of an untouched run: %q, %+v", audit.Problems, faulty)
				}
				return
			}
			if len(audit.Problems) != 1 || len(faulty) != 1 ||
				faulty[0].Fault != test.fault || faulty[0].Step != test.step {
				t.Fatalf("the audit says %q, the list %+v", audit.Problems, faulty)
			}
			for _, want := range test.says {
				if !strings.Contains(audit.Problems[0], want) || !strings.Contains(faulty[0].Problem, want) {
					t.Errorf("%q and %q lack %q", audit.Problems[0], faulty[0].Problem, want)
				}
			}
		})
	}
}

// cutJournal leaves the header of the journal and the given number of records, or nothing.
func cutJournal(d disk.FS, checkpoints string, records int) error {
	path := filepath.Join(filepath.Dir(checkpoints), journalFile)
	var size int64
	for record, err := range journal.Read(path, journal.ReadOptions{FS: d}) {
		if err != nil || records == 0 {
			return errors.Join(err, cutFile(d, path, 0))
		}
		if size, records = record.Next.Offset, records-1; records == 0 {
			break
		}
	}
	return cutFile(d, path, size)
}

func cutFile(d disk.FS, path string, size int64) error {
	file, err := d.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Truncate(size), file.Close())
}
