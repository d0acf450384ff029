// Package py implements Python's values in Go, so that an environment that was written in Python computes, prints, and
// compares exactly the same results, to the last character.
//
//	d := py.NewDict("balance", 210.0, "cards", py.NewList(1, true, nil))
//	py.Str(d)                     // {'balance': 210.0, 'cards': [1, True, None]}
//	py.JSON(d)                    // {"balance": 210.0, "cards": [1, true, null]}
//	py.Equal(1, true)             // true
//	_, err := py.Add("a", 1)      // TypeError: can only concatenate str (not "int") to str
//
// A Value is one of
//
//	nil          None
//	bool         bool
//	int          int that fits 64 bits
//	*big.Int     int that does not fit 64 bits; never one that fits
//	float64      float
//	string       str: UTF-8, in which a lone surrogate is written as its three bytes (WTF-8)
//	*List, Tuple, *Dict
//	Bytes        bytes
//	*Set         set
//	Slice        slice, between the brackets of a subscript
//	Ellipsis     the value written ...
//	Complex      complex
//	Decimal, MPF, MPC
//	             numbers of the decimal and mpmath libraries, in printed form
//	Object       an instance of a class, which defines its own equality
//
// Functions panic on a value that is none of these: that is a mistake in the program, not in its input. Everything that
// Python raises is an *Error, which [Must], [Check], and [Catch] propagate through a package that emulates a Python
// program.
//
// The semantics follow CPython 3.11: `sum` adds floats without compensation, and error messages match that version. The
// package does not depend on the environment that uses it.
package py
