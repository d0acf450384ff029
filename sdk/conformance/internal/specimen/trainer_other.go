//go:build !unix

package specimen

import "errors"

func startTrainer() (end func(), err error) {
	return nil, errors.New("this system does not support sessions")
}
