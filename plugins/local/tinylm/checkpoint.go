package tinylm

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The files in a checkpoint. The first three are a Hugging Face model directory. The others are safetensors files with
// the same layout. The caller stores its own state, such as a run's step and seeds, next to them.
const (
	configFile     = "config.json"
	generationFile = "generation_config.json"
	modelFile      = "model.safetensors"
	momentMFile    = "adam_m.safetensors"
	momentVFile    = "adam_v.safetensors"
	referenceFile  = "reference.safetensors" // only if a reference is frozen
)

// Keys in the metadata of the safetensors files.
const (
	formatKey  = "format"         // transformers refuses files without it
	versionKey = "policy_version" // of the last published snapshot
	stepKey    = "optimizer_step"
)

// Save writes the weights being trained, the optimizer's state and the frozen reference to dir, which it creates if
// necessary. Every file and the directory are synced. Files have mode 0644 and are replaced one at a time, so a caller
// that needs atomicity saves to a new directory and renames it. Call Publish first: a loaded policy samples from the
// weights that it continues to train.
func (p *Policy) Save(dir string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	files, err := p.files()
	if err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	if p.reference == nil { // written by an earlier Save into the same directory
		if err := os.Remove(filepath.Join(dir, referenceFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("save checkpoint: %w", err)
		}
	}
	for _, f := range files {
		if err := writeSynced(filepath.Join(dir, f.name), f.content); err != nil {
			return fmt.Errorf("save checkpoint: %w", err)
		}
	}
	if err := syncDir(dir); err != nil {
		return fmt.Errorf("save checkpoint: %w", err)
	}
	return nil
}

type checkpointFile struct {
	name    string
	content []byte
}

// files encodes the checkpoint, with the model last, because a directory without it is not a model.
func (p *Policy) files() ([]checkpointFile, error) {
	var files []checkpointFile
	add := func(name string, content []byte, err error) error {
		files = append(files, checkpointFile{name, content})
		return err
	}
	l := p.trained.layout
	tensors := func(name string, values []float32, metadata map[string]string) error {
		metadata[formatKey] = "pt"
		content, err := encodeSafetensors(l, values, metadata)
		return add(name, content, err)
	}
	step := strconv.Itoa(p.optimiser.step)
	shape, err1 := encodeJSON(newLlamaConfig(p.cfg))
	generation, err2 := encodeJSON(generationConfig{EosID: p.cfg.EndID, PadID: p.cfg.PadID, DoSample: true})
	errs := []error{
		add(configFile, shape, err1),
		add(generationFile, generation, err2),
		tensors(momentMFile, p.optimiser.m, map[string]string{stepKey: step}),
		tensors(momentVFile, p.optimiser.v, map[string]string{stepKey: step}),
	}
	if p.reference != nil {
		errs = append(errs, tensors(referenceFile, p.reference.weights, map[string]string{}))
	}
	version := strconv.FormatInt(p.Snapshot().Version, 10)
	errs = append(errs, tensors(modelFile, p.trained.weights, map[string]string{versionKey: version}))
	return files, errors.Join(errs...)
}

// writeSynced replaces a file by way of a temporary file in the same directory.
func writeSynced(path string, content []byte) (err error) {
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666) // subject to the umask
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Load restores a policy from a checkpoint written by Save: weights, moments, number of updates, reference and version.
// Further training produces the same bits as uninterrupted training. Errors name the file and the tensor.
func Load(dir string, o Options) (*Policy, error) {
	p, err := load(dir, o)
	if err != nil {
		return nil, fmt.Errorf("load checkpoint: %w", err)
	}
	return p, nil
}

// LoadModel creates a policy with the weights of a model directory that contains the files of ModelFiles. It has no
// training state. Errors name the file and the tensor.
func LoadModel(dir string, o Options) (*Policy, error) {
	err := o.Optimizer.Validate()
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	m, _, err := loadModel(dir)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	return newPolicy(m, 0, o), nil
}

// loadModel returns the weights in a directory, and the metadata of their file.
func loadModel(dir string) (*model, map[string]string, error) {
	c, err := readConfig(dir)
	if err != nil {
		return nil, nil, err
	}
	// The size on disk limits the allocation if config.json is invalid.
	info, err := os.Stat(filepath.Join(dir, modelFile))
	if err != nil {
		return nil, nil, err
	}
	if float64(info.Size()) < 4*c.weights() {
		return nil, nil, fmt.Errorf("read %s: it is truncated: %d bytes, the model in %s takes %.0f",
			filepath.Join(dir, modelFile), info.Size(), configFile, 4*c.weights())
	}
	m := emptyModel(c)
	metadata, err := readSafetensors(filepath.Join(dir, modelFile), m.layout, m.weights)
	return m, metadata, err
}

func load(dir string, o Options) (*Policy, error) {
	if err := o.Optimizer.Validate(); err != nil {
		return nil, err
	}
	m, metadata, err := loadModel(dir)
	if err != nil {
		return nil, err
	}
	version, err := metadataInt(metadata, versionKey, filepath.Join(dir, modelFile))
	if err != nil {
		return nil, err
	}
	p := newPolicy(m, version, o)
	if err := p.loadOptimiser(dir); err != nil {
		return nil, err
	}
	return p, p.loadReference(dir)
}

func (p *Policy) loadOptimiser(dir string) error {
	var steps [2]int64
	for i, f := range []struct {
		name   string
		values []float32
	}{{momentMFile, p.optimiser.m}, {momentVFile, p.optimiser.v}} {
		metadata, err := readSafetensors(filepath.Join(dir, f.name), p.trained.layout, f.values)
		if err != nil {
			return err
		}
		if steps[i], err = metadataInt(metadata, stepKey, filepath.Join(dir, f.name)); err != nil {
			return err
		}
	}
	if steps[0] != steps[1] {
		return fmt.Errorf("%s is from optimizer step %d and %s from step %d: they do not match", momentMFile,
			steps[0], momentVFile, steps[1])
	}
	p.optimiser.step = int(steps[0])
	return nil
}

func (p *Policy) loadReference(dir string) error {
	reference := emptyModel(p.cfg)
	_, err := readSafetensors(filepath.Join(dir, referenceFile), reference.layout, reference.weights)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		p.reference = reference
	}
	return err
}

func metadataInt(metadata map[string]string, key, path string) (int64, error) {
	n, err := strconv.ParseInt(metadata[key], 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("read %s: invalid metadata %s = %q: a number of at least 0 is required; check that "+
			"awhost wrote the file", path, key, metadata[key])
	}
	return n, nil
}

// Digest identifies the training state by a SHA-256 hash, in hex, over the tensors sorted by name (name, shape and
// bytes), the optimizer's moments and step, and the reference if one is frozen.
func (p *Policy) Digest() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash := sha256.New()
	l := p.trained.layout
	hashTensors(hash, "model/", l, p.trained.weights)
	hashTensors(hash, "adam_m/", l, p.optimiser.m)
	hashTensors(hash, "adam_v/", l, p.optimiser.v)
	if p.reference != nil {
		hashTensors(hash, "reference/", l, p.reference.weights)
	}
	fmt.Fprintf(hash, "step %d\n", p.optimiser.step)
	return hex.EncodeToString(hash.Sum(nil))
}

func hashTensors(to io.Writer, prefix string, l *layout, values []float32) {
	sorted := slices.SortedFunc(slices.Values(l.tensors), func(a, b tensor) int { return strings.Compare(a.name, b.name) })
	for _, t := range sorted {
		fmt.Fprintf(to, "%s%s %v\n", prefix, t.name, t.shape())
		to.Write(appendFloats(nil, values[t.offset:t.offset+t.size()]))
	}
}
