package areal

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// folder is where a launch keeps its files, on a file system that all machines of the job see.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name) }
func (f folder) config() string          { return f.path("areal.yaml") }
func (f folder) launch() string          { return f.path("launch.json") }
func (f folder) adminKey() string        { return f.path("admin.key") }
func (f folder) log() string             { return f.path("areal.log") }
func (f folder) shim() string            { return f.path("python") }
func (f folder) scripts() string         { return f.path("scripts") }
func (f folder) standin() string         { return f.path("standin") }

// areal is AReaL's own place: weights on their way, checkpoints, names, logs.
func (f folder) areal(shared string) string {
	if shared != "" {
		return filepath.Join(shared, filepath.Base(string(f)))
	}
	return f.path("areal")
}

func (f folder) checkpoints(given string) string {
	if given != "" {
		return given
	}
	return f.path("checkpoints")
}

// trialName is AReaL's name of a launch: it allows letters and digits.
func trialName(launch string) string {
	sum := sha256.Sum256([]byte(launch))
	return "t" + hex.EncodeToString(sum[:6])
}
