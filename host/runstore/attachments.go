package runstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// mostAttachmentsBytes limits the total size of attachment files, because the images from a long run could fill any
// disk.
const mostAttachmentsBytes int64 = 4 << 30

// attachments holds the images, sounds, and files contained in environment responses. Each is stored in a file named
// after the SHA-256 of its content, so content that occurs in many episodes is stored only once.
type attachments struct {
	mu    sync.Mutex
	most  int64 // bytes of all files; 0: mostAttachmentsBytes
	bytes int64 // of the existing files; full: the limit was reached and reported
	known bool  // bytes was counted
}

const full = -1

// keepAttachments stores the data of a transcript's attachments in files and replaces the data with the file names.
// Short or readable data, such as JSON and text, remains in the record. The given transcript is not modified.
func (w *Writer) keepAttachments(ctx context.Context, parts []TranscriptPart) ([]TranscriptPart, error) {
	var out []TranscriptPart
	for i, part := range parts {
		if sdk.AttachmentBytes(part.Messages) == 0 {
			continue
		}
		if out == nil {
			out = slices.Clone(parts)
		}
		messages := slices.Clone(part.Messages)
		for j := range messages {
			kept := slices.Clone(messages[j].Attachments)
			for k := range kept {
				if err := w.keepAttachment(ctx, &kept[k]); err != nil {
					return nil, err
				}
			}
			messages[j].Attachments = kept
		}
		out[i].Messages = messages
	}
	if out == nil {
		return parts, nil
	}
	return out, nil
}

func (w *Writer) keepAttachment(ctx context.Context, a *sdk.Attachment) error {
	data := a.Data
	if data == nil {
		return nil
	}
	*a = a.WithoutBody()
	name := filepath.Join(attachmentsDir, a.SHA256)
	kept, err := w.keepFile(ctx, name, data)
	if kept {
		a.File = name
	}
	return err
}

// keepFile writes a file that does not exist yet. It reports whether the file now exists.
func (w *Writer) keepFile(ctx context.Context, name string, data []byte) (kept bool, err error) {
	all := &w.attachments
	all.mu.Lock()
	defer all.mu.Unlock()
	path, folder := filepath.Join(w.Dir, name), filepath.Join(w.Dir, attachmentsDir)
	if info, err := w.fs().Lstat(path); err == nil && info.Size() == int64(len(data)) { // otherwise a crash truncated it
		return true, nil
	}
	if !all.known {
		if err := disk.MkdirAll(w.fs(), folder, ownerfile.Folder); err != nil {
			return false, err
		}
		if all.bytes, err = w.measure(folder, 1); err != nil {
			return false, err
		}
		all.known = true
	}
	most := all.most
	if most == 0 {
		most = mostAttachmentsBytes
	}
	if all.bytes == full {
		return false, nil
	}
	if all.bytes+int64(len(data)) > most {
		all.bytes = full
		return false, w.write(ctx, TypeEvent, EventRecord{Kind: "attachments_full", Level: "warn", Message: fmt.Sprintf(
			"the pictures and files in %s have %d bytes: from now on the run keeps digests of them", folder, most)})
	}
	if err := w.replaceFile(path, data); err != nil {
		return false, err
	}
	all.bytes += int64(len(data))
	return true, nil
}

// replaceFile writes a private file so that a crash leaves either the complete file or nothing. It is durable when the
// call returns, so no record names a missing file.
func (w *Writer) replaceFile(path string, data []byte) error {
	file, err := w.fs().OpenFile(path+stagedSuffix, os.O_RDWR|os.O_CREATE|os.O_TRUNC, ownerfile.File)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(data, 0)
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := w.fs().Rename(path+stagedSuffix, path); err != nil {
		return err
	}
	return w.fs().SyncDir(filepath.Dir(path))
}
