package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/sdk"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print versions",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_ = a.show(result.Version{ // errors of a closed output are ignored
				Type: "version", Awhost: sdk.Version, Protocol: sdk.ProtocolVersion, Run: runstore.FormatVersion,
				Events: event.FormatVersion, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
				Revision: revision(),
			})
			return nil
		},
	}
}

func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// isRelease reports whether this program was built from the release of its version: by go install with that version,
// or in a clone at its tag without changes. A proxy then has the module.
func isRelease() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Version == "v"+sdk.Version
}
