package spec

import (
	"encoding/json"
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

// formsOf are the ways in which a text is quoted: as it is, as Go and as JSON write it between quotes.
func formsOf(text string) []string {
	forms := []string{text}
	quoted := strconv.Quote(text)
	forms = append(forms, quoted[1:len(quoted)-1])
	if encoded, err := json.Marshal(text); err == nil {
		forms = append(forms, string(encoded[1:len(encoded)-1]))
	}
	return forms
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
