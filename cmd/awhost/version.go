package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print versions",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Type     string `json:"type"`
				Awhost   string `json:"awhost"`
				Protocol int    `json:"protocol"`
				Run      int    `json:"run_directory"`
				Events   string `json:"events"`
				Go       string `json:"go"`
				Platform string `json:"platform"`
				Revision string `json:"revision,omitempty"`
			}{"version", sdk.Version, sdk.ProtocolVersion, runstore.FormatVersion, event.FormatVersion, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, revision()}
			if a.json {
				a.print(v)
				return nil
			}
			a.say("awhost %s (plugin protocol %d, run directory format %d, %s, %s)", v.Awhost, v.Protocol, v.Run, v.Go, v.Platform)
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
