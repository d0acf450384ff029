package py

import "runtime"

// Must returns v, or panics with err in the same way as Python raises an exception: the function that defers [Catch]
// returns err. A package that emulates a Python program raises errors internally, and its exported functions return
// them.
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

// Catch, when deferred, stores the error with which a panic was raised. Other panics continue.
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
