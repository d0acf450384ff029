# SPDX-License-Identifier: Apache-2.0
"""What runs in the user's Python, beside ms-swift: it knows awhost_bridge, and nothing of the SDK."""
