package api

import (
	"fmt"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

// Tables holds the constants for the long_context category by their names in long_context.py. They are never changed; a
// caller that needs to change one copies it first.
type Tables struct{ Constants map[string]py.Value }

// NewTables returns tables of constants and freezes them.
func NewTables(constants map[string]py.Value) *Tables {
	for _, v := range constants {
		py.FreezeWritten(v)
	}
	return &Tables{constants}
}

// list returns a table that must be a list.
func (t *Tables) list(name string) []py.Value {
	if l, ok := t.Constants[name].(*py.List); ok {
		return l.Items
	}
	return nil
}

// dict returns a table that must be a dictionary.
func (t *Tables) dict(name string) *py.Dict {
	if d, ok := t.Constants[name].(*py.Dict); ok {
		return d
	}
	return py.NewDict()
}

// Check returns an error for constants that are missing or have the wrong kind.
func (t *Tables) Check() error {
	for name, kind := range map[string]string{
		"WATCH_LIST_EXTENSION": "list", "TRANSACTION_HISTORY_EXTENSION": "list", "MA_5_EXTENSION": "list",
		"MA_20_EXTENSION":      "list",
		"TECHNOLOGY_EXTENSION": "list", "AUTOMOBILE_EXTENSION": "list", "ORDER_DETAIL_EXTENSION": "dict",
		"FILE_CONTENT_EXTENSION":  "str",
		"POPULATE_FILE_EXTENSION": "list", "CAR_STATUS_METADATA_EXTENSION": "str", "LONG_WEATHER_EXTENSION": "dict",
		"PARKING_BRAKE_INSTRUCTION": "str", "INTERMEDIARY_CITIES": "list", "CREDIT_CARD_EXTENSION": "dict",
		"BOOKING_RECORD_EXTENSION": "dict",
		"FILES_TAIL_USED":          "list",
	} {
		v, ok := t.Constants[name]
		if !ok {
			return fmt.Errorf("the constant %s of long contexts is missing", name)
		}
		if py.TypeName(v) != kind {
			return fmt.Errorf("the constant %s of long contexts is a %s, want a %s", name, py.TypeName(v), kind)
		}
	}
	return nil
}
