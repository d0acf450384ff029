"""The parts of a plan that do not depend on the framework."""

from __future__ import annotations

import json
import pathlib
import tempfile
import unittest
from typing import Any

from awhost_bridge import knobs_of, stage_settings

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost.bridge import plan_knobs, plan_packages, plan_policy, trainer_request
    from awhost.v1.adapter_pb2 import Knobs, PlanRequest, PlanResponse, TrainRequest
    from awhost.v1.config_pb2 import Diagnostic


@grpc_installed
class PlanTest(unittest.TestCase):
    def knobs(self, **tree: Any) -> dict[str, str]:
        out = PlanResponse()
        plan_knobs(
            out, Knobs(json=json.dumps(tree).encode()), applied=["optimizer.learning_rate", "algorithm.name"],
            refused={"mini_batch.size": "one update"}, values={"algorithm.name": ("grpo",)},
        )
        return {k.knob: k.refused or k.key for k in out.knobs}

    def test_each_knob_of_the_spec_is_applied_or_refused(self) -> None:
        told = self.knobs(
            steps=3, optimizer={"learning_rate": 0.1, "beta1": 0.9}, mini_batch={"size": 4}, algorithm={"name": "grpo"},
            set=["steps", "optimizer", "optimizer.learning_rate", "optimizer.beta1", "mini_batch", "mini_batch.size",
                 "algorithm", "algorithm.name", "brand.new"],
        )
        none = "the framework has no such setting"
        self.assertEqual({
            "steps": "awhost", "optimizer": "awhost", "optimizer.learning_rate": "optimizer.learning_rate",
            "algorithm": "awhost", "algorithm.name": "algorithm.name", "mini_batch": "awhost",
            "optimizer.beta1": none, "mini_batch.size": "one update", "brand.new": none,
        }, told)

    def test_a_value_that_the_trainer_lacks_is_refused(self) -> None:
        told = self.knobs(algorithm={"name": "gspo"}, set=["algorithm.name"])
        self.assertEqual("it is 'gspo', and this adapter has grpo", told["algorithm.name"])

    def test_packages(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "bin", "python")
            (pathlib.Path(folder) / "lib/python3.11/site-packages/fw-1.2.dist-info").mkdir(parents=True)
            out = PlanResponse()
            plan_packages(out, python, {"fw": ((1,), (2,))})
            self.assertIn("does not exist", out.diagnostics[0].detail)
            python.parent.mkdir()
            python.write_text("")
            out = PlanResponse()
            plan_packages(out, python, {"fw": ((1,), (2,)), "other": ((1,), (2,))})
        self.assertEqual(["fw 1.2"], [r.detail for r in out.requirements if r.met])
        self.assertIn("pip install 'other>=1,<2'", out.diagnostics[0].detail)
        self.assertEqual(["python"], list(out.diagnostics[0].attribute.steps))

    def test_the_trainers_request_has_no_variables(self) -> None:
        knobs = Knobs(json=b'{"steps": 3, "env": {"TOKEN": "secret"}}')
        given = TrainRequest(launch_id="l", knobs=knobs, config_json=b'{"key": "secret"}')
        out = trainer_request(given)
        self.assertEqual(({"steps": 3}, "l"), (knobs_of(out), stage_settings(out, patience=1.0)["launch"]))
        self.assertNotIn("configJson", out)
        self.assertEqual(knobs, given.knobs, "the request itself is unchanged")

    def test_the_policy(self) -> None:
        out = PlanResponse()
        plan_policy(out, PlanRequest())
        self.assertIn("policy = model.hf.policy", out.diagnostics[0].detail)
        out = PlanResponse()
        plan_policy(out, PlanRequest(policy_json=b'{"path": "/nowhere"}'))
        self.assertIn("not checked: /nowhere is not a folder", out.notes[0])
        self.assertEqual([], [d.detail for d in out.diagnostics if d.severity == Diagnostic.SEVERITY_ERROR])


if __name__ == "__main__":
    unittest.main()
