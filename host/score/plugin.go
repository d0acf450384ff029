package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
	"github.com/awhost/awhost/sdk/schema"
)

// settings reads the values of --set: as text where the attribute is one, as JSON elsewhere. A relative path starts at
// the working directory.
func settings(given map[string]string, block schema.Block) (json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		if wants, ok := attribute(block, name); ok && wants.Type == schema.TypeString {
			if wants.Format == schema.FormatPath && value != "" {
				absolute, err := filepath.Abs(value)
				if err != nil {
					return nil, fmt.Errorf("attribute %q: %w", name, err)
				}
				value = absolute
			}
		} else if json.Valid([]byte(value)) {
			out[name] = json.RawMessage(value)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		out[name] = text
	}
	return json.Marshal(out)
}

func attribute(block schema.Block, name string) (schema.Attribute, bool) {
	i := slices.IndexFunc(block.Attributes, func(a schema.Attribute) bool { return a.Name == name })
	if i < 0 {
		return schema.Attribute{}, false
	}
	return block.Attributes[i], true
}

// plugin is the reward's process and what was made for it.
type plugin struct {
	*client.Plugin
	sockets, dir string
}

// configTimeout bounds the configuration of the reward.
const configTimeout = 60 * time.Second

// start runs the reward's plugin and configures it.
func start(ctx context.Context, c Config, entry *catalog.Entry, config json.RawMessage) (_ *plugin, err error) {
	p := &plugin{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.sockets, err = process.NewSocketDir(); err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "awhost-score"); err != nil {
		return nil, err
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, err
	}
	p.Plugin, err = client.Start(ctx, client.Config{
		Name: "reward." + c.Type, Command: entry.Command, Authority: authority, SocketDir: p.sockets, PassEnv: c.PassEnv, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	return p, p.configure(ctx, c.Type, config)
}

func (p *plugin) configure(ctx context.Context, typ string, config json.RawMessage) error {
	ctx, cancel := context.WithTimeout(ctx, configTimeout)
	defer cancel()
	problems, err := p.ValidateConfig(ctx, sdk.KindReward, typ, config, nil)
	if err == nil && refusal(problems) == nil {
		problems, err = p.Configure(ctx, sdk.ConfigureRequest{
			Kind: sdk.KindReward, Type: typ, Config: config, RunID: "score", Incarnation: 1, Dir: p.dir,
		})
	}
	if err != nil {
		return fmt.Errorf("configure reward %q: %w", typ, p.Explain(err))
	}
	if err := refusal(problems); err != nil {
		return fmt.Errorf("reward %q: %w", typ, err)
	}
	return nil
}

// refusal is the errors among diagnostics, or nil.
func refusal(problems []sdk.Diagnostic) error {
	var all []error
	for _, d := range problems {
		if d.Severity == sdk.SeverityError {
			all = append(all, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(all...)
}

// close ends the process and removes what was made for it.
func (p *plugin) close() {
	if p.Plugin != nil {
		p.Kill()
	}
	if p.dir != "" {
		_ = os.RemoveAll(p.dir) // the system clears what is left of temporary files
	}
	if p.sockets != "" {
		_ = process.RemoveSocketDir(p.sockets) // what is left is swept by the next start
	}
}
