"""The parts of the trainer that need no server. Run by plan_test.go in a Python with the package tinker."""

import dataclasses
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import httpx
import tinker
from awhost_bridge import Played, Row
from awhost_tinker import trainer
from awhost_tinker.errors import ServiceError, SessionLost, explained

CONFIG = {
    "base_url": "http://server", "api_key_env": "TEST_KEY", "base_model": "m", "busy_timeout": 3_000_000_000, "loss": "ppo",
    "lora_rank": 8,
}
ROW = Row("c", "", None, [5, 6, 7, 8], [0, 1, 0, 1], [0.0, -0.5, 0.0, -0.25], [(-1, 4)], [], [], 2, 1, "")


def played(reward):
    return Played(None, None, ROW, reward)


def status_error(kind, status, detail):
    response = httpx.Response(status, request=httpx.Request("POST", "http://server"))
    return kind(detail, response=response, body=None)


class Rows(unittest.TestCase):
    def test_each_id_is_predicted_from_those_before_it(self):
        sample = dataclasses.replace(played(1.0), advantage=-3.0)
        datum = trainer.datum(sample, 6)
        self.assertEqual([5, 6, 7], datum.model_input.to_ints())
        inputs = {name: list(tensor.data) for name, tensor in datum.loss_fn_inputs.items()}
        self.assertEqual({"target_tokens": [6, 7, 8], "logprobs": [-0.5, 0.0, -0.25], "advantages": [-0.5, 0.0, -0.5]}, inputs)

    def test_only_ppo_clips(self):
        self.assertEqual({"clip_low_threshold": 0.8, "clip_high_threshold": 1.28}, trainer.clip("ppo", {"clip_high": 0.28}))
        self.assertIsNone(trainer.clip("importance_sampling", {}))


class Errors(unittest.TestCase):
    def text(self, error, doing="train"):
        with self.assertRaises(ServiceError) as caught, explained(doing, CONFIG):
            raise error
        return str(caught.exception)

    def test_each_has_a_remedy(self):
        for error, want in (
            (status_error(tinker.AuthenticationError, 401, "no"), "rejects the key in TEST_KEY (HTTP 401): set a valid one"),
            (status_error(tinker.BillingError, 402, "no"), "check the billing"),
            (status_error(tinker.RateLimitError, 429, "no"), "longer than 3 s (busy_timeout): resume the run later"),
            (TimeoutError(), "longer than 3 s (busy_timeout): resume the run later"),
            (tinker.APIConnectionError(httpx.Request("GET", "http://server")), "Check base_url and the network"),
            (status_error(tinker.BadRequestError, 400, "bad\nrows"), "http://server cannot train: bad rows"),
        ):
            self.assertIn(want, self.text(error))
        missing = status_error(tinker.NotFoundError, 404, "no such path")
        self.assertIn("If it was deleted there, start another run", self.text(missing, "load the checkpoint"))

    def test_the_error_below_the_one_of_the_client_counts(self):
        try:
            raise ValueError("Error retrieving result") from status_error(tinker.AuthenticationError, 401, "no")
        except ValueError as e:
            self.assertIn("rejects the key", self.text(e))

    def test_a_dropped_session_is_not_the_end(self):
        for error in (status_error(tinker.NotFoundError, 404, "Session not found"),
                      status_error(tinker.NotFoundError, 404, "Model 's:train:0' not found"),
                      status_error(tinker.APIStatusError, 410, "gone")):
            with self.assertRaises(SessionLost), explained("train", CONFIG):
                raise error

    def test_a_missing_key_is_named(self):
        with mock.patch.dict(os.environ, {"TEST_KEY": ""}), self.assertRaisesRegex(ServiceError, "TEST_KEY is not set"):
            trainer.Tinker(CONFIG, {"seed": 1}, {}, [0]).max_context()

    def test_a_checkpoint_of_another_model_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, trainer.STATE).write_text(json.dumps({"base_model": "other", "state": "tinker://x"}))
            with self.assertRaisesRegex(ServiceError, "has weights of other, not of m"):
                trainer.Tinker(CONFIG, {"seed": 1}, {}, [0]).load(pathlib.Path(folder), optimizer=True)


if __name__ == "__main__":
    unittest.main()
