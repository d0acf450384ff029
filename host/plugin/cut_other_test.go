//go:build !linux

package plugin_test

import "errors"

func cutOff() error { return errors.New("only known how to do on Linux") }
