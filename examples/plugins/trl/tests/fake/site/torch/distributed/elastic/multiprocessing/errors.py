# SPDX-License-Identifier: Apache-2.0
def record(function):
    return function
