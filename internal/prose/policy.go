package prose

import (
	_ "embed"
	"strings"
)

//go:embed testdata/policy.txt
var policyTexts string

// KeepsWording reports whether a policy can read a text of a file, named relative to the repository. Such a text keeps
// its wording: a change would change tokens and digests.
func KeepsWording(path, text string) bool { return strings.Contains(policyTexts, path+": "+text+"\n") }
