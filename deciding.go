package awhost

import "embed"

// DecidingDigest is the digest of the sources in Deciding. It is empty if Deciding contains them. internal/release
// replaces this file in released programs, which would contain 4 MB of sources only to hash them.
const DecidingDigest = ""

// Deciding lists the sources that determine a run's results: the bundled plugins, the SDK, and the host packages that
// choose, drive, score, and count episodes. host/build hashes them, and internal/architecture ensures that no package
// used by a run is omitted.
//
//go:embed all:plugins all:sdk
//go:embed all:host/agent all:host/hostserver all:host/participants all:host/dataset all:host/gateway all:host/plan
//go:embed all:host/plugin all:host/madness all:host/lockfile all:host/internal/wholefile all:host/internal/jsonscan
//go:embed all:host/internal/hclsource all:host/rollout all:host/run
//go:embed all:host/runstore all:host/spec
var Deciding embed.FS
