# SPDX-License-Identifier: Apache-2.0
"""The trainer of adapter "swift". It needs awhost_bridge and ms-swift."""
