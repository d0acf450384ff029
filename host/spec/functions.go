package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/awhost/awhost/host/internal/hclsource"
)

// pureFunctions depend only on their arguments. They use neither a clock nor randomness: the same spec defines the
// same run each time it is read.
var pureFunctions = map[string]function.Function{
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "int": stdlib.IntFunc,
	"log": stdlib.LogFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc,
	"pow": stdlib.PowFunc, "signum": stdlib.SignumFunc,

	"chomp": stdlib.ChompFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc,
	"indent": stdlib.IndentFunc,
	"join":   stdlib.JoinFunc, "lower": stdlib.LowerFunc, "regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc,
	"regexreplace": stdlib.RegexReplaceFunc, "replace": stdlib.ReplaceFunc, "split": stdlib.SplitFunc,
	"strlen": stdlib.StrlenFunc,
	"strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc, "trim": stdlib.TrimFunc,
	"trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc,
	"upper": stdlib.UpperFunc,

	"chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc,
	"compact": stdlib.CompactFunc, "concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc,
	"distinct": stdlib.DistinctFunc,
	"element":  stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc,
	"lookup": stdlib.LookupFunc, "merge": stdlib.MergeFunc, "range": stdlib.RangeFunc, "reverse": stdlib.ReverseListFunc,
	"setintersection": stdlib.SetIntersectionFunc, "setproduct": stdlib.SetProductFunc,
	"setsubtract": stdlib.SetSubtractFunc,
	"setunion":    stdlib.SetUnionFunc, "slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "values": stdlib.ValuesFunc,
	"zipmap": stdlib.ZipmapFunc,

	"tobool": stdlib.MakeToFunc(cty.Bool), "tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)),
	"tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)), "tonumber": stdlib.MakeToFunc(cty.Number),
	"toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),

	"csvdecode": stdlib.CSVDecodeFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
	"yamldecode": ctyyaml.YAMLDecodeFunc, "yamlencode": ctyyaml.YAMLEncodeFunc,

	"can": tryfunc.CanFunc, "try": tryfunc.TryFunc,
}

// newFunctions returns the functions of one spec: the pure functions and functions that read its directory and
// environment.
func newFunctions(s *scope, env *environment) map[string]function.Function {
	functions := make(map[string]function.Function, len(pureFunctions)+3)
	for name, f := range pureFunctions {
		functions[name] = limited(name, f)
	}
	functions["env"] = envFunction(s, env)
	functions["file"] = fileFunction(s.dir)
	functions["templatefile"] = templateFileFunction(s.dir, functions)
	return functions
}

// episodeFunctions returns the functions for expressions that are evaluated for every episode. They depend only on the
// spec: files and the environment are read once, when the spec is loaded.
func episodeFunctions(all map[string]function.Function) map[string]function.Function {
	functions := make(map[string]function.Function, len(all))
	for name, f := range all {
		functions[name] = f
		if _, pure := pureFunctions[name]; !pure {
			functions[name] = refused(name)
		}
	}
	return functions
}

func refused(name string) function.Function {
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true,
			AllowMarked: true, AllowDynamicType: true},
		Type: func([]cty.Value) (cty.Type, error) {
			return cty.NilType, fmt.Errorf("%s cannot be called for every episode. Move the call into a separate local, and "+
				"refer to local.NAME here", name)
		},
		Impl: func(_ []cty.Value, ty cty.Type) (cty.Value, error) { return cty.UnknownVal(ty), nil },
	})
}

func envFunction(s *scope, env *environment) function.Function {
	return function.New(&function.Spec{
		Description: "The value of an environment variable. It is sensitive. Without a default, an unset variable is an error.",
		Params:      []function.Parameter{{Name: "name", Type: cty.String, Description: "The variable's name."}},
		VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true,
			Description: "The value used if the variable is not set."},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if len(args) > 2 {
				return cty.NilVal, function.NewArgErrorf(2, "env takes a name and at most one default")
			}
			name := args[0].AsString()
			mark := secretMark{origin: "env:" + name}
			env.asked[name] = true
			if value, ok := env.lookup(name); ok {
				v := cty.StringVal(value)
				s.redactor.learn(v)
				return v.Mark(mark), nil
			}
			if len(args) == 2 {
				v, err := convert.Convert(args[1], cty.String)
				if err != nil {
					return cty.NilVal, function.NewArgErrorf(1, "the default must be a string, like the values of environment "+
						"variables: %w", err)
				}
				return v.Mark(mark), nil
			}
			return cty.NilVal, function.NewArgError(0, unsetError{name, fmt.Sprintf(`env(%q, "…")`, name)})
		},
	})
}

// unsetError reports an environment variable that is not set and shows how to write a default.
type unsetError struct{ name, withDefault string }

func (e unsetError) Error() string {
	return fmt.Sprintf("the environment variable %s is not set. Set it, add it to a .env file next to the spec, or give "+
		"a default: %s", e.name, e.withDefault)
}

func fileFunction(dir string) function.Function {
	return function.New(&function.Spec{
		Description: "The UTF-8 contents of a file in or below the spec's directory.",
		Params: []function.Parameter{{Name: "path", Type: cty.String,
			Description: "Path to the file, relative to the spec's directory."}},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := readBelow(dir, args[0].AsString())
			if err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			return cty.StringVal(text), nil
		},
	})
}

// templateFileFunction returns a variant of file() that fills in ${…}. A template can use its variables and the
// functions, except functions that read files: a template cannot include itself.
func templateFileFunction(dir string, functions map[string]function.Function) function.Function {
	return function.New(&function.Spec{
		Description: "Renders a template file in or below the spec's directory.",
		Params: []function.Parameter{
			{Name: "path", Type: cty.String, Description: "Path to the file, relative to the spec's directory."},
			{Name: "vars", Type: cty.DynamicPseudoType, Description: "An object containing the template variables."},
		},
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			path := args[0].AsString()
			text, err := readBelow(dir, path)
			if err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			if ty := args[1].Type(); !ty.IsObjectType() && !ty.IsMapType() {
				return cty.NilVal, function.NewArgErrorf(1, "the template variables must be an object: { name = value }")
			}
			ctx := &hcl.EvalContext{Variables: args[1].AsValueMap(), Functions: map[string]function.Function{}}
			for name, f := range functions {
				if name != "file" && name != "templatefile" {
					ctx.Functions[name] = f
				}
			}
			return renderTemplate(path, text, ctx)
		},
	})
}

func renderTemplate(path, text string, ctx *hcl.EvalContext) (cty.Value, error) {
	template, problems := hclsource.ParseTemplate([]byte(text), path)
	if problems.HasErrors() {
		return cty.NilVal, function.NewArgError(0, problems)
	}
	for _, t := range template.Variables() {
		if _, ok := ctx.Variables[t.RootName()]; !ok {
			return cty.NilVal, function.NewArgErrorf(1, "the template uses the undefined variable %s at "+
				"%s", t.RootName(), place(t.SourceRange()))
		}
	}
	value, problems := template.Value(ctx)
	if problems.HasErrors() {
		return cty.NilVal, function.NewArgError(0, problems)
	}
	return convert.Convert(value, cty.String)
}

// largestFile is the maximum size in bytes of a file that a spec may read.
const largestFile = 16 << 20

// readBelow reads a text file below dir. Neither .. nor a symbolic link can leave dir.
func readBelow(dir, path string) (string, error) {
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) {
		relative, err := filepath.Rel(dir, local)
		if err != nil {
			return "", outside(path)
		}
		local = relative
	}
	if !filepath.IsLocal(local) {
		return "", outside(path)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("read the spec's directory: %w", err)
	}
	defer root.Close()
	info, err := root.Stat(local)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("file %s does not exist in the spec's directory%s", path, nearbyFile(dir, local))
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return "", outside(path)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file", path)
	case info.Size() > largestFile:
		return "", fmt.Errorf("%s is larger than %d MiB, the limit for files that a spec reads", path, largestFile>>20)
	}
	text, err := root.ReadFile(local)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(text) {
		return "", fmt.Errorf("%s is not UTF-8 text", path)
	}
	return string(text), nil
}

func outside(path string) error {
	return fmt.Errorf("%s is outside the spec's directory: a spec can read only files in or below its directory", path)
}

// nearbyFile suggests a file with a similar name in the same directory.
func nearbyFile(dir, path string) string {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.Dir(path)))
	if err != nil {
		return ""
	}
	var names []string
	for _, entry := range entries {
		names = append(names, filepath.ToSlash(filepath.Join(filepath.Dir(path), entry.Name())))
	}
	if best := Nearest(filepath.ToSlash(path), names); best != "" {
		return "; a similar file is " + quote(best)
	}
	return ""
}
