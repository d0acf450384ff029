import ast, json, re, signal, sys, zipfile
wheel = sys.argv[1]
sys.path.insert(0, wheel)
source = zipfile.ZipFile(wheel).read("bfcl_eval/model_handler/utils.py").decode()
wanted = {"ast_parse","resolve_ast_call","resolve_ast_by_type","parse_nested_value","decoded_output_to_execution_list","default_decode_execute_prompting"}
tree = ast.parse(source)
tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in wanted]
from bfcl_eval.constants.enums import ReturnFormat
space = {"ast": ast, "json": json, "re": re, "ReturnFormat": ReturnFormat}
exec(compile(tree, "utils.py", "exec"), space)
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
n=0
for line in sys.stdin:
    q = json.loads(line); n+=1
    signal.alarm(2)
    try:
        if "text" in q:
            try: out = {"decoded": space["default_decode_execute_prompting"](q["text"])}
            except TimeoutError: raise
            except BaseException as e: out = {"error": type(e).__name__+": "+str(e)[:200]}
        else:
            r,_ = multi_turn_utils.execute_multi_turn_func_call([q["call"]], q["config"], q["classes"], "m", "e%d"%n)
            out = {"output": r[0]}
    except BaseException as e: out = {"skipped": repr(e)}
    signal.alarm(0)
    print(json.dumps(out), flush=True)
