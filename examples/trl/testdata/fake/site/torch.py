# SPDX-License-Identifier: Apache-2.0
"""Nothing of torch is called here."""
