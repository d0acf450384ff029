//go:build !linux

package process

import "errors"

func awaitZombie(int) bool { return false }

func setLimits(_ int, l Limits) error {
	if l.OpenFiles != 0 || l.AddressSpaceBytes != 0 {
		return errors.New("limits on open files and address space require Linux: remove them")
	}
	return nil
}

func describeState(int) string { return "" }

func observe(int) Activity { return Activity{} }
