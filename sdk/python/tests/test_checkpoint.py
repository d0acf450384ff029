"""Completion of a checkpoint before it is announced."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from awhost_bridge import seal


class SealTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name) / "checkpoint-1"
        (self.top / "part").mkdir(parents=True)
        (self.top / "model.safetensors").write_bytes(b"weights")
        (self.top / "part" / "optimizer.pt").write_bytes(b"moments")
        (self.top / "log.json").write_text("08:00")

    def digest(self, step: int = 1) -> str:
        return seal(self.top, step, ("*.safetensors", "optimizer.pt"))

    def test_the_digest_is_of_the_step_and_what_was_named(self) -> None:
        before = self.digest()
        (self.top / "log.json").write_text("09:00")
        self.assertEqual(before, self.digest())
        self.assertNotEqual(before, self.digest(step=2))
        (self.top / "part" / "optimizer.pt").write_bytes(b"other moments")
        self.assertNotEqual(before, self.digest())

    def test_bytes_that_move_from_one_file_to_another_change_it(self) -> None:
        before = self.digest()
        (self.top / "model.safetensors").write_bytes(b"weight")
        (self.top / "part" / "optimizer.pt").write_bytes(b"smoments")
        self.assertNotEqual(before, self.digest())

    def test_a_folder_without_weights_is_no_checkpoint(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "no checkpoint"):
            seal(self.top, 1, ("*.bin",))


if __name__ == "__main__":
    unittest.main()
