package readme

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Block is a fenced block of a page.
type Block struct {
	Language string // sh, hcl, python, …; empty if the fence names none
	File     string // the name of the file that the block contains; see [Blocks]
	Text     string
}

var (
	fenced = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")
	// named matches the end of a paragraph that introduces a file: Write `rewards.py`:
	named = regexp.MustCompile("`([\\w./-]+\\.[a-z]+)`[:：]\\s*$")
	// continued matches the line that links to the next page on a path.
	continued = regexp.MustCompile(`(?m)^Next: \[[^]]+\]\(([a-z-]+\.md)\)`)
)

// Blocks returns the fenced blocks of a page. If the text before a block ends with a file's name and a colon, the block
// is the content of that file.
func Blocks(page string) []Block {
	var out []Block
	for _, at := range fenced.FindAllStringSubmatchIndex(page, -1) {
		b := Block{Language: page[at[2]:at[3]], Text: page[at[4]:at[5]]}
		if name := named.FindStringSubmatch(page[:at[0]]); name != nil && b.Language != "sh" {
			b.File = name[1]
		}
		out = append(out, b)
	}
	return out
}

// Script returns a page's commands for a shell: sh blocks as they are, and a command that writes each file. Other
// blocks show output.
func Script(page string) string {
	var out strings.Builder
	for _, b := range Blocks(page) {
		switch {
		case b.Language == "sh":
			out.WriteString(b.Text)
		case b.File != "":
			fmt.Fprintf(&out, "mkdir -p '%s'\ncat >'%s' <<'END OF FILE'\n%sEND OF FILE\n", path.Dir(b.File), b.File, b.Text)
		}
	}
	return out.String()
}

// Next returns the name of the page that follows a given page on its path, or an empty string if that page is the last
// one.
func Next(page string) string {
	match := continued.FindStringSubmatch(page)
	if match == nil {
		return ""
	}
	return match[1]
}
