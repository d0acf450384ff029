package python

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Model is what awhost looks at in the config.json of a policy, as transformers writes it.
type Model struct {
	Type    string // "qwen2"
	Context int    // tokens; 0: it does not say
	Tied    bool   // the embeddings of input and output are one tensor
}

// ErrNotHere says of a policy that it is no folder of this machine: a name of the hub, or of another store.
var ErrNotHere = errors.New("not a folder of this machine")

// hubName is a name that the hub takes (huggingface_hub, validate_repo_id).
var hubName = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)?$`)

// ReadModel looks at the policy that a spec names. The error says what is wrong with a path; it is ErrNotHere where nothing can be
// said before a trainer looks for the policy. A path is what begins with /, . or ~, what is there, and what the hub cannot have.
func ReadModel(policy string) (Model, error) {
	info, err := os.Stat(policy)
	switch {
	case strings.HasPrefix(policy, "~"):
		return Model{}, fmt.Errorf("%s: nobody replaces the ~ of a model's path; write the whole path", policy)
	case err == nil && !info.IsDir():
		return Model{}, fmt.Errorf("%s is a file; give the folder of a model in the layout of Hugging Face", policy)
	case err == nil:
		return readConfig(filepath.Join(policy, "config.json"))
	case strings.Contains(policy, "://"), hubName.MatchString(policy) && !strings.HasPrefix(policy, "."):
		return Model{}, ErrNotHere
	case errors.Is(err, os.ErrNotExist):
		return Model{}, fmt.Errorf("%s is not there; give the folder of a model in the layout of Hugging Face, or a name of the hub like Qwen/Qwen2.5-0.5B", policy)
	}
	return Model{}, err
}

func readConfig(path string) (Model, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Model{}, fmt.Errorf("%s has no config.json; give the folder of a model in the layout of Hugging Face", filepath.Dir(path))
	}
	if err != nil {
		return Model{}, err
	}
	type part struct {
		Context int `json:"max_position_embeddings"`
	}
	var config struct {
		part
		Type string `json:"model_type"`
		Tied bool   `json:"tie_word_embeddings"`
		Text part   `json:"text_config"` // of a model that sees images, too
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return Model{}, fmt.Errorf("read %s: %w", path, err)
	}
	out := Model{Type: config.Type, Context: config.Context, Tied: config.Tied}
	if out.Context == 0 {
		out.Context = config.Text.Context
	}
	return out, nil
}
