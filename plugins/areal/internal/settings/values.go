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
		return fmt.Errorf("%s is a group of keys, and %s is one value", key, framework.Shown(value))
	case !at.Takes.Fit(value):
		return fmt.Errorf("%s takes %s, and not %s", key, at.Annotation, framework.Shown(value))
	}
	return nil
}
