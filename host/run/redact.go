package run

import (
	"encoding/json"
	"strings"
)

// redactor takes the spec's secrets out of texts: what plugins say, and what errors quote of it.
type redactor struct{ replacer *strings.Replacer }

const redacted = "(sensitive)"

// newRedactor makes one for secrets, longest first.
func newRedactor(secrets []string) redactor {
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, redacted)
		if quoted, err := json.Marshal(secret); err == nil && string(quoted[1:len(quoted)-1]) != secret {
			pairs = append(pairs, string(quoted[1:len(quoted)-1]), redacted)
		}
	}
	return redactor{strings.NewReplacer(pairs...)}
}

func (r redactor) text(s string) string { return r.replacer.Replace(s) }

func (r redactor) fields(fields map[string]string) map[string]string {
	out := make(map[string]string, len(fields))
	for name, value := range fields {
		out[name] = r.text(value)
	}
	return out
}
