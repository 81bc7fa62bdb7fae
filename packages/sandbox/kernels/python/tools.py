"""Host tools as Python functions. A tool's code never comes here: a call travels to the host, and its result back."""

import builtins

import values


class ToolError(RuntimeError):
    """A host tool failed. `name` is the name of the host's error."""

    def __init__(self, name, message):
        super().__init__(message if name in ("Error", "") else "%s: %s" % (name, message))
        self.name = name


class HostTool:
    """A tool: `tool(...)` waits for the result, `await tool.aio(...)` lets other tasks run meanwhile."""

    def __init__(self, declaration, transport):
        self.__name__ = self.__qualname__ = declaration["name"]
        self.__doc__ = declaration["description"]
        self._parameters = declaration["parameters"]
        self._transport = transport

    @property
    def __signature__(self):
        return _signature(self._parameters)

    def __call__(self, *args, **kwargs):
        request = self._request(args, kwargs)
        return unwrap(self._transport.call(request))

    async def aio(self, *args, **kwargs):
        request = self._request(args, kwargs)
        return unwrap(await self._transport.call_async(request))

    def _request(self, args, kwargs):
        return {"name": self.__name__, "args": values.encode(args), "kwargs": {k: values.encode(v) for k, v in kwargs.items()}}

    def __repr__(self):
        return "<tool %s%s>" % (self.__name__, self.__signature__)


def _signature(parameters):
    import inspect  # Worth milliseconds of each start, and seldom asked for.

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(p["name"], kind, default=inspect.Parameter.empty if p["required"] else p.get("default"))
            for p in parameters
        ]
    )


def unwrap(outcome):
    """The value of a tool's outcome, or the exception that stands for its failure."""
    if outcome["ok"]:
        return values.decode(outcome["value"])
    name, message = outcome["error"]["name"], outcome["error"]["message"]
    if name in ("TypeError", "NameError", "RuntimeError"):
        raise getattr(builtins, name)(message)
    raise ToolError(name, message)


def namespace(declarations, transport):
    """What the user's globals start with."""
    tools = {declaration["name"]: HostTool(declaration, transport) for declaration in declarations}
    return {"ToolError": ToolError, **tools} if tools else {}
