# SPDX-License-Identifier: Apache-2.0
"""The trainer of adapter "trl". It needs awhost_bridge and TRL."""
