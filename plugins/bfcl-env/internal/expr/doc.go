// Package expr parses the Python expressions that occur in calls, writes them like ast.unparse, and computes their
// values. It is used both to decode model outputs and to execute the decoded calls, so both parse the same language.
//
//	n, err := expr.Parse("[cd(folder='a' 'b'), tail(lines=2+3)]")
//	n.(expr.List).Items[0].Unparse()            // cd(folder='ab')
//	v, err := expr.Evaluate("{1, 2} | {3}", nil) // a *py.Set
//
// Arithmetic, subscripts and comparisons of values are computed, bounded. Nothing else of Python is supported: no
// functions except those given to Evaluate, no methods of values, no lambda, comprehension or format string.
package expr
