package tinylm

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestResumeIsExact compares uninterrupted training with training from a checkpoint: digest, version and answers must
// be equal.
func TestResumeIsExact(t *testing.T) {
	straight := newTestPolicy(t, smallConfig(), 1)
	trainSome(t, straight, 0, 5)

	interrupted := newTestPolicy(t, smallConfig(), 1)
	trainSome(t, interrupted, 0, 2)
	dir := filepath.Join(t.TempDir(), "step-2")
	if err := interrupted.Save(dir); err != nil {
		t.Fatal(err)
	}
	resumed, err := Load(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if resumed.Digest() != interrupted.Digest() {
		t.Error("the loaded policy has another digest than the saved one")
	}
	if got, want := resumed.Snapshot().Version, interrupted.Snapshot().Version; got != want {
		t.Errorf("the loaded version is %d, want %d", got, want)
	}
	trainSome(t, resumed, 2, 3)
	if resumed.Digest() != straight.Digest() {
		t.Error("training on from the checkpoint differs from training straight through")
	}
	if got, want := resumed.Snapshot().Version, straight.Snapshot().Version; got != want {
		t.Errorf("the resumed version is %d, want %d", got, want)
	}
}

// TestDigestSeesEverything changes one thing at a time.
func TestDigestSeesEverything(t *testing.T) {
	digests := map[string]string{}
	for name, change := range map[string]func(*Policy){
		"nothing":      func(*Policy) {},
		"a weight":     func(p *Policy) { p.trained.weights[7] += 1e-6 },
		"a moment m":   func(p *Policy) { p.optimiser.m[7] += 1e-6 },
		"a moment v":   func(p *Policy) { p.optimiser.v[7] += 1e-6 },
		"the step":     func(p *Policy) { p.optimiser.step++ },
		"a reference":  func(p *Policy) { p.FreezeReference() },
		"another seed": func(p *Policy) { p.trained = newModel(p.cfg, 2) },
	} {
		p := newTestPolicy(t, smallConfig(), 1)
		change(p)
		if other, ok := digests[p.Digest()]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		digests[p.Digest()] = name
	}
}

func TestSaveReplacesAnEarlierCheckpoint(t *testing.T) {
	dir := t.TempDir()
	with := newTestPolicy(t, smallConfig(), 1)
	with.FreezeReference()
	without := newTestPolicy(t, smallConfig(), 2)
	for _, p := range []*Policy{with, without} {
		if err := p.Save(dir); err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Digest() != p.Digest() {
			t.Error("the loaded policy is not the one saved last")
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o644 {
			t.Errorf("%s has mode %v, want 0644", e.Name(), info.Mode())
		}
		names = append(names, e.Name())
	}
	want := []string{"adam_m.safetensors", "adam_v.safetensors", "config.json", "generation_config.json",
		"model.safetensors"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestModelFileIsSafetensors parses the file by its specification, without the package's reader.
func TestModelFileIsSafetensors(t *testing.T) {
	p := newTestPolicy(t, Tiny(), 1)
	dir := t.TempDir()
	if err := p.Save(dir); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	length := int(binary.LittleEndian.Uint64(file))
	if (8+length)%8 != 0 || file[8] != '{' {
		t.Errorf("the data starts at byte %d and the header with %q", 8+length, file[8])
	}
	var header map[string]struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
		Format  string `json:"format"`
	}
	if err := json.Unmarshal(file[8:8+length], &header); err != nil {
		t.Fatal(err)
	}
	if header["__metadata__"].Format != "pt" {
		t.Error("the metadata lacks format = pt, transformers refuses such files")
	}
	delete(header, "__metadata__")
	var ends []int
	weights := 0
	for name, tensor := range header {
		size := 1
		for _, n := range tensor.Shape {
			size *= n
		}
		weights += size
		if tensor.DType != "F32" || tensor.Offsets[1]-tensor.Offsets[0] != 4*size {
			t.Errorf("%s: %+v", name, tensor)
		}
		ends = append(ends, tensor.Offsets[1])
	}
	if weights != p.Weights() || len(file)-8-length != 4*weights || slices.Max(ends) != 4*weights {
		t.Errorf("%d weights in %d bytes of data, want %d weights", weights, len(file)-8-length, p.Weights())
	}
	name := "model.layers.1.mlp.down_proj.weight"
	first := math.Float32frombits(binary.LittleEndian.Uint32(file[8+length+header[name].Offsets[0]:]))
	if diff := cmp.Diff([]int{64, 172}, header[name].Shape); diff != "" ||
		first != p.trained.weights[p.trained.layout.layers[1].down] {
		t.Errorf("%s starts with %v and has shape (-want +got):\n%s", name, first, diff)
	}
}

// edit rewrites a file of a checkpoint.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replace replaces a text in a file with another of the same length.
func replace(old, new string) func([]byte) []byte {
	return func(content []byte) []byte {
		if len(old) != len(new) || !bytes.Contains(content, []byte(old)) {
			panic(fmt.Sprintf("cannot replace %q by %q", old, new))
		}
		return bytes.Replace(content, []byte(old), []byte(new), 1)
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	const model, m, config = "model.safetensors", "adam_m.safetensors", "config.json"
	tests := map[string]struct {
		file   string
		change func([]byte) []byte
		want   []string
	}{
		"truncated model": {model, func(b []byte) []byte { return b[:len(b)-400] }, []string{model, "truncated"}},
		"truncated moments": {m, func(b []byte) []byte { return b[:len(b)-8] },
			[]string{m, "tensor model.norm.weight", "truncated"}},
		"empty moments": {m, func(b []byte) []byte { return nil }, []string{m, "truncated: 0 bytes"}},
		"header beyond the file": {m, func(b []byte) []byte { return append([]byte{255, 255, 255, 0, 0, 0, 0, 0}, b[8:]...) },
			[]string{m, "the header claims 16777215 bytes"}},
		"huge header": {m, func(b []byte) []byte { return append(bytes.Repeat([]byte{255}, 8), b[8:]...) },
			[]string{m, "the header claims 18446744073709551615 bytes"}},
		"header is not JSON": {m, func(b []byte) []byte { b[8] = '['; return b }, []string{m,
			"header is not JSON"}},
		"wrong type": {model, replace(`"dtype":"F32","shape":[12,16]`, `"dtype":"F16","shape":[12,16]`),
			[]string{model, "tensor model.embed_tokens.weight", "F16"}},
		"wrong shape": {model, replace(`"shape":[16,24]`, `"shape":[24,16]`),
			[]string{model, "mlp.down_proj.weight", "[24 16]", "[16 24]"}},
		"missing tensor": {model, replace("model.norm.weight", "model.norm.weighs"),
			[]string{model, "tensor model.norm.weight is missing"}},
		"offsets beyond": {model, replace(`"data_offsets":[0,768]`, `"data_offsets":[9,768]`),
			[]string{model, "model.embed_tokens.weight", "do not fit"}},
		"shared bytes": {model, replace(`"data_offsets":[768,832]`, `"data_offsets":[704,768]`),
			[]string{model, "starts at byte 704"}},
		"left-over bytes": {model, func(b []byte) []byte { return append(b, 0, 0, 0, 0) },
			[]string{model, "its tensors take"}},
		"NaN": {model, func(b []byte) []byte { copy(b[len(b)-4:], []byte{0, 0, 0xC0, 0x7F}); return b },
			[]string{model, "tensor model.norm.weight", "element 15 is NaN"}},
		"no version": {model, replace("policy_version", "policy_perfume"), []string{model, "policy_version"}},
		"moments of another step": {m, replace(`"optimizer_step":"0"`, `"optimizer_step":"7"`),
			[]string{"step 7", "step 0", "they do not match"}},
		"config is not JSON": {config, func(b []byte) []byte { return b[:20] }, []string{config,
			"unexpected end"}},
		"another architecture": {config, replace(`"llama"`, `"qwen2"`), []string{config, `"qwen2"`}},
		"untied embeddings": {config, replace(`"tie_word_embeddings": true`, `"tie_word_embeddings":false`),
			[]string{config, "tied embeddings"}},
		"absurd size": {config, replace(`"hidden_size": 16`, `"hidden_size":1e6`), []string{config}},
		"larger than the file": {config, replace(`"num_hidden_layers": 2`, `"num_hidden_layers": 9`),
			[]string{model, "truncated"}},
		"grouped heads": {config, replace(`"num_key_value_heads": 2`, `"num_key_value_heads": 1`),
			[]string{config, "key and value head"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := newTestPolicy(t, smallConfig(), 1).Save(dir); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(dir, test.file), test.change)
			_, err := Load(dir, Options{})
			if err == nil {
				t.Fatal("loaded without an error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got error %v, want %q in it", err, want)
				}
			}
		})
	}
	for _, file := range []string{config, model, m} {
		dir := t.TempDir()
		if err := newTestPolicy(t, smallConfig(), 1).Save(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir, Options{}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("without %s: error %v", file, err)
		}
	}
}

// FuzzDecodeSafetensors reads arbitrary bytes: the result must be an error or the tensors, never a panic or a huge
// allocation.
func FuzzDecodeSafetensors(f *testing.F) {
	l := newLayout(Config{Vocab: 4, Dim: 4, Layers: 1, Heads: 2, FFN: 4, MaxLen: 4})
	good, err := encodeSafetensors(l, make([]float32, l.size), map[string]string{"format": "pt"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, file []byte) {
		values := make([]float32, l.size)
		metadata, err := decodeSafetensors(file, l, values)
		if err != nil {
			return
		}
		again, err := encodeSafetensors(l, values, metadata)
		if err != nil {
			t.Fatal(err)
		}
		twice := make([]float32, l.size)
		if _, err := decodeSafetensors(again, l, twice); err != nil || !slices.Equal(values, twice) {
			t.Errorf("written and read again: error %v", err)
		}
	})
}
