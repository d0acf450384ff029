package tinylm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// llamaConfig is the config.json that transformers uses for LlamaForCausalLM. Version 4 reads the base of the rotary
// frequencies from rope_theta, and version 5 from rope_parameters. The same applies to torch_dtype and dtype.
type llamaConfig struct {
	Architectures    []string       `json:"architectures"`
	ModelType        string         `json:"model_type"`
	VocabSize        int            `json:"vocab_size"`
	HiddenSize       int            `json:"hidden_size"`
	IntermediateSize int            `json:"intermediate_size"`
	Layers           int            `json:"num_hidden_layers"`
	Heads            int            `json:"num_attention_heads"`
	KVHeads          int            `json:"num_key_value_heads"`
	HeadDim          int            `json:"head_dim"`
	MaxLen           int            `json:"max_position_embeddings"`
	RopeTheta        float64        `json:"rope_theta"`
	RopeParameters   ropeParameters `json:"rope_parameters"`
	NormEps          float64        `json:"rms_norm_eps"`
	TieEmbeddings    bool           `json:"tie_word_embeddings"`
	Activation       string         `json:"hidden_act"`
	AttentionBias    bool           `json:"attention_bias"`
	MLPBias          bool           `json:"mlp_bias"`
	TorchDType       string         `json:"torch_dtype"`
	DType            string         `json:"dtype"`
	BosID            *int32         `json:"bos_token_id"`
	EosID            int32          `json:"eos_token_id"`
	PadID            int32          `json:"pad_token_id"`
}

type ropeParameters struct {
	Type  string  `json:"rope_type"`
	Theta float64 `json:"rope_theta"`
}

func newLlamaConfig(c Config) llamaConfig {
	return llamaConfig{
		Architectures: []string{"LlamaForCausalLM"}, ModelType: "llama",
		VocabSize: c.Vocab, HiddenSize: c.Dim, IntermediateSize: c.FFN, Layers: c.Layers,
		Heads: c.Heads, KVHeads: c.Heads, HeadDim: c.headDim(), MaxLen: c.MaxLen,
		RopeTheta: c.RopeTheta, RopeParameters: ropeParameters{Type: "default", Theta: c.RopeTheta}, NormEps: c.NormEps,
		TieEmbeddings: true, Activation: "silu", TorchDType: "float32", DType: "float32",
		EosID: c.EndID, PadID: c.PadID,
	}
}

// config returns the shape, or an error if this package does not support the decoder.
func (l llamaConfig) config() (Config, error) {
	c := Config{
		Vocab: l.VocabSize, Dim: l.HiddenSize, Layers: l.Layers, Heads: l.Heads, FFN: l.IntermediateSize, MaxLen: l.MaxLen,
		RopeTheta: l.RopeTheta, NormEps: l.NormEps, EndID: l.EosID, PadID: l.PadID,
	}
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	switch {
	case l.ModelType != "llama" || l.Activation != "silu":
		return Config{}, fmt.Errorf("model_type is %q with activation %q; only llama with silu is "+
			"supported", l.ModelType,
			l.Activation)
	case !l.TieEmbeddings || l.AttentionBias || l.MLPBias:
		return Config{}, errors.New("only models with tied embeddings and without biases are supported")
	case l.KVHeads != l.Heads || l.HeadDim != c.headDim():
		return Config{}, errors.New("only models with one key and value head per query head, of width hidden_size/num_attention_heads, are supported")
	case l.RopeParameters != ropeParameters{Type: "default", Theta: l.RopeTheta}:
		return Config{}, errors.New("only plain rotary positions, with the same base in rope_theta and rope_parameters, are supported")
	}
	return c, nil
}

// generationConfig is generation_config.json. It causes generate() to stop at the end of a turn.
type generationConfig struct {
	EosID    int32 `json:"eos_token_id"`
	PadID    int32 `json:"pad_token_id"`
	DoSample bool  `json:"do_sample"`
}

func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// readConfig reads a checkpoint's config.json.
func readConfig(dir string) (Config, error) {
	path := filepath.Join(dir, configFile)
	file, err := os.Open(path)
	if err != nil {
		return Config{}, fmt.Errorf("read model shape: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err != nil {
		return Config{}, fmt.Errorf("read model shape: %w", err)
	}
	var l llamaConfig
	if err := json.Unmarshal(text, &l); err != nil {
		return Config{}, fmt.Errorf("read %s: %w", path, err)
	}
	c, err := l.config()
	if err != nil {
		return Config{}, fmt.Errorf("read %s: %w", path, err)
	}
	return c, nil
}
