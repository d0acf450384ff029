package py

import "runtime"

// Must returns v, or panics with err as Python raises an exception: the function that defers [Catch] returns it. A
// package that emulates a Python program raises inside, and its exported functions return errors.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Check panics with err unless it is nil; see [Must].
func Check(err error) {
	if err != nil {
		panic(err)
	}
}

// Catch, when deferred, stores the error that a panic was raised with. Other panics continue.
func Catch(err *error) {
	switch raised := recover().(type) {
	case nil:
	case runtime.Error:
		panic(raised)
	case error:
		*err = raised
	default:
		panic(raised)
	}
}
