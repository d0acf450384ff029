package hfdir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// CardName is the name of the dataset card, which assigns files to splits.
const CardName = "README.md"

const maxCardBytes = 4 << 20

// cardConfig is an entry of `configs` in a card.
type cardConfig struct {
	Name    string          `json:"config_name"`
	Files   json.RawMessage `json:"data_files"`
	Dir     string          `json:"data_dir"`
	Default bool            `json:"default"`
}

// readCard reads the configurations from a dataset's card. It returns none if the card is missing or has no `configs`.
func readCard(name string) ([]config, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseCardFile(file)
}

// parseCardFile parses the configurations from the text of a card.
func parseCardFile(text io.Reader) ([]config, error) {
	part, err := configsPart(io.LimitReader(text, maxCardBytes))
	if err != nil || part == "" {
		return nil, err
	}
	configs, err := parseCard(part)
	if err != nil {
		return nil, fmt.Errorf("parse configs of the card %s: %w: correct them, or delete them to find files by "+
			"their names", CardName, err)
	}
	return configs, nil
}

// configsPart extracts `configs` from the YAML at the beginning of a card. The other parts, mostly statistics, do not
// have to be valid.
func configsPart(card io.Reader) (string, error) {
	lines := bufio.NewScanner(card)
	lines.Buffer(nil, maxCardBytes)
	if !lines.Scan() || strings.TrimRight(strings.TrimPrefix(lines.Text(), "\ufeff"), " \t\r") != "---" {
		return "", lines.Err()
	}
	var part strings.Builder
	inside := false
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), " \t\r")
		if line == "---" {
			break
		}
		if line != "" && !strings.ContainsAny(line[:1], " -#]}") {
			inside = strings.HasPrefix(line, "configs:")
		}
		if inside {
			part.WriteString(line + "\n")
		}
	}
	return part.String(), lines.Err()
}

func parseCard(text string) ([]config, error) {
	value, err := yaml.Standard.Unmarshal([]byte(text), cty.DynamicPseudoType)
	if err != nil {
		return nil, err
	}
	document, err := json.Marshal(ctyjson.SimpleJSONValue{Value: value})
	if err != nil {
		return nil, err
	}
	var card struct {
		Configs []cardConfig `json:"configs"`
	}
	if err := json.Unmarshal(document, &card); err != nil {
		return nil, errors.New("not a list of config_name and data_files")
	}
	var configs []config
	for _, c := range card.Configs {
		converted, err := c.config()
		if err != nil {
			return nil, err
		}
		configs = append(configs, converted)
	}
	return configs, nil
}

func (c cardConfig) config() (config, error) {
	out := config{name: c.Name, isDefault: c.Default, dir: strings.Trim(path.Clean("/"+c.Dir), "/")}
	if out.name == "" {
		out.name = defaultConfig
	}
	if len(c.Files) == 0 || string(c.Files) == "null" {
		return out, nil
	}
	var perSplit []struct {
		Split string          `json:"split"`
		Path  json.RawMessage `json:"path"`
	}
	if patterns, ok := texts(c.Files); ok {
		out.splits = []splitPatterns{{"train", patterns}}
		return out, nil
	}
	if err := json.Unmarshal(c.Files, &perSplit); err != nil {
		return config{}, fmt.Errorf("the data_files of %q are neither a path, paths, nor a list of split and path", out.name)
	}
	for _, s := range perSplit {
		patterns, ok := texts(s.Path)
		if !ok || s.Split == "" {
			return config{}, fmt.Errorf("the data_files of %q lack a split or a path", out.name)
		}
		out.splits = append(out.splits, splitPatterns{s.Split, patterns})
	}
	return out, nil
}

// texts decodes a string or a list of strings.
func texts(value json.RawMessage) ([]string, bool) {
	var one string
	if json.Unmarshal(value, &one) == nil {
		return []string{one}, one != ""
	}
	var many []string
	if json.Unmarshal(value, &many) == nil {
		return many, len(many) > 0
	}
	return nil, false
}

// matching lists the files that match a split's patterns, without duplicates.
func matching(files []string, dir string, s splitPatterns) ([]string, error) {
	var found []string
	for _, pattern := range s.patterns {
		if strings.Contains(pattern, "://") || path.IsAbs(pattern) || slices.Contains(strings.Split(pattern, "/"), "..") {
			return nil, fmt.Errorf("the card names %q for the split %q, which is outside the directory: download it "+
				"there and correct %s", pattern, s.name, CardName)
		}
		matcher, err := glob(path.Join(dir, path.Clean(pattern)))
		if err != nil {
			return nil, fmt.Errorf("the card names %q for the split %q, which is not a valid pattern: correct %s",
				pattern, s.name, CardName)
		}
		before := len(found)
		for _, file := range files {
			if matcher.MatchString(file) && !slices.Contains(found, file) {
				found = append(found, file)
			}
		}
		if len(found) == before {
			return nil, fmt.Errorf("the card names %q for the split %q, but this data file does not exist: download "+
				"it, or correct %s", pattern, s.name, CardName)
		}
	}
	return found, nil
}

// glob compiles a pattern: * and ? within a name, ** across directories, [abc].
func glob(pattern string) (*regexp.Regexp, error) {
	var out strings.Builder
	out.WriteString("^")
	for i := 0; i < len(pattern); i++ {
		switch {
		case strings.HasPrefix(pattern[i:], "**/"):
			out.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			out.WriteString(".*")
			i++
		case pattern[i] == '*':
			out.WriteString("[^/]*")
		case pattern[i] == '?':
			out.WriteString("[^/]")
		case pattern[i] == '[' && strings.Contains(pattern[i+1:], "]"):
			end := i + 1 + strings.IndexByte(pattern[i+1:], ']')
			set := strings.ReplaceAll(pattern[i+1:end], `\`, `\\`)
			if strings.HasPrefix(set, "!") {
				set = "^" + set[1:]
			}
			out.WriteString("[" + set + "]")
			i = end
		default:
			out.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	return regexp.Compile(out.String() + "$")
}
