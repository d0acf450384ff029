"""Fields of a framework, set by the spec and by the user in the framework's names."""

from __future__ import annotations

import json
import unittest
from typing import Any

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost.fields import Fields, Vocabulary
    from awhost.installed import DataclassField
    from awhost.v1.adapter_pb2 import Knobs, PlanResponse

    KNOWN = {"lr": DataclassField("float", 1e-6), "scale": DataclassField("str", "group"), "name": DataclassField("str | None", None), "steps": DataclassField("int", -1),
             "output_dir": DataclassField("str", None)}
    VOCABULARY = Vocabulary(
        mapped={"optimizer.learning_rate": "lr", "algorithm.normalize_by": "scale", "algorithm.entropy": "entropy_coef", "steps": "steps"}, derived={"batch.prompts": "steps"},
        done=["validate.every"], refused={"mini_batch.size": "one update"}, values={"algorithm.normalize_by": {"std": "group", "none": "none"}}, owned={"awhost does that": ("output_",)},
    )


@grpc_installed
class FieldsTest(unittest.TestCase):
    def fields(self, **tree: Any) -> Any:
        return Fields(VOCABULARY, KNOWN, Knobs(json=json.dumps(tree).encode()))

    def test_knobs_become_fields_or_are_refused(self) -> None:
        fields = self.fields(
            optimizer={"learning_rate": 0.1}, algorithm={"normalize_by": "none", "entropy": 0.1}, validate={"every": 5}, env={"A": "b"},
            set=["optimizer.learning_rate", "algorithm.normalize_by", "algorithm.entropy", "algorithm", "validate.every", "env", "mini_batch.size", "brand.new"],
        )
        self.assertEqual({"lr": 0.1, "scale": "none"}, fields.values)
        self.assertEqual({"lr": "optimizer.learning_rate", "scale": "algorithm.normalize_by"}, fields.origins)
        told = {k.knob: k.refused or k.key for k in fields.knobs}
        self.assertEqual("one update", told["mini_batch.size"])
        self.assertEqual(("lr", "scale", "awhost", "awhost"), tuple(told[k] for k in ("optimizer.learning_rate", "algorithm.normalize_by", "validate.every", "env")))
        for knob in ("algorithm.entropy", "brand.new"):  # one that this version lacks, one unknown
            self.assertIn("no such setting", told[knob])
        self.assertEqual((0.1, -1), (fields.get("lr"), fields.get("steps")))

    def test_a_value_that_the_framework_lacks_is_refused(self) -> None:
        fields = self.fields(algorithm={"normalize_by": "batch"}, set=["algorithm.normalize_by"])
        self.assertEqual(["it is 'batch', and this adapter has std, none"], [k.refused for k in fields.knobs if k.knob == "algorithm.normalize_by"])
        self.assertEqual({}, fields.values)

    def test_what_the_user_wrote_is_checked(self) -> None:
        fields = self.fields(steps=3, set=["steps"], overrides={"lr": "0.5", "name": "3", "scale": "x"})
        fields.take("config", {"lr": "high", "steps": 4, "output_dir": "/tmp", "lrr": 1})
        self.assertEqual({"steps": 3, "lr": 0.5, "name": "3", "scale": "x"}, fields.values)
        self.assertEqual({"steps": "steps", "lr": "overrides", "name": "overrides", "scale": "overrides"}, fields.origins)
        said = {p.attribute.steps[-1]: p.detail for p in fields.problems}
        self.assertEqual({"lr", "steps", "output_dir", "lrr"}, set(said))
        for key, part in (("lr", "takes float"), ("steps", "the spec says it in steps"), ("output_dir", "awhost does that"), ("lrr", "did you mean lr?")):
            self.assertIn(part, said[key])

    def test_a_plan_is_told(self) -> None:
        fields, out = self.fields(steps=3, set=["steps"]), PlanResponse()
        fields.put("required by awhost", name=None)
        fields.wrong("No batch", "Write one.", "batch")
        fields.tell(out, "warm/")
        self.assertEqual([("warm/name", b"null", "required by awhost"), ("warm/steps", b"3", "steps")], [(e.key, e.value_json, e.origin) for e in out.effective])
        self.assertEqual(["No batch"], [d.summary for d in out.diagnostics])
        self.assertIn("steps", [k.knob for k in out.knobs])


if __name__ == "__main__":
    unittest.main()
