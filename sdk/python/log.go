package python

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// Sign is a pattern for a line in a trainer's log that explains a failure.
type Sign struct {
	pattern *regexp.Regexp
	meaning string
}

// NewSign returns a sign for a regular expression and a sentence that suggests a remedy. In the sentence, ${0} is the
// match and ${1} is the first group. It panics if the expression is invalid.
func NewSign(pattern, meaning string) Sign { return Sign{regexp.MustCompile(pattern), meaning} }

// logEnd is how much of the end of a log is read.
const logEnd = 512 << 10 // bytes

// Diagnose returns a message with the cause that is evident from a trainer's log, and the log's path. Signs must be
// ordered from causes to consequences. If nothing matches, it returns the last error in a traceback.
func Diagnose(path string, signs []Sign) string {
	text, err := ReadEnd(path)
	if err != nil {
		return fmt.Sprintf("Its log cannot be read: %v", err)
	}
	text = withoutColours(text)
	for _, s := range signs {
		if at := s.pattern.FindStringSubmatchIndex(text); at != nil {
			return string(s.pattern.ExpandString(nil, s.meaning, text, at)) + " Its log: " + path
		}
	}
	if all := errorLine.FindAllStringSubmatch(text, -1); len(all) > 0 {
		return fmt.Sprintf("Its last error: %s. Its log: %s", strings.TrimSuffix(all[len(all)-1][1], "."), path)
	}
	return "Its log: " + path
}

// errorLine matches the last line of a Python traceback, which may follow a Ray prefix, "(TaskRunner pid=3) ", or a
// role prefix, "[actor] ".
var errorLine = regexp.MustCompile(`(?m)^(?:\([^)\n]*pid=[^)\n]*\) |\[[^\]\n]*\]\s*)?((?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Refused|Lost)\b: [^\n]+)$`)

var colours = regexp.MustCompile("\x1b\\[[0-9;]*[a-zA-Z]")

// withoutColours removes color escape sequences.
func withoutColours(text string) string { return colours.ReplaceAllString(text, "") }

// ReadEnd reads the end of a log, which contains the cause of a failure.
func ReadEnd(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if info.Size() > logEnd {
		if _, err := f.Seek(-logEnd, io.SeekEnd); err != nil {
			return "", err
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, logEnd))
	return string(data), err
}
