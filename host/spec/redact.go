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

// Redactor removes a spec's secrets from text such as plugin messages and errors that quote the spec. It may be used
// concurrently and repeatedly.
type Redactor struct{ replacer *strings.Replacer }

// withheld replaces a secret.
const withheld = "(sensitive)"

// Redactor returns a redactor for the spec's secrets.
func (s *Spec) Redactor() Redactor {
	var pairs []string
	for _, secret := range s.secrets { // longest first, so that a secret that contains another one is replaced as a whole
		for _, form := range formsOf(secret) {
			pairs = append(pairs, form, withheld)
		}
	}
	return Redactor{strings.NewReplacer(pairs...)}
}

// formsOf returns the representations of a string, longest first: unchanged, quoted by Go and by JSON, quoted twice as
// in a log line about an error, and escaped for a URL.
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
	return slices.SortedFunc(maps.Keys(forms), func(a,
		b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
}

// Text replaces every secret in a text.
func (r Redactor) Text(s string) string { return r.replacer.Replace(s) }

// Fields replaces the secrets in a map's values.
func (r Redactor) Fields(fields map[string]string) map[string]string {
	out := make(map[string]string, len(fields))
	for name, value := range fields {
		out[name] = r.Text(value)
	}
	return out
}
