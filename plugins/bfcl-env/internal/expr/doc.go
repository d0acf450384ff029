// Package expr parses the Python expressions that occur in calls, writes them as ast.unparse does, and computes their
// values. It is used both to decode model output, to execute the decoded calls, and to read the constants of
// BFCL's modules, so that all parse the same language.
//
//	n, err := expr.Parse("[cd(folder='a' 'b'), tail(lines=2+3)]")
//	n.(expr.List).Items[0].Unparse()            // cd(folder='ab')
//	v, err := expr.Evaluate("{1, 2} | {3}", nil) // a *py.Set
//
// Arithmetic, subscripts and comparisons of values are computed, bounded. No other part of Python is supported: no
// functions except those given to Evaluate, no methods of values, and no lambdas, comprehensions, or format strings.
package expr
