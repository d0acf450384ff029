package run

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/server"
)

// newServers returns the set of servers that the run's environments need.
func (r *runner) newServers() *server.Set {
	return server.NewSet(server.Options{
		Run: r.Writer.Info.ID, For: "run " + r.Writer.Ref(), Guard: r.guard, Records: server.Records(r.Plan.Spec.Dir),
		MaxRestarts: r.Plan.Train.MaxRestarts, LogFile: r.serverLog,
		Redact: r.secrets.Text, Log: r.pluginLog, Notify: r.publishServer, Failed: r.plugins.Fail,
		Moved: func(address string) { r.starter().Reconnect(address) },
	})
}

// serverLog returns the path to a server's log. It is absolute because the guard, which starts the server, has a
// different working directory.
func (r *runner) serverLog(name string) string {
	path := r.Writer.LogPath(name)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// publishServer publishes state changes of a server. Problems are also recorded.
func (r *runner) publishServer(n server.Update) {
	if n.Level >= slog.LevelWarn {
		r.warn(event.Warning{Code: "server", Summary: n.Server + ": " + n.Message})
		return
	}
	var fields map[string]string
	if n.ViewURL != "" {
		fields = map[string]string{event.FieldViewURL: n.ViewURL}
	}
	r.publishLog("info", n.Server, n.Message, fields)
}

// stopServers stops the servers. It runs after the end of the plugins that use them.
func (r *runner) stopServers(ctx context.Context) {
	if err := r.servers.StopAll(context.WithoutCancel(ctx)); err != nil {
		r.warn(event.Warning{Code: "server", Summary: "a server may still be running", Detail: err.Error()})
	}
}
