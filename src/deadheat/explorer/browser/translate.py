"""The engine's files as MicroPython understands them: the same statements without types and documentation.

Nothing is computed differently: annotations and docstrings go, and spellings that MicroPython lacks are put
in others (a dict with its order, stars in displays, a number compared with an array, f-strings, records).
"""

from __future__ import annotations

import ast
from typing import Any

TYPING = {"typing", "collections.abc", "numpy.typing", "__future__"}
BUILT_IN = {"tuple", "list", "dict", "set"}
RECORDS = {"NamedTuple": "_Row", "Protocol": "object"}
METHODS = {"removesuffix", "is_integer"}
NUMBERS = {
    "float",
    "int",
    "round",
}  # of an array of one, which must not say how: then 1 / array would ask it first
COMPARED = {ast.Lt: "_lt", ast.LtE: "_le", ast.Gt: "_gt", ast.GtE: "_ge"}
LANGUAGE = "deadheat.explorer.browser.language"
HELPERS: tuple[str, ...] = (
    "_Data",
    "_Row",
    "_cached",
    "_dict",
    "_list",
    "_lt",
    "_le",
    "_gt",
    "_ge",
    "_one",
    "_shown",
    "_slice",
    "replace",
)
HELPERS += tuple(f"_{name}" for name in sorted(METHODS))
CACHES = {"cache", "lru_cache"}


def translated(source: str, *, plain: bool = False) -> str:
    """Translate one file.

    Parameters
    ----------
    source : str
    plain : bool
        Leave comparisons alone: for the stand-ins themselves, which compare numbers only.
    """
    text = ast.unparse(ast.fix_missing_locations(_Translator(plain).visit(ast.parse(source))))
    used = [name for name in HELPERS if f"{name}(" in text or f"@{name}" in text or f"({name})" in text
            or f"{name}[" in text]  # fmt: skip
    helpers = "" if not used else f"from {LANGUAGE} import {', '.join(used)}\n"
    return text if f"class {HELPERS[0]}" in text else helpers + text


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


class _Translator(ast.NodeTransformer):
    def __init__(self, plain: bool) -> None:
        self._plain = plain
        self._types: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        node.body = _undocumented(node.body)
        kept: list[ast.stmt] = []
        for each in node.body:
            if isinstance(each, ast.ImportFrom) and each.module in TYPING:
                self._types |= {alias.asname or alias.name for alias in each.names}
                continue
            if isinstance(each, ast.Assign) and self._is_type(each.value):
                each.value = ast.Constant(None)
            kept.append(each)
        node.body = kept
        self.generic_visit(node)
        return node

    def _is_type(self, value: ast.expr) -> bool:
        """Whether an assignment only names a type."""
        if isinstance(value, ast.BinOp):
            return self._is_type(value.left)
        inner = value
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        known = self._types | BUILT_IN if isinstance(value, ast.Subscript) else self._types
        return isinstance(inner, ast.Name) and inner.id in known

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.module in TYPING or node.module in ("dataclasses", "functools"):
            return None
        return node

    def visit_Import(self, node: ast.Import) -> Any:
        for alias in node.names:
            if alias.name in ("math", "itertools") and not self._plain:
                alias.name, alias.asname = f"deadheat.explorer.browser.{alias.name}_", alias.name
        return node

    def visit_If(self, node: ast.If) -> Any:
        if _named(node.test) == "TYPE_CHECKING":
            return None
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.body = _undocumented(node.body) or [ast.Pass()]
        given = node.args
        for each in [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
            if each is not None:
                each.annotation = None
        node.returns = None
        node.decorator_list = [
            ast.Name("_cached", ast.Load()) if _named(each) in CACHES else each
            for each in node.decorator_list
        ]
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        node.body = _undocumented(node.body)
        base = next((_named(each) for each in node.bases), "")
        record = RECORDS.get(base) if base in RECORDS else None
        if any(_named(each) == "dataclass" for each in node.decorator_list):
            record = "_Data"
        node.decorator_list, node.keywords = [], []
        node.bases = [ast.Name(record, ast.Load())] if record else node.bases[:1]
        if record in ("_Row", "_Data"):
            fields = [each.target.id for each in node.body if isinstance(each, ast.AnnAssign)
                      and isinstance(each.target, ast.Name)]  # fmt: skip
            names: list[ast.expr] = [ast.Constant(name) for name in fields]
            first: ast.stmt = ast.Assign([ast.Name("_fields", ast.Store())], ast.Tuple(names, ast.Load()))
            node.body = [first, *node.body]
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        self.generic_visit(node)
        return ast.Assign([node.target], node.value)

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if self._plain or not any(type(each) in COMPARED for each in node.ops):
            return node
        parts, left = [], node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            name = COMPARED.get(type(operator))
            parts.append(_call(name, left, right) if name else ast.Compare(left, [operator], [right]))
            left = right
        return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), list(parts))

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        parts: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            pair = value if key is None else ast.List([ast.Tuple([key, value], ast.Load())], ast.Load())
            parts.append(pair)
        return _call("_dict", *parts)

    def visit_List(self, node: ast.List) -> Any:
        return self._display(node, None)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self._display(node, "tuple")

    def _display(self, node: Any, kind: str | None) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store) or not any(isinstance(each, ast.Starred) for each in node.elts):
            return node
        parts = [
            each.value if isinstance(each, ast.Starred) else ast.List([each], ast.Load())
            for each in node.elts
        ]
        made = _call("_list", *parts)
        return _call(kind, made) if kind else made

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _call("_dict", ast.ListComp(pair, node.generators))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        self.generic_visit(node)
        parts: list[ast.expr] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                form = each.format_spec or ast.Constant("")
                raw = ast.Constant(each.conversion == ord("r"))
                parts.append(_call("_shown", each.value, form, raw))
            else:
                parts.append(each)
        return ast.Call(
            ast.Attribute(ast.Constant(""), "join", ast.Load()), [ast.List(parts, ast.Load())], []
        )

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = []
        if isinstance(node.func, ast.Name) and node.func.id in NUMBERS and node.args and not self._plain:
            return _call(node.func.id, _call("_one", node.args[0]), *node.args[1:])
        if isinstance(node.func, ast.Name) and node.func.id == "slice":
            return ast.Subscript(ast.Name("_slice", ast.Load()), ast.Slice(*node.args), ast.Load())
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            return _call(f"_{node.func.attr}", node.func.value, *node.args)
        return node


def _named(node: ast.expr) -> str:
    """The last name of what is called, subscripted or dotted."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    documented = body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if documented else body
