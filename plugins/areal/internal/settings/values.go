package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// Check returns an error if AReaL does not take a value. Text with an interpolation of OmegaConf fits anywhere.
func (i *Installed) Check(key string, value any) error {
	at := i.Schema.At(key)
	text, _ := value.(string)
	isOptional := strings.Contains(at.Annotation, "None")
	_, isMapping := value.(map[string]any)
	switch {
	case at.Kind == framework.Unknown:
		text := "AReaL has no key " + at.Missing
		if near := i.Schema.Nearest(at.Missing); near != "" {
			text += ": did you mean " + near + "?"
		}
		return errors.New(text)
	case strings.Contains(text, "${"), at.Kind == framework.Section && (isMapping || value == nil && isOptional):
		return nil
	case at.Kind == framework.Section:
		return fmt.Errorf("%s is a group of keys and not %s", key, kindOf(value))
	case !at.Takes.Fit(value):
		return fmt.Errorf("%s takes %s, and %s is %s", key, at.Annotation, Show(value), kindOf(value))
	}
	return nil
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a truth value"
	case string:
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	if framework.Whole.Fit(value) {
		return "a whole number"
	}
	return "a number"
}

// Show writes a value for people.
func Show(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(value)
}
