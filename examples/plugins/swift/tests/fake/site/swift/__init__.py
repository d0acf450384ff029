# SPDX-License-Identifier: Apache-2.0
__version__ = "4.6.0"
