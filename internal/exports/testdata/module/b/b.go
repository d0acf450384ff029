// Package b uses a.
package b

import "example.org/module/a"

var _ = a.Used(nil)
var _ = a.One
