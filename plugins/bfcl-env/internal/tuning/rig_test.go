package tuning_test

import (
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
)

// entries holds EnvTuning's data.
type entries struct {
	all    map[string]*entry.Entry
	tables *api.Tables
}

func load(t testing.TB) entries {
	t.Helper()
	return entries{golden.Parsed(t, "data_v3"), api.NewTables(golden.Tables(t, "et"))}
}
