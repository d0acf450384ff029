package docs_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/docs"
	"github.com/awhost/awhost/internal/readme"
)

var update = flag.Bool("update", false, "write generated files")

// root is the root of the repository.
const root = ".."

// pages returns the text of all Markdown files of the repository by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" ||
			entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 5 {
		t.Fatalf("only %d pages found below %s", len(found), root)
	}
	return found
}

var (
	fence      = regexp.MustCompile("(?ms)^```.*?^```")
	inlineCode = regexp.MustCompile("`[^`\n]*`")
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.*)$`)
)

// TestLinks_Lead checks that the targets of a page's links in this repository exist, including headings.
func TestLinks_Lead(t *testing.T) {
	all := pages(t)
	checked := 0
	for page, text := range all {
		for _, match := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(fence.ReplaceAllString(text, ""), ""),
			-1) {
			target := match[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			checked++
			path, anchor, _ := strings.Cut(target, "#")
			to := page
			if path != "" {
				to = filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s points to %s, which is not there", page, target)
				continue
			}
			if anchor != "" && !hasAnchor(all[to], anchor) {
				t.Errorf("%s points to %s, and that page has no such heading", page, target)
			}
		}
	}
	t.Logf("%d links checked", checked)
}

// namedFile is a path from the root of the repository.
var namedFile = regexp.MustCompile(`\b(?:docs|sdk|host)/[\w./-]+\.(?:md|go|proto|py)\b`)

// TestNamedFiles_Exist checks the paths that .proto files and the text of pages name without a link. Decisions (adr)
// and the changelog describe the past.
func TestNamedFiles_Exist(t *testing.T) {
	all := pages(t)
	protos, err := filepath.Glob(filepath.Join(root, "sdk/proto/awhost/v1/*.proto"))
	if err != nil || len(protos) == 0 {
		t.Fatal("no .proto files", err)
	}
	for _, path := range protos {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[path] = string(text)
	}
	for page, text := range all {
		if strings.Contains(page, "/adr/") || strings.Contains(strings.ToLower(page), "changelog") {
			continue
		}
		for _, name := range namedFile.FindAllString(link.ReplaceAllString(fence.ReplaceAllString(text, ""), ""), -1) {
			_, fromRoot := os.Stat(filepath.Join(root, name))
			if _, fromPage := os.Stat(filepath.Join(filepath.Dir(page), name)); fromRoot != nil && fromPage != nil {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
}

// TestTranslations_HaveTheSameCommands checks that both languages of a page have the same code blocks and the same
// levels of headings, because CI runs the commands of only one of them. Each language links the other one.
func TestTranslations_HaveTheSameCommands(t *testing.T) {
	block := regexp.MustCompile("(?ms)^ *```.*?^ *```") // blocks below a list item are indented
	level := regexp.MustCompile("(?m)^#+ ")
	var translated []string
	for _, pattern := range []string{
		filepath.Join("*", "*.zh.md"),
		filepath.Join(root, "examples", "*", "README.zh.md"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no page in Chinese (%v)", pattern, err)
		}
		translated = append(translated, found...)
	}
	for _, page := range translated {
		english := strings.TrimSuffix(page, ".zh.md") + ".md"
		englishText, chineseText := readPage(t, english), readPage(t, page)
		blocks := block.FindAllString(chineseText, -1)
		if diff := cmp.Diff(block.FindAllString(englishText, -1), blocks); diff != "" || len(blocks) == 0 {
			t.Errorf("code blocks of %s and %s: %s", english, page, diff)
		}
		levels := level.FindAllString(block.ReplaceAllString(chineseText, ""), -1)
		if diff := cmp.Diff(level.FindAllString(block.ReplaceAllString(englishText, ""), -1), levels); diff != "" {
			t.Errorf("headings of %s and %s: %s", english, page, diff)
		}
		if !strings.Contains(englishText, "[中文]("+filepath.Base(page)+")") {
			t.Errorf("%s does not link %s", english, page)
		}
		if !strings.Contains(chineseText, "[English]("+filepath.Base(english)+")") {
			t.Errorf("%s does not link %s", page, english)
		}
	}
}

// readPage returns the text of a file.
func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStart_IsOnePath checks that each page of docs/start leads to the next one, so that .ci/tutorial runs all of them,
// and that it runs each of their blocks, or writes it to a file.
func TestStart_IsOnePath(t *testing.T) {
	entries, err := filepath.Glob(filepath.Join("start", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	last, visited := "", map[string]bool{}
	for name := "install.md"; name != "" && !visited[name]; {
		visited[name] = true
		text, err := os.ReadFile(filepath.Join("start", name))
		if err != nil {
			t.Fatalf("after %s: %v", last, err)
		}
		if words := len(strings.Fields(string(text))); words < 300 || words > 700 {
			t.Errorf("%s has %d words: want 300 to 700", name, words)
		}
		for _, b := range readme.Blocks(string(text)) {
			shown := b.Language == "text" || b.Language == "console" && name == "framework.md"
			if b.Language != "sh" && b.File == "" && !shown {
				t.Errorf("%s: nothing runs this block: name its file before it, as in \"Write `rewards.py`:\"\n%s", name, b.Text)
			}
		}
		last, name = name, readme.Next(string(text))
	}
	for _, path := range entries {
		if name := filepath.Base(path); !visited[name] && !strings.HasSuffix(name, ".zh.md") {
			t.Errorf("no page before %s leads to it", name)
		}
	}
}

// TestPages_StayShort limits all pages together: what a page explains again belongs to one page that others link to.
func TestPages_StayShort(t *testing.T) {
	const most = 90_000
	words := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		words += len(strings.Fields(string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if words > most {
		t.Errorf("the pages have %d words, want at most %d: shorten or merge some", words, most)
	}
}

// hasAnchor reports whether a page has a heading with the anchor that GitHub assigns.
func hasAnchor(text, anchor string) bool {
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		if anchorOf(match[1]) == anchor {
			return true
		}
	}
	return false
}

func anchorOf(title string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			out.WriteRune('-')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			out.WriteRune(r)
		}
	}
	return out.String()
}

// TestIndex_NamesEveryPage checks that docs/README.md links every page, or the page of the page's folder: cli.md links
// the pages in cli/.
func TestIndex_NamesEveryPage(t *testing.T) {
	all := pages(t)
	index := all[filepath.Join(root, "docs", "README.md")]
	for page := range all {
		name, err := filepath.Rel(filepath.Join(root, "docs"), page)
		if err != nil || !filepath.IsLocal(name) || name == "README.md" {
			continue
		}
		folder := filepath.Dir(page)
		parent, isFolder := all[folder+".md"]
		if isFolder && strings.Contains(parent, "("+filepath.Base(folder)+"/"+filepath.Base(page)+")") {
			continue
		}
		if !strings.Contains(index, "("+filepath.ToSlash(name)+")") {
			t.Errorf("docs/README.md does not name %s", name)
		}
	}
}

// TestExamples_AreQuotedAsTheyAre compares the code quoted on a page with its file. A marker `<!-- from path -->`
// precedes the fence.
func TestExamples_AreQuotedAsTheyAre(t *testing.T) {
	quoted := regexp.MustCompile("(?ms)^<!-- from (\\S+) -->\n```[a-z]*\n(.*?)^```")
	count := 0
	for page, text := range pages(t) {
		for _, match := range quoted.FindAllStringSubmatch(text, -1) {
			count++
			source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(match[1])))
			if err != nil {
				t.Errorf("%s quotes %s: %v", page, match[1], err)
				continue
			}
			if match[2] != string(source) {
				t.Errorf("%s does not show %s as it is: copy the file again", page, match[1])
			}
		}
	}
	if count == 0 {
		t.Error("no page quotes an example")
	}
}

// TestRewardExample_IsAsShortAsPromised checks the number of lines that the pages state.
func TestRewardExample_IsAsShortAsPromised(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "examples", "rewards", "exact", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(source), "\n"); lines != 29 {
		t.Errorf("the reward has %d lines and the pages say 29: correct README.md, docs/guides/plugins.md, docs/start/quick-start.md and examples/README.md", lines)
	}
}

// TestLLMsText_IsTheIndex compares llms.txt with the pages.
//
//go:generate go test -count=1 -run ^TestLLMsText_IsTheIndex$ . -update
func TestLLMsText_IsTheIndex(t *testing.T) {
	path := filepath.Join(root, "llms.txt")
	want := index("docs/")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("llms.txt is out of date (%v): run go generate ./docs", err)
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"guides/mcp", "mcp", "mcp.md", "docs/guides/mcp.md"} {
		if p, err := docs.Find(name); err != nil || p.Name != "guides/mcp" {
			t.Errorf("%s: got %q, %v", name, p.Name, err)
		}
	}
	for name, want := range map[string]string{"nothing": "unknown page", "verl": "", "debug": "ambiguous"} {
		if _, err := docs.Find(name); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// index returns the list of all pages in the llmstxt.org format, with links that begin with base.
func index(base string) string {
	var out strings.Builder
	out.WriteString(`# awhost

> awhost trains LLM agents by reinforcement learning: one HCL file declares agent, environment, reward, data and
> trainer, and plugins serve them. "awhost docs PAGE" prints a page, "awhost docs --all" prints all pages.
`)
	section := ""
	for _, p := range docs.Pages() {
		shelf, _, nested := strings.Cut(p.Name, "/")
		if !nested {
			shelf = "overview"
		}
		if shelf != section {
			section = shelf
			fmt.Fprintf(&out, "\n## %s%s\n\n", strings.ToUpper(shelf[:1]), shelf[1:])
		}
		fmt.Fprintf(&out, "- [%s](%s%s.md)\n", p.Title, base, p.Name)
	}
	return out.String()
}
