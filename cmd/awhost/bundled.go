package main

import (
	"slices"
	"sort"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/plugins/areal"
	bfclenv "github.com/awhost/awhost/plugins/bfcl-env"
	"github.com/awhost/awhost/plugins/calculator"
	codeenv "github.com/awhost/awhost/plugins/code-env"
	commandplugin "github.com/awhost/awhost/plugins/command"
	cosinereward "github.com/awhost/awhost/plugins/cosine-reward"
	countdownreward "github.com/awhost/awhost/plugins/countdown-reward"
	envservice "github.com/awhost/awhost/plugins/env-service"
	environmentreward "github.com/awhost/awhost/plugins/environment-reward"
	formatreward "github.com/awhost/awhost/plugins/format-reward"
	gaiareward "github.com/awhost/awhost/plugins/gaia-reward"
	llmjudgereward "github.com/awhost/awhost/plugins/llm-judge-reward"
	"github.com/awhost/awhost/plugins/local"
	mathreward "github.com/awhost/awhost/plugins/math-reward"
	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	pythonplugin "github.com/awhost/awhost/plugins/python"
	serveplugin "github.com/awhost/awhost/plugins/serve"
	"github.com/awhost/awhost/plugins/swift"
	"github.com/awhost/awhost/plugins/tinker"
	"github.com/awhost/awhost/plugins/trl"
	"github.com/awhost/awhost/plugins/verl"
	"github.com/awhost/awhost/sdk"
)

// plugins returns the plugins in this binary, keyed by name. They run as separate processes: `awhost plugin serve
// NAME`.
func plugins() map[string]sdk.Plugin {
	out := map[string]sdk.Plugin{}
	for _, p := range []sdk.Plugin{
		areal.Plugin(), bfclenv.Plugin(), calculator.Plugin(), codeenv.Plugin(), commandplugin.Plugin(),
		cosinereward.Plugin(), countdownreward.Plugin(), envservice.Plugin(), environmentreward.Plugin(),
		formatreward.Plugin(), gaiareward.Plugin(), llmjudgereward.Plugin(), local.Plugin(), mathreward.Plugin(),
		mcpenv.Plugin(), pythonplugin.Plugin(), serveplugin.Plugin(), swift.Plugin(), tinker.Plugin(), trl.Plugin(),
		verl.Plugin(),
	} {
		out[p.Name] = p
	}
	return out
}

func pluginNames() []string {
	var names []string
	for name := range plugins() {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// bundled returns the same plugins for the catalog.
func bundled() (map[string]catalog.Bundled, error) {
	self, err := build.SelfPath()
	if err != nil {
		return nil, err
	}
	this, err := thisBuild()
	if err != nil {
		return nil, err
	}
	out := map[string]catalog.Bundled{}
	for name, p := range plugins() {
		out[name] = catalog.Bundled{Description: p.Describe(), Hash: this.Identity,
			Command: slices.Concat([]string{self}, servePlugin, []string{name})}
	}
	return out, nil
}
