package python

import "embed"

// Sources contains the files in the Python package awhost: pyproject.toml and the importable packages. The host builds
// a wheel from them, so that plugins on machines without this repository can import the SDK.
//
//go:embed pyproject.toml awhost/*.py awhost/py.typed awhost/bridge/*.py awhost/v1/*.py awhost/v1/*.pyi awhost_bridge/*.py awhost_bridge/py.typed awhost_bridge/hf/*.py
var Sources embed.FS
