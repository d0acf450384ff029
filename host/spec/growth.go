package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/awhost/awhost/host/internal/hclsource"
)

// growth estimates the result size of each function whose result can be far larger than its arguments.
var growth = map[string]func(args []cty.Value) int{
	"format":     formatted,
	"formatlist": formatted,
	"indent": func(args []cty.Value) int {
		spaces, _ := args[0].AsBigFloat().Int64()
		return product(max(0, int(spaces)), max(1, strings.Count(args[1].AsString(), "\n")))
	},
	"join": func(args []cty.Value) int {
		elements := 0
		for _, list := range args[1:] {
			elements += list.LengthInt()
		}
		return product(elements, len(args[0].AsString()))
	},
	"replace": func(args []cty.Value) int {
		return product(strings.Count(args[0].AsString(), args[1].AsString()), len(args[2].AsString()))
	},
	"regexreplace": func(args []cty.Value) int {
		text, replacement := args[0].AsString(), args[2].AsString()
		return product(matches(args[1], text), len(replacement)) + product(strings.Count(replacement, "$"), len(text))
	},
	"regexall": func(args []cty.Value) int {
		return product(matches(args[0], args[1].AsString()), hclsource.ValueSize*(1+strings.Count(args[0].AsString(), "(")))
	},
	"split":      func(args []cty.Value) int { return values(args[1].AsString(), args[0].AsString()) },
	"csvdecode":  func(args []cty.Value) int { return values(args[0].AsString(), ",", "\n") },
	"jsondecode": func(args []cty.Value) int { return values(args[0].AsString(), ",", "[", "{") },
	"yamldecode": func(args []cty.Value) int { return values(args[0].AsString(), ",", "[", "{", "\n") },
	"setproduct": func(args []cty.Value) int {
		size := hclsource.ValueSize * (1 + len(args))
		for _, list := range args {
			size = product(size, list.LengthInt())
		}
		return size
	},
}

// limited returns a function that fails before it builds a result larger than the maximum size of all values in a file.
func limited(name string, f function.Function) function.Function {
	estimate := growth[name]
	if estimate == nil {
		return f
	}
	return function.New(&function.Spec{
		Description: f.Description(), Params: f.Params(), VarParam: f.VarParam(),
		RefineResult: func(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() },
		Type: func(args []cty.Value) (cty.Type, error) {
			plain := make([]cty.Value, len(args))
			for i := range args {
				plain[i], _ = args[i].UnmarkDeep()
			}
			result, err := f.ReturnTypeForValues(args) // first, because it checks the types of the arguments
			if err == nil && cty.TupleVal(plain).IsWhollyKnown() && estimate(plain) > hclsource.MaxSize {
				return cty.NilType, fmt.Errorf("the result would exceed %d MiB: use shorter arguments", hclsource.MaxSize>>20)
			}
			return result, err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// product returns the product of two sizes, or a size just above the maximum if the product is larger.
func product(a, b int) int {
	if b != 0 && a > hclsource.MaxSize/b {
		return hclsource.MaxSize + 1
	}
	return a * b
}

// values returns the size of a list that has one element for each separator in a string.
func values(text string, separators ...string) int {
	count := 0
	for _, separator := range separators {
		count += strings.Count(text, separator)
	}
	return product(count, hclsource.ValueSize)
}

// matches returns the number of matches, up to the maximum number of values in a file. The function itself reports an
// invalid pattern.
func matches(pattern cty.Value, text string) int {
	re, err := regexp.Compile(pattern.AsString())
	if err != nil {
		return 0
	}
	return len(re.FindAllStringIndex(text, 1+hclsource.MaxSize/hclsource.ValueSize))
}

// wideVerb matches a verb with a width or precision of three digits or more. Go ignores values above one million.
var wideVerb = regexp.MustCompile(`%[^a-zA-Z%]*[0-9]{3}`)

// formatted estimates the size of the result of format and formatlist: each verb has one of the arguments, and possibly
// a width.
func formatted(args []cty.Value) int {
	format, results, size := args[0].AsString(), 1, 0
	for _, arg := range args[1:] {
		if !arg.IsNull() && (arg.Type().IsListType() || arg.Type().IsTupleType() || arg.Type().IsSetType()) {
			results = max(results, arg.LengthInt())
		}
		size = max(size, hclsource.Size(arg, hclsource.MaxSize))
	}
	width := len(format) + 1_000_000*len(wideVerb.FindAllString(format, -1))
	return product(results, width+product(strings.Count(format, "%"), size))
}
