package spec

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Redactor takes the secrets of a spec out of texts: what plugins say, and what errors quote of it. It may be used
// concurrently, and often.
type Redactor struct{ replacer *strings.Replacer }

// withheld is what stands for a secret.
const withheld = "(sensitive)"

// Redactor makes one.
func (s *Spec) Redactor() Redactor {
	var pairs []string
	for _, secret := range s.secrets { // longest first, so that one that contains another is replaced as a whole
		for _, form := range formsOf(secret) {
			pairs = append(pairs, form, withheld)
		}
	}
	return Redactor{strings.NewReplacer(pairs...)}
}

// formsOf are the ways in which a text is written, longest first: as it is, as Go and as JSON write it between quotes, such
// a quotation quoted again, as in a log line about an error, and as part of a URL.
func formsOf(text string) []string {
	forms := map[string]bool{text: true, url.QueryEscape(text): true, url.PathEscape(text): true}
	for range 2 {
		for form := range maps.Clone(forms) {
			quoted := strconv.Quote(form)
			forms[quoted[1:len(quoted)-1]] = true
			if encoded, err := json.Marshal(form); err == nil {
				forms[string(encoded[1:len(encoded)-1])] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(forms), func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
}

// Text returns the text with a word for every secret.
func (r Redactor) Text(s string) string { return r.replacer.Replace(s) }

// Fields does so with the values of a map.
func (r Redactor) Fields(fields map[string]string) map[string]string {
	out := make(map[string]string, len(fields))
	for name, value := range fields {
		out[name] = r.Text(value)
	}
	return out
}
