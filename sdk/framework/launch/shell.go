package launch

import "strings"

// quote writes a word for a POSIX shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// quoteAll writes a command for a POSIX shell.
func quoteAll(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = quote(word)
	}
	return strings.Join(words, " ")
}
