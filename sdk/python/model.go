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

// Model holds the values that awhost reads from a policy's config.json, as written by transformers.
type Model struct {
	Type    string // "qwen2"
	Context int    // tokens; 0 if not specified
	Tied    bool   // input and output embeddings share one tensor
}

// ErrNotHere reports that a policy is not a directory on this machine but a name on the hub or in another store.
var ErrNotHere = errors.New("not a folder on this machine")

// hubName matches names that the hub accepts (huggingface_hub, validate_repo_id).
var hubName = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)?$`)

// ReadModel reads the configuration of the policy that a spec names. An error explains what is wrong with a path. It is
// ErrNotHere if only the trainer can find the policy. A policy is treated as a path if it begins with /, . or ~, if it
// exists, or if the hub would not accept it as a name.
func ReadModel(policy string) (Model, error) {
	info, err := os.Stat(policy)
	switch {
	case strings.HasPrefix(policy, "~"):
		return Model{}, fmt.Errorf("%s: ~ is not expanded in model paths; write the absolute path", policy)
	case err == nil && !info.IsDir():
		return Model{}, fmt.Errorf("%s is a file; use a model folder in the Hugging Face layout", policy)
	case err == nil:
		return readConfig(filepath.Join(policy, "config.json"))
	case strings.Contains(policy, "://"), hubName.MatchString(policy) && !strings.HasPrefix(policy, "."):
		return Model{}, ErrNotHere
	case errors.Is(err, os.ErrNotExist):
		return Model{}, fmt.Errorf("%s does not exist; use a model folder in the Hugging Face layout, or a hub name "+
			"such as Qwen/Qwen2.5-0.5B", policy)
	}
	return Model{}, err
}

func readConfig(path string) (Model, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Model{}, fmt.Errorf("%s has no config.json; use a model folder in the Hugging Face layout",
			filepath.Dir(path))
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
		Text part   `json:"text_config"` // of models that also process images
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

// PolicyPath returns the path of a model block, which is empty without a policy.
func PolicyPath(policy json.RawMessage) (string, error) {
	if len(policy) == 0 || string(policy) == "null" {
		return "", nil
	}
	var model struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(policy, &model); err != nil {
		return "", fmt.Errorf("read the policy: %w", err)
	}
	return model.Path, nil
}
