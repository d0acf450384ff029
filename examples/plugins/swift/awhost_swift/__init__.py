# SPDX-License-Identifier: Apache-2.0
"""An adapter of awhost for ModelScope's ms-swift."""

import awhost

from .adapter import Swift


def main() -> None:
    awhost.serve("swift", "0.1.0", Swift)
