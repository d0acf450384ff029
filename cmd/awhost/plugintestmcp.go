package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/plugins/mcp-env/mcpcheck"
)

// mcpTestFlags holds the flags for `plugin test --mcp`.
type mcpTestFlags struct {
	wanted      bool
	headers     map[string]string
	write, read string
}

func (f *mcpTestFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wanted, "mcp", false, "test an MCP server: a URL, or a command after --")
	cmd.Flags().StringToStringVar(&f.headers, "header", nil,
		"with --mcp and a URL, a header of every request: `NAME=VALUE`; may be repeated")
	cmd.Flags().StringVar(&f.write, "write", "",
		"with --mcp, a `call` that changes state, TOOL{…}, to check the isolation of sessions")
	cmd.Flags().StringVar(&f.read, "read", "", "with --mcp, a `call` that reads the state changed by --write")
	cmd.MarkFlagsRequiredTogether("write", "read")
	for _, other := range []string{"fixtures", "only", "component", "record", "replay"} {
		cmd.MarkFlagsMutuallyExclusive("mcp", other)
	}
}

// testMCP tests an MCP server.
func (a *app) testMCP(ctx context.Context, args []string, flags pluginTestFlags) error {
	config := mcpcheck.Config{
		Headers: flags.mcp.headers, Write: flags.mcp.write, Read: flags.mcp.read, Timeout: flags.patience,
	}
	switch {
	case len(args) == 0:
		return exit(run.ExitUsage, errors.New("missing MCP server: give its URL, or its command after --"))
	case len(args) == 1 && strings.Contains(args[0], "://"):
		config.URL = args[0]
	case strings.Contains(args[0], "://"):
		return exit(run.ExitUsage, errors.New("want one MCP server: give its URL, or its command after --"))
	case len(flags.mcp.headers) > 0:
		return exit(run.ExitUsage, errors.New("--header requires a server with a URL"))
	default:
		config.Command = args
	}
	progress := newCheckProgress(a.err, text.Detect(a.err, a.environ))
	if !a.json {
		config.Playing = progress.say
	}
	report, err := mcpcheck.Verify(ctx, config)
	return a.judged(ctx, report, err, progress, &catalog.Prepared{Command: config.Command}, flags)
}
