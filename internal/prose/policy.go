package prose

import (
	_ "embed"
	"strings"
)

//go:embed testdata/policy.txt
var policyTexts string

// KeepsWording reports whether a policy can read a text in a file, named relative to the repository. Such text keeps
// its wording, because a change would alter tokens and digests.
func KeepsWording(path, text string) bool { return strings.Contains(policyTexts, path+": "+text+"\n") }
