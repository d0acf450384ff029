# SPDX-License-Identifier: Apache-2.0
orms = {}


class ORM:
    pass
