// Package expr reads expressions of Python, as far as calls are made of them, writes them anew as ast.unparse does, and computes
// their values. What models write is decoded with it, and what is decoded executed: both read the same.
//
//	n, err := expr.Parse("[cd(folder='a' 'b'), tail(lines=2+3)]")
//	n.(expr.List).Items[0].Unparse()            // cd(folder='ab')
//	v, err := expr.Evaluate("{1, 2} | {3}", nil) // a *py.Set
//
// Arithmetic, subscripts and comparisons of values are computed, bounded. Nothing else of Python is: no function but those that
// Evaluate is given, no method of a value, no lambda, comprehension or format string.
package expr
