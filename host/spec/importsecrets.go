package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Server files often contain plain-text secrets. They are recognized by the names next to them.
var (
	// secretName matches a header or variable whose value is a secret.
	secretName = regexp.MustCompile(`(?i)auth|bearer|token|secret|passw|passphrase|cookie|credential|signature|` +
		`api[_-]?key|access[_-]?key|key$|dsn$|(^|[_-])pat$`)
	// secretFlag matches a command flag or a URL parameter whose value is a secret. Most flags with such a word in the
	// middle are not secret, for example --max-tokens and --auth-mode.
	secretFlag = regexp.MustCompile(`(?i)(key|token|secret|passw(or)?d|passphrase|authorization|credentials?|bearer|` +
		`cookie|signature)$|(^|[_-])pat$`)

	// noSecret matches a harmless value next to such a name, for example MAX_TOKENS = 1000 or AUTH = none. It is part
	// of the run's definition, and hiding it would remove the same text from all messages.
	noSecret = regexp.MustCompile(`(?i)^(|true|false|yes|no|on|off|none|null|auto|default|enabled|disabled|required|` +
		`optional|\d{1,5})$`)

	bareFlag = regexp.MustCompile(`^--?([A-Za-z0-9_-]+)$`)
	assigned = regexp.MustCompile(`([A-Za-z0-9_-]+)=([^\s&;,"']+)` + // --key=VALUE, KEY=VALUE, ?key=VALUE
		`|^([A-Za-z0-9_-]+):\s*([^/\s].*)$` + // a header
		`|"([A-Za-z0-9_-]+)"\s*:\s*"([^"]+)"`) // a configuration in JSON
	userinfo = regexp.MustCompile(`://[^/@\s:]*:([^/@\s]+)@`)
	scheme   = regexp.MustCompile(`(?i)^(bearer|basic|token) +`) // authorization scheme of a header
	inQuotes = regexp.MustCompile(`"([^"\n]*)"\s*:\s*"((?:[^"\\\n]|\\.)*)"`)
)

// secretsOf returns the secrets in a string, such as an argument or a URL.
func secretsOf(text string) (found []string) {
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		for i := 1; i < len(m); i += 2 {
			if m[i] != "" && secretFlag.MatchString(m[i]) {
				found = append(found, m[i+1])
			}
		}
	}
	for _, m := range userinfo.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// hide marks the secrets in an attribute's value, although they are in the file.
func (f *importedFile) hide(v cty.Value) cty.Value {
	plain, marks := v.Unmark()
	switch {
	case plain.IsNull():
		return v
	case plain.Type() == cty.String:
		return f.hideText(v, secretsOf(textIn(v)))
	case plain.Type().IsMapType() && plain.LengthInt() > 0:
		values := plain.AsValueMap()
		for name, value := range values {
			if found := secretsOf(textIn(value)); secretName.MatchString(name) {
				values[name] = f.hideText(value, append(found, textIn(value)))
			} else {
				values[name] = f.hideText(value, found)
			}
		}
		return cty.MapVal(values).WithMarks(marks)
	case plain.Type().IsListType() && plain.LengthInt() > 0:
		values := plain.AsValueSlice()
		for i, value := range values {
			found := secretsOf(textIn(value))
			if i > 0 && !strings.HasPrefix(textIn(value), "-") {
				if m := bareFlag.FindStringSubmatch(textIn(values[i-1])); m != nil && secretFlag.MatchString(m[1]) {
					found = append(found, textIn(value))
				}
			}
			values[i] = f.hideText(value, found)
		}
		return cty.ListVal(values).WithMarks(marks)
	}
	return v
}

// textIn returns a string, whether it is secret or not, and an empty string for null.
func textIn(v cty.Value) string {
	v, _ = v.Unmark()
	if v.IsNull() {
		return ""
	}
	return v.AsString()
}

// hideText marks a string that contains secrets.
func (f *importedFile) hideText(v cty.Value, secrets []string) cty.Value {
	secrets = slices.DeleteFunc(secrets, noSecret.MatchString)
	if len(secrets) == 0 || v.IsMarked() {
		return v
	}
	for _, secret := range append(slices.Clone(secrets), v.AsString()) {
		f.redactor.learn(cty.StringVal(secret))
		f.redactor.learn(cty.StringVal(scheme.ReplaceAllString(secret, "")))
	}
	return v.Mark(secretMark{origin: "file:" + f.name})
}

// withoutSecrets returns a file's text for quoting in messages; even a file that is not valid JSON may contain secrets.
// Each byte of a secret is replaced with an asterisk.
func withoutSecrets(text string) []byte {
	out := []byte(text)
	for _, m := range inQuotes.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[4]:m[5]]; secretName.MatchString(text[m[2]:m[3]]) && !strings.Contains(value, "${") {
			copy(out[m[4]:m[5]], strings.Repeat("*", len(value)))
		}
	}
	return out
}
