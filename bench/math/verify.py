"""Judges answer pairs with math-verify: writes true or false for each line of the input."""

import importlib.metadata
import json
import sys

from math_verify import parse, verify
from math_verify.parser import ExprExtractionConfig, LatexExtractionConfig

print(importlib.metadata.version("math-verify"))
for line in sys.stdin:
    pair = json.loads(line)
    targets = [LatexExtractionConfig(), ExprExtractionConfig()]
    truth = parse(f"\\boxed{{{pair['task']['ground_truth']}}}", extraction_config=targets)
    print(json.dumps(bool(verify(truth, parse(pair["answer"], extraction_config=targets)))))
