package tensorboard

import (
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/awhost/awhost/host/journal/disk"
)

// Done returns the last step in the event files of a directory, or 0 without files. All earlier steps are complete;
// this step may be incomplete. Records truncated by a kill do not count.
func Done(fsys disk.FS, dir string) (int, error) {
	files, err := eventFiles(fsys, dir)
	if err != nil {
		return 0, err
	}
	for i := len(files) - 1; i >= 0; i-- {
		step, ok, err := lastStep(fsys, filepath.Join(dir, files[i]))
		if err != nil || ok {
			return step, err
		}
	}
	return 0, nil
}

// lastStep returns the last step in a file: of a point, or of a session start, before which all points are in earlier
// files.
func lastStep(fsys disk.FS, path string) (step int, ok bool, err error) {
	file, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return 0, false, err
	}
	defer file.Close()
	err = eachRecord(file, func(event []byte) {
		if at, counts := stepOf(event); counts {
			step, ok = at, true
		}
	})
	return step, ok, err
}

// stepOf returns an event's step. counts is false unless the event is a point or starts a session: hyperparameters have
// no step.
func stepOf(event []byte) (step int, counts bool) {
	eachField(event, func(field protowire.Number, number uint64, content []byte) {
		switch field {
		case eventStep:
			step = int(number)
		case eventSessionLog:
			counts = true
		case eventSummary:
			counts = counts || !describes(content)
		}
	})
	return step, counts
}

// describes reports whether a summary belongs to the hyperparameter plugin.
func describes(summary []byte) (yes bool) {
	eachField(summary, func(_ protowire.Number, _ uint64, value []byte) {
		eachField(value, func(field protowire.Number, _ uint64, content []byte) {
			if field == valueTag {
				tag := string(content)
				yes = yes || tag == tagExperiment || tag == tagSessionStart || tag == tagSessionEnd
			}
		})
	})
	return yes
}

// eachField calls visit with a message's number and byte fields, up to the first damaged one.
func eachField(message []byte, visit func(field protowire.Number, number uint64, content []byte)) {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return
		}
		message = message[n:]
		var number uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			number, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			content, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		if n < 0 {
			return
		}
		visit(field, number, content)
		message = message[n:]
	}
}
