"""Loads our modules into a notebook's kernel, out of sight of its code. Given are `modules`, as boot.py has them, and `folder`."""

import sys
import types

loaded = {}
for name, source in modules:
    loaded[name] = types.ModuleType(name)
hidden = {name: sys.modules.get(name) for name in loaded}
for name, source in modules:
    sys.modules[name] = loaded[name]
    exec(compile(source, "codeact/%s.py" % name, "exec", dont_inherit=True), loaded[name].__dict__)
for name, module in hidden.items():
    if module is None:
        del sys.modules[name]
    else:
        sys.modules[name] = module
loaded["notebook"].Notebook(get_ipython(), folder).serve()
