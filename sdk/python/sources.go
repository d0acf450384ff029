package python

import "embed"

// Sources is what the Python package awhost is made of: pyproject.toml and the importable packages. The host makes a wheel of it, so that
// the plugin of a machine without this repository finds the SDK.
//
//go:embed pyproject.toml awhost/*.py awhost/py.typed awhost/bridge/*.py awhost/v1/*.py awhost/v1/*.pyi awhost_bridge/*.py awhost_bridge/py.typed awhost_bridge/hf/*.py
var Sources embed.FS
