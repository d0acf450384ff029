package tokenizer

import (
	"encoding/json"
	"testing"
)

// TestHuggingFaceVocabulary parses tokenizer.json: every id must have one name, and control tokens must be marked as
// such.
func TestHuggingFaceVocabulary(t *testing.T) {
	files, err := HuggingFaceFiles()
	if err != nil {
		t.Fatal(err)
	}
	var file hfTokenizer
	if err := json.Unmarshal(files["tokenizer.json"], &file); err != nil {
		t.Fatal(err)
	}
	seen := map[int32]string{}
	for name, id := range file.Model.Vocab {
		seen[id] = name
	}
	if len(seen) != vocab {
		t.Errorf("%d of %d ids have a name", len(seen), vocab)
	}
	for _, added := range file.AddedTokens {
		if seen[added.ID] != added.Content || !isControl(added.ID) {
			t.Errorf("id %d is %q in the vocabulary and %q as added token", added.ID, seen[added.ID], added.Content)
		}
	}
	// In GPT-2's table a space is U+0120, a newline U+010A, DEL U+0121, no-break space U+0142, soft hyphen U+0143.
	for b, want := range map[int32]string{'A': "A", ' ': "Ġ", '\n': "Ċ", 0x7F: "ġ", 0xA0: "ł", 0xAD: "Ń", 0xE9: "é"} {
		if seen[b] != want {
			t.Errorf("byte %#x is named %q, want %q", b, seen[b], want)
		}
	}
	if len(files["chat_template.jinja"]) == 0 || !json.Valid(files["tokenizer_config.json"]) {
		t.Error("the chat template or the configuration is missing")
	}
}
