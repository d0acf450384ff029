package view

import (
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
)

// expectPlugin adds a plugin that has not reported a state yet.
func (m *Model) expectPlugin(ref event.PluginRef) {
	instance := text.Clean(ref.Instance)
	for _, known := range m.plugins {
		if known.Instance == instance {
			return
		}
	}
	m.plugins = append(m.plugins, event.PluginState{
		Instance: instance, Component: text.Clean(ref.Component),
		Plugin: text.Clean(ref.Plugin), Version: text.Clean(ref.Version),
	})
}

func (m *Model) pluginChanged(p event.PluginState) {
	p.Instance, p.Component, p.Plugin = text.Clean(p.Instance), text.Clean(p.Component), text.Clean(p.Plugin)
	p.Version, p.Detail = text.Clean(p.Version), text.Clean(p.Detail)
	if p.State == event.PluginReady {
		m.waiting = m.now
	}
	if p.State == event.PluginRestarting && strings.HasPrefix(p.Instance, "adapter.") {
		m.trainerStarts()
	}
	if p.State == event.PluginRestarting || p.State == event.PluginCrashed {
		m.log(event.LevelError, p.Instance, "the plugin "+deathOf(p))
	}
	for i, known := range m.plugins {
		if known.Instance == p.Instance {
			m.plugins[i] = p
			return
		}
	}
	m.plugins = append(m.plugins, p)
}

// deathOf returns, for example, "died and is started again: exit status 2". The reason why a run ended is left to the
// summary.
func deathOf(p event.PluginState) string {
	begin, isStart := strings.CutPrefix(p.Detail, "start plugin "+p.Instance+": ")
	end, isEnd := strings.CutPrefix(p.Detail, "plugin "+p.Instance+" died, ")
	again := p.State == event.PluginRestarting
	switch {
	case isStart && again:
		return text.Join(": ", "did not start and is started again", begin)
	case isStart:
		return "does not start"
	case isEnd:
		return "died, " + end
	case again:
		return text.Join(": ", "died and is started again", p.Detail)
	}
	return text.Join(": ", "died", p.Detail)
}

// pluginLook returns the mark, word and style for a state.
func (m *Model) pluginLook(state event.PluginPhase) (mark, word string, style text.Style) {
	switch state {
	case event.PluginReady:
		return "●", "ready", m.Styles.Good
	case event.PluginStarting:
		return "◌", "starting", m.Styles.Warn
	case event.PluginRestarting:
		return "↻", "restarting", m.Styles.Warn
	case event.PluginCrashed:
		return "✗", "crashed", m.Styles.Bad
	case event.PluginStopped:
		return "○", "stopped", m.Styles.Dim
	}
	return "·", "waiting", m.Styles.Dim
}

// shortName returns "calculator.desk" for "environment.calculator.desk".
func shortName(instance string) string {
	if _, rest, ok := strings.Cut(instance, "."); ok {
		return rest
	}
	return instance
}
