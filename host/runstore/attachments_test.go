package runstore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk"
)

// pictures returns a transcript in which a tool answers with data.
func pictures(data ...string) []TranscriptPart {
	var m sdk.Message
	for _, d := range data {
		image := sdk.Attachment{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: []byte(d)}
		m.Attachments = append(m.Attachments, image)
	}
	m.Attachments = append(m.Attachments, sdk.Attachment{Kind: sdk.AttachmentStructured, JSON: []byte(`{"a":1}`)})
	return []TranscriptPart{{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "look"}, m}}}
}

// onRecord returns the recorded form of an attachment with data.
func onRecord(data string, kept bool) sdk.Attachment {
	sum := sha256.Sum256([]byte(data))
	a := sdk.Attachment{
		Kind: sdk.AttachmentImage, MIMEType: "image/png", SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data)),
	}
	if kept {
		a.File = "attachments/" + a.SHA256
	}
	return a
}

func appendPictures(t *testing.T, w *Writer, id string, parts []TranscriptPart) error {
	t.Helper()
	_, err := w.AppendEpisode(t.Context(), EpisodeRecord{
		EpisodeID: id, LaunchID: "l", Outcome: sdk.OutcomeScored, Transcripts: parts,
		Slot: Slot{Stage: "full", Split: sdk.SplitTrain, Step: 1, Group: "g"},
	})
	return err
}

// onRecordOf returns the recorded attachments of an episode.
func onRecordOf(t *testing.T, r *Run, id string) []sdk.Attachment {
	t.Helper()
	episode, err := r.Episode(t.Context(), id)
	if err != nil || episode == nil {
		t.Fatalf("episode %s: %v", id, err)
	}
	return episode.Transcripts[0].Messages[1].Attachments
}

// The data of attachments go into files, each content once, up to a limit over all writers. JSON stays in the record.
func TestAppendEpisode_KeepsAttachments(t *testing.T) {
	s := realStore(t)
	w := create(t, s)
	w.attachments.most = 10
	structured := sdk.Attachment{Kind: sdk.AttachmentStructured, JSON: []byte(`{"a":1}`)}
	given := pictures("1234", "12")
	if err := appendPictures(t, w, "e1", given); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pictures("1234", "12"), given); diff != "" {
		t.Errorf("the transcript that was given has changed: %s", diff)
	}
	if err := appendPictures(t, w, "e2", pictures("1234", "567", "89abc", "d")); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]sdk.Attachment{
		"e1": {onRecord("1234", true), onRecord("12", true), structured},
		"e2": {
			onRecord("1234", true), onRecord("567", true), onRecord("89abc", false), onRecord("d", false), structured,
		},
	} {
		got := onRecordOf(t, w.Run, id)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
		for _, a := range got {
			if a.File == "" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(w.Dir, a.File))
			if err != nil || int64(len(text)) != a.Size {
				t.Errorf("%s: %q, %v", a.File, text, err)
			}
		}
	}
	warnings := 0
	for record, err := range w.Records(journal.Position{}, TypeEvent) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(record.Data), `"attachments_full"`) {
			warnings++
		}
	}
	if warnings != 1 {
		t.Errorf("%d warnings about the full store, want 1", warnings)
	}

	// The next writer counts the existing files, and repairs files that a crash truncated.
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(w.Dir, onRecord("567", true).File)
	if err := os.Truncate(cut, 0); err != nil {
		t.Fatal(err)
	}
	w, err := s.Resume(t.Context(), "quickstart-1", ResumeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.attachments.most = 10
	if err := appendPictures(t, w, "e3", pictures("567", "ef")); err != nil {
		t.Fatal(err)
	}
	want := []sdk.Attachment{onRecord("567", true), onRecord("ef", false), structured}
	if diff := cmp.Diff(want, onRecordOf(t, w.Run, "e3")); diff != "" {
		t.Error(diff)
	}
	if text, err := os.ReadFile(cut); string(text) != "567" || err != nil {
		t.Errorf("the file that was cut: %q, %v", text, err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
}

// A disk error for a file stops the run like a disk error for a record.
func TestAppendEpisode_StopsWhereAttachmentsCannotBeKept(t *testing.T) {
	full := false
	s := onDisk(disk.Hooked(emptyDisk(t), func(op disk.Op) error {
		if full && op.Name == disk.OpWrite && strings.Contains(op.Path, attachmentsDir) {
			return syscall.ENOSPC
		}
		return nil
	}))
	w := create(t, s)
	full = true
	var stopped *StoppedError
	if err := appendPictures(t, w, "e1", pictures("1")); !errors.As(err, &stopped) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	full = false
	if err := appendPictures(t, w, "e1", pictures("1")); err != nil {
		t.Errorf("with room: %v", err)
	}
	if err := w.release(); err != nil {
		t.Fatal(err)
	}
}
