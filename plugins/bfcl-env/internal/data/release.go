package data

import "strings"

// documentsPart is the part of a Set that describes the functions. The other parts are its categories.
const documentsPart = "documents"

// release is bfcl-eval data that matches the functions of its version. Releases between the listed ones changed data
// and functions together, under the same file names, and match no profile.
type release struct {
	name    string
	version string
	parts   map[string]string // the sha256 of each part's files
}

// Release returns the bfcl-eval releases with exactly this data if they are known to match, or "".
func (s *Set) Release() string {
	for _, r := range releases {
		if r.version == s.Version && r.holds(s.parts) {
			return r.name
		}
	}
	return ""
}

func (r release) holds(parts map[string]string) bool {
	for part, digest := range parts {
		if r.parts[part] != digest {
			return false
		}
	}
	return true
}

// The releases with matching data, newest first.
var releases = []release{
	{name: "2025.12.5 to 2026.3.23", version: "v4", parts: map[string]string{
		"base":         "014da4aae0f24fbe286650a99beed580d0360c58b3c627c01455ffa28b4af623",
		"miss_func":    "56c0ecd1b85dbfe385cc92597424bc0b31a4148fb935cce4e3a6b5630187fe00",
		"miss_param":   "654578fc3a38d7aa49598610f804bdb7ef2fde11edb9bc472da32c97671cf3fc",
		"long_context": "d34ca863f554a31cc3ba8d79aa7a896eaaf6c7829ac0b4afb4bd2a222f928ef5",
		documentsPart:  "8ffff8620826cea6e49904e01d481469f08f69fea5e404dd5d6e5f34d8b2d6bc",
	}},
	{name: "2025.6.8 to 2025.6.15", version: "v3", parts: map[string]string{
		"base":         "2dbf39e3545b585c2828782c28908f8d0b617e499da4237ef3c144502dce3819",
		"miss_func":    "c097e56f87e2da8cceec43880ea777e460c999a2be1a66699272af44f5e143df",
		"miss_param":   "4599b8d2fe0b9ebc3d0522190e357c615da60915ad9fe30f0bc2e0f87340af04",
		"long_context": "bf37e1cd89377180f3d313bfc5849847d38dc21061f9b67e1826e16b7de03e42",
		documentsPart:  "945c522ed18d5caee6c8e20d58cd222565114de053e544aee43822490d8edcc9",
	}},
}

// Releases returns the bfcl-eval releases whose data matches a version.
func Releases(version string) string {
	for _, r := range releases {
		if r.version == version {
			return r.name
		}
	}
	return ""
}

// Download returns the command that downloads the data for a version, from the last release in the table.
func Download(version string) string {
	names := strings.Split(Releases(version), " to ")
	return "`pip download --no-deps bfcl-eval==" + names[len(names)-1] + "`"
}
