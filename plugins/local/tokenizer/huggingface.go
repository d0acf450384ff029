package tokenizer

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

// chatTemplate renders a conversation in the same way as Encode, in Jinja.
//
//go:embed chat_template.jinja
var chatTemplate []byte

// HuggingFaceFiles returns the files, by name, that make it possible to load a checkpoint directory with transformers'
// AutoTokenizer, with the same IDs and chat format. One guarantee is lost: transformers recognizes control tokens in
// any text, so a user can forge them.
func HuggingFaceFiles() (map[string][]byte, error) {
	tokenizer, err := encodeFile(newHFTokenizer())
	if err != nil {
		return nil, err
	}
	config, err := encodeFile(map[string]any{
		"tokenizer_class":              "PreTrainedTokenizerFast",
		"eos_token":                    controlText[End],
		"pad_token":                    controlText[Pad],
		"clean_up_tokenization_spaces": false,
	})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{"tokenizer.json": tokenizer, "tokenizer_config.json": config,
		"chat_template.jinja": chatTemplate}, nil
}

func encodeFile(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// hfTokenizer is the tokenizer.json used by the tokenizers library: byte-level BPE without merges.
type hfTokenizer struct {
	Version      string         `json:"version"`
	Truncation   any            `json:"truncation"`
	Padding      any            `json:"padding"`
	AddedTokens  []hfAddedToken `json:"added_tokens"`
	Normalizer   any            `json:"normalizer"`
	PreTokenizer hfByteLevel    `json:"pre_tokenizer"`
	Post         any            `json:"post_processor"`
	Decoder      hfByteLevel    `json:"decoder"`
	Model        hfModel        `json:"model"`
}

type hfAddedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"` // omitted from decoded text on request; markers stay
}

type hfByteLevel struct {
	Type           string `json:"type"`
	AddPrefixSpace bool   `json:"add_prefix_space"`
	TrimOffsets    bool   `json:"trim_offsets"`
	UseRegex       bool   `json:"use_regex"`
}

type hfModel struct {
	Type         string           `json:"type"`
	Dropout      any              `json:"dropout"`
	UnknownToken any              `json:"unk_token"`
	Prefix       any              `json:"continuing_subword_prefix"`
	Suffix       any              `json:"end_of_word_suffix"`
	FuseUnknown  bool             `json:"fuse_unk"`
	ByteFallback bool             `json:"byte_fallback"`
	IgnoreMerges bool             `json:"ignore_merges"`
	Vocab        map[string]int32 `json:"vocab"`
	Merges       []string         `json:"merges"`
}

func newHFTokenizer() hfTokenizer {
	bytesOnly := hfByteLevel{Type: "ByteLevel"}
	t := hfTokenizer{
		Version: "1.0", PreTokenizer: bytesOnly, Decoder: bytesOnly,
		Model: hfModel{Type: "BPE", Vocab: map[string]int32{}, Merges: []string{}},
	}
	for id, name := range byteNames() {
		if isControl(int32(id)) {
			name = controlText[id]
		}
		t.Model.Vocab[name] = int32(id)
	}
	for _, c := range control {
		t.AddedTokens = append(t.AddedTokens, hfAddedToken{ID: c.id, Content: c.text, Special: !c.marker})
	}
	return t
}

// byteNames returns the printable characters that byte-level tokenizers use for bytes: printable Latin-1 characters
// represent themselves, and characters from U+0100 onward, in order, represent all others (GPT-2's bytes_to_unicode).
func byteNames() (names [vocab]string) {
	next := rune(0x100)
	for b := range rune(vocab) {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			names[b] = string(b)
			continue
		}
		names[b] = string(next)
		next++
	}
	return names
}
