# SPDX-License-Identifier: Apache-2.0
"""An adapter of awhost for Hugging Face TRL."""

import awhost

from .adapter import Trl


def main() -> None:
    awhost.serve("trl", "0.1.0", Trl)
