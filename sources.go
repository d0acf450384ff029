// Package awhost carries the sources of its SDK, for plugins that are begun where no version of this module can be downloaded.
package awhost

import "embed"

// SDK is this module as far as plugins in Go need it: go.mod and the packages below sdk, tests included.
//
//go:embed go.mod sdk/*.go sdk/client sdk/conformance sdk/internal sdk/process sdk/proto sdk/schema sdk/sdktest sdk/toolargs sdk/chat
var SDK embed.FS
