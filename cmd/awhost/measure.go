package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// modelFlags selects the model that responds in eval and ask.
type modelFlags struct {
	checkpoint, model, baseURL, name, keyEnv string
	player                                   rollout.Generator // answers instead of any model; nil: not used
	orBase                                   bool              // without a run, use the untrained policy
}

// basePolicy is the --checkpoint value for the untrained policy.
const basePolicy = "base"

func (f *modelFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.checkpoint, "checkpoint", "",
		"`RUN[/step-N]`, a directory, or base for the untrained policy; default: the best of the newest run")
	flags.StringVar(&f.model, "model", "", "a served model of the spec: `model.openai.NAME`")
	flags.Func("base-url", "`URL` of an OpenAI-compatible server, including /v1", nonEmpty(&f.baseURL))
	flags.Func("model-name", "`NAME` of the model on the server", nonEmpty(&f.name))
	flags.StringVar(&f.keyEnv, "api-key-env", "OPENAI_API_KEY", "environment `variable` with the server's API key; "+
		"empty means no key")
	cmd.MarkFlagsMutuallyExclusive("checkpoint", "model", "base-url")
	cmd.MarkFlagsRequiredTogether("base-url", "model-name")
}

// nonEmpty parses a flag that must not be empty, which it could be because of an unset variable. An empty value would
// be treated as absent and select another model.
func nonEmpty(to *string) func(string) error {
	return func(value string) error {
		if value == "" {
			return errors.New("the value is empty: remove the flag, or set the variable it comes from")
		}
		*to = value
		return nil
	}
}

// endpointRetries is the default number of times that a request is retried.
const endpointRetries = 4

// prepared is the input for eval, ask and play.
type prepared struct {
	config eval.Config
	source *export.Source // of a checkpoint; nil: the base policy, or a served model
}

// close closes the data and the connections.
func (p *prepared) close() {
	p.config.Plan.Close()
	if p.config.Endpoint != nil {
		p.config.Endpoint.Close()
	}
}

// prepare determines the model that responds and plans the evaluation. If it fails, diagnostics have been shown.
func (a *app) prepare(ctx context.Context, path string, flags specFlags, f modelFlags, e plan.Evaluation) (_ *prepared,
	err error) {
	flags.refresh = true
	l, err := a.load(ctx, path, flags, nil)
	if err != nil {
		return nil, err
	}
	in := plan.Inputs{
		Spec: l.spec, Train: flags.train, Catalog: l.catalog, Prepared: l.prepared, PassEnv: flags.passEnv,
		Guard: guardCommand(),
	}
	out := &prepared{config: eval.Config{PassEnv: flags.passEnv, Guard: guardCommand(), Log: a.pluginLine()}}
	if err := a.answering(ctx, out, in, f); err != nil {
		return nil, exit(run.ExitUsage, err)
	}
	e.Adapter, e.Model = out.config.Policy != nil, f.model
	p, problems := plan.ForEvaluation(ctx, in, e)
	out.config.Plan = p
	if err := a.report(forSpec(problems, path)); err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}

// answering determines the model that responds: a player, a served model, or a policy.
func (a *app) answering(ctx context.Context, out *prepared, in plan.Inputs, f modelFlags) (err error) {
	switch {
	case f.player != nil:
		out.config.Player = f.player
	case f.model != "":
		block := in.Spec.Blocks[f.model]
		if block == nil {
			return fmt.Errorf("the spec has no %s: give a block model \"openai\", as in --model model.openai.judge", f.model)
		}
		out.config.Endpoint, err = participants.Served(block)
	case f.baseURL != "":
		out.config.Endpoint, err = openai.New(openai.Config{
			BaseURL: f.baseURL, Name: f.name, APIKey: os.Getenv(f.keyEnv), MaxRetries: endpointRetries,
			Timeout: 10 * time.Minute,
		})
	case f.checkpoint == "" && plan.AllServed(in):
		out.config.Unasked = true
	case f.checkpoint == basePolicy, f.checkpoint == "" && f.orBase && a.untrained(in.Spec.Dir):
		out.config.Policy = &eval.Policy{}
	default:
		if out.source, err = export.Find(ctx, a.store(in.Spec.Dir), f.checkpoint); err != nil {
			return err
		}
		out.config.Policy = &eval.Policy{Checkpoint: out.source.Dir}
		if out.source.Manifest != nil {
			out.config.Policy.Codecs, err = run.Codecs(out.source.Manifest)
		}
	}
	return err
}

// untrained reports whether a directory has no runs.
func (a *app) untrained(dir string) bool {
	runs, err := a.store(dir).List()
	return err == nil && len(runs) == 0
}

// measured returns the exit error for a command whose episodes were not all played.
func measured(ctx context.Context, err error) error {
	var start *participants.StartError
	var config *sdk.ConfigError
	var tools *plan.ToolsError
	var tokens *openai.TokensError
	var codec *participants.CodecError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return exit(run.ExitAborted, errors.New("interrupted"))
	case errors.As(err, &config), errors.As(err, &tools), errors.As(err, &tokens), errors.As(err, &codec):
		return exit(run.ExitUsage, err)
	case errors.As(err, &start), errors.Is(err, sdk.ErrUnavailable):
		return exit(run.ExitPlugin, err)
	}
	return exit(run.ExitFailed, err)
}
