"""Goes before `boot`: limits of this process, which all that it starts inherits. The first argument is `NAME=number,...`.

`ENTER` is a descriptor, of a control group's list of tasks: what enters by itself and has one thread does so at once, where the
system would wait for all its processors else.
"""

import os
import resource
import sys


def keep_to(name, number):
    if name == "ENTER":
        os.write(number, b"0")
        os.close(number)
        return
    limit = getattr(resource, "RLIMIT_" + name)
    hardest = resource.getrlimit(limit)[1]
    if hardest != resource.RLIM_INFINITY:
        number = min(number, hardest)
    resource.setrlimit(limit, (number, number))


for pair in sys.argv.pop(1).split(","):
    keep_to(pair.partition("=")[0], int(pair.partition("=")[2]))
