package settings

import (
	"fmt"
	"math"
	"strings"
)

// CheckType says what is wrong with a value for a field; nil: it fits. Text with an interpolation of OmegaConf fits anywhere.
func (s *Schema) CheckType(key string, value any) error {
	field, err := s.Field(key)
	if err != nil {
		return err
	}
	if text, ok := value.(string); ok && strings.Contains(text, "${") {
		return nil
	}
	if field.Section {
		if value == nil && strings.Contains(field.Annotation, "None") {
			return nil
		}
		if _, ok := value.(map[string]any); ok {
			return nil
		}
		return fmt.Errorf("%s has keys of its own and is no %s", key, kindOf(value))
	}
	for _, part := range alternatives(field.Annotation) {
		if fits(part, value) {
			return nil
		}
	}
	return fmt.Errorf("%s takes %s, and %s is %s", key, field.Annotation, show(value), kindOf(value))
}

// alternatives splits a union.
func alternatives(annotation string) []string {
	if inner, ok := strings.CutPrefix(annotation, "Optional["); ok {
		return append(alternatives(strings.TrimSuffix(inner, "]")), "None")
	}
	var out []string
	depth, begin := 0, 0
	for i, r := range annotation {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, strings.TrimSpace(annotation[begin:i]))
				begin = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(annotation[begin:]))
}

// fits says whether OmegaConf takes a value for one type.
func fits(annotation string, value any) bool {
	switch annotation {
	case "None":
		return value == nil
	case "bool":
		_, ok := value.(bool)
		return ok
	case "int":
		return isWhole(value)
	case "float":
		return isNumber(value)
	case "str":
		_, ok := value.(string)
		return ok
	}
	switch {
	case strings.HasPrefix(annotation, "list"), strings.HasPrefix(annotation, "tuple"), strings.HasPrefix(annotation, "List"), strings.HasPrefix(annotation, "Tuple"):
		_, ok := value.([]any)
		return ok
	case strings.HasPrefix(annotation, "dict"), strings.HasPrefix(annotation, "Dict"):
		_, ok := value.(map[string]any)
		return ok
	}
	return true // Any, an enumeration, or something that nobody has written yet
}

func isNumber(value any) bool {
	switch value.(type) {
	case int, int64, float64:
		return true
	}
	return false
}

func isWhole(value any) bool {
	f, ok := value.(float64)
	return isNumber(value) && (!ok || f == math.Trunc(f))
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
	if isWhole(value) {
		return "a whole number"
	}
	return "a number"
}

// show writes a value for people.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(value)
}
