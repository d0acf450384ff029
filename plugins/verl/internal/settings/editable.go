package settings

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
)

// editable is the checkout that a distribution was installed from with pip install -e; empty: it is a copy.
// The form of direct_url.json is that of PEP 610.
func editable(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var direct struct {
		URL string `json:"url"`
		Dir struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if json.Unmarshal(text, &direct) != nil || !direct.Dir.Editable {
		return ""
	}
	where, err := url.Parse(direct.URL)
	if err != nil || where.Scheme != "file" {
		return ""
	}
	return filepath.FromSlash(where.Path)
}
