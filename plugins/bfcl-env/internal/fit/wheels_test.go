package fit_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/data"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/fit"
)

// wheel is a release of bfcl-eval that .ci/bfcl-wheels downloads.
type wheel struct {
	version string
	fits    []api.Profile
	against map[api.Profile]string // the first difference between its documents and a profile
}

var wheels = []wheel{
	{"2025.6.15", []api.Profile{api.V3, api.EnvTuning}, map[api.Profile]string{
		api.V4: "TradingBot describes make_transaction, which the profile does not have",
	}},
	{"2025.6.16", nil, map[api.Profile]string{
		api.V3:        "book_flight is described without travel_cost, which it needs",
		api.EnvTuning: "book_flight is described without travel_cost, which it needs",
		api.V4:        "TradingBot describes make_transaction, which the profile does not have",
	}},
	{"2025.10.27", nil, map[api.Profile]string{
		api.V3:        "TradingBot describes withdraw_funds, which the profile does not have",
		api.EnvTuning: "TradingBot describes withdraw_funds, which the profile does not have",
		api.V4:        "TradingBot describes update_market_status, which the profile does not have",
	}},
	{"2026.3.23", []api.Profile{api.V4}, map[api.Profile]string{
		api.V3:        "TradingBot describes withdraw_funds, which the profile does not have",
		api.EnvTuning: "TradingBot describes withdraw_funds, which the profile does not have",
	}},
}

// TestWheels checks real releases: fitting releases are known, and others are refused because of their documents.
func TestWheels(t *testing.T) {
	folder := os.Getenv("AWHOST_BFCL_WHEELS")
	if folder == "" {
		t.Skip("SKIPPED: set AWHOST_BFCL_WHEELS to the folder that .ci/bfcl-wheels prints")
	}
	for _, w := range wheels {
		t.Run(w.version, func(t *testing.T) {
			set, err := data.Open(filepath.Join(folder, "bfcl_eval-"+w.version+"-py3-none-any.whl"), data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, profile := range []api.Profile{api.V4, api.V3, api.EnvTuning} {
				w.judge(t, set, profile)
			}
		})
	}
}

func (w wheel) judge(t *testing.T, set *data.Set, profile api.Profile) {
	t.Helper()
	report, raising := fit.Judge(set, profile), 0
	for _, one := range set.Entries { // known releases, too
		if _, _, raises := fit.Truth(one, profile, set.Tables); raises {
			raising++
		}
	}
	if slices.Contains(w.fits, profile) {
		if len(report.Documents) > 0 || !strings.HasSuffix(report.Release, w.version) || raising > 0 {
			t.Errorf("profile %d: %+v, and %d ground truths raise; want data that fit", profile, report, raising)
		}
		return
	}
	if !slices.Contains(report.Documents, w.against[profile]) || report.Release != "" || raising == 0 {
		t.Errorf("profile %d: %+v, and %d ground truths raise; want %q", profile, report, raising, w.against[profile])
	}
}
