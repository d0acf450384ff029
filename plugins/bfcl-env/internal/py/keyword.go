package py

import "slices"

// keywords lists Python's keywords, which cannot be names.
var keywords = []string{
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
	"else", "except", "finally",
	"for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
	"try", "while", "with", "yield",
}

// IsKeyword reports whether a word cannot be a name.
func IsKeyword(word string) bool { return slices.Contains(keywords, word) }
