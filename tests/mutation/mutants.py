"""Mutants of C and C++ sources: each a small plausible bug, switched on by its number while the program runs.

`rewrite()` returns the text with mutants in it and their descriptions. The rewritten text does what the original does while
none is chosen. It knows the house's format (clang-format: blanks around operators, a statement a line)
and no C++ beyond it; what does not compile is taken out by who builds it.
"""
import re
from collections import namedtuple

Mutant = namedtuple("Mutant", "number path line kind before after")

# What ends an operand: nothing beyond it binds as tightly as the operators that are changed.
_LOWER = re.compile(r"(&&|\|\||[,;{}?]| : | = |\+= |-= |\|= |&= |return )")
_SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_TURNS = {"+": "-", "-": "+", "&": "|", "|": "&"}
_COMPARES = re.compile(r" (<=|>=|==|!=|<|>) ")
_COMPUTES = re.compile(r" ([-+&|]) ")
_ORDERED = re.compile(r" ([-/%]) ")
_LITERALS = re.compile(r" (?:[-+*/%&|]|<<|>>|<=?|>=?|==|!=) (\d+)(?=[uUlL]*(?:[) ;,\]]|$))")
_BINARY = re.compile(r" (<=|>=|==|!=|<<|>>|[-+*/%&|^<>]) ")
_STATEMENT = re.compile(
    r"^(\s+)((?:\+\+|--)?[A-Za-z_][\w.\[\]]*(?:->[\w.\[\]]+|\([^;]*?\)[\w.\[\]]*)*(?: (?:[-+|&^]|<<|>>)?= [^;]+|\(.*\)|\+\+|--)?);$")
_NO_STATEMENT = re.compile(r"^\s*(return|using|delete|throw|break|continue|goto|case|default|static_assert|typedef|public|"
                           r"private|else|if|for|while|do|const|auto|constexpr|static|friend|template|namespace)\b|^\s*[A-Z]\w*\(")


def _span(line, at, step):
    """The end of the operand that begins at `at` and goes in direction `step`; None if it leaves the line."""
    depth, opening, closing = 0, "([", ")]"
    if step < 0:
        opening, closing = closing, opening
    i = at
    while 0 <= i < len(line):
        c = line[i]
        if c in opening:
            depth += 1
        elif c in closing:
            if depth == 0:
                return i
            depth -= 1
        elif depth == 0:
            window = line[i:] if step > 0 else line[:i + 1]
            found = _LOWER.match(window) if step > 0 else re.search(_LOWER.pattern + r"$", window)
            if found:
                return i
        i += step
    return None


def _operands(line, match):
    left = _span(line, match.start() - 1, -1)
    right = _span(line, match.end(), 1)
    if left is None or right is None:
        return None
    begin, end = left + 1, right
    while line[begin] == " ":
        begin += 1
    while line[end - 1] == " ":
        end -= 1
    return begin, end


def _top_level(text, pattern):
    """Matches of `pattern` outside of brackets."""
    found, depth = [], 0
    for i, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif depth == 0:
            match = pattern.match(text, i)
            if match:
                found.append(match)
    return found


def _expression(line):
    """The places of the line's operators that may be changed: (begin, end, text then, kind)."""
    for pattern, table, kind in ((_COMPARES, _SWAPS, "comparison"), (_COMPUTES, _TURNS, "operator")):
        for match in pattern.finditer(line):
            ends = _operands(line, match)
            if ends is None:
                continue
            begin, end = ends
            whole = line[begin:end]
            others = [m for m in _top_level(whole, _BINARY) if m.group(1) not in "*/%"]
            strict = [m for m in others if m.group(1) in "<= >= == != < >".split()]
            if kind == "comparison" and len(strict) != 1 or kind == "operator" and len(others) != 1:
                continue
            if any(m.group(1) in "&|^" for m in others) and kind == "comparison":
                continue
            changed = line[begin:match.start(1)] + table[match.group(1)] + line[match.end(1):end]
            yield begin, end, changed, kind
    for match in _ORDERED.finditer(line):
        ends = _operands(line, match)
        if ends is None:
            continue
        begin, end = ends
        if len(_top_level(line[begin:end], _BINARY)) == 1:
            yield begin, end, line[match.end():end] + match.group(0) + line[begin:match.start()], "operands"
    for match in _LITERALS.finditer(line):
        yield match.start(1), match.end(1), str(int(match.group(1)) + 1), "off by one"


def _negation(line):
    """The condition of an if or a while on one line."""
    match = re.match(r"^(\s*(?:\} else )?(?:else )?(?:if|while) \()", line)
    if not match or "constexpr" in line:
        return
    end = _span(line, match.end(), 1)
    if end is None or line[end] != ")":
        end = _closing(line, match.end())
    if end is None:
        return
    condition = line[match.end():end]
    if " = " in condition or ";" in condition:
        return
    yield match.end(), end, condition, "condition"


def _closing(line, at):
    depth = 0
    for i in range(at, len(line)):
        if line[i] == "(":
            depth += 1
        elif line[i] == ")":
            if depth == 0:
                return i
            depth -= 1
    return None


def _escaped(text):
    return text.replace("%", "%%")


def mutants_of(text):
    """All mutants of a source: (line, begin, end, what takes the place but for the number, kind, what is then done)."""
    constant = None  # indentation of a constexpr function that goes over several lines
    for number, line in enumerate(text.split("\n")):
        code = line.split("//")[0].rstrip()
        if constant is not None:
            constant = None if code == constant + "}" else constant
            continue
        if "constexpr" in code and code.endswith("{") and "(" in code and not code.lstrip().startswith("if"):
            constant = code[:len(code) - len(code.lstrip())]
            continue
        indented = code.startswith("    ")
        if not indented or '"' in code or "'" in code or "constexpr" in code or "static_assert" in code:
            continue
        for begin, end, condition, kind in _negation(code):
            yield number, begin, end, "(!(%s)) == %%s" % _escaped(condition), kind, "!(%s)" % condition
        for begin, end, changed, kind in _expression(code):
            template = "(%%s ? (%s) : (%s))" % (_escaped(changed), _escaped(code[begin:end]))
            yield number, begin, end, template, kind, changed
        statement = _STATEMENT.match(code)
        if statement and not _NO_STATEMENT.match(code) and not re.match(r"^\s+[\w:]+ [\w:]+", statement.group(2)):
            begin, end = statement.start(2), len(code)
            yield number, begin, end, "{ if (!%%s) %s; }" % _escaped(statement.group(2)), "dropped", "(nothing)"


def rewrite(path, text, number_of):
    """`text` with the mutants to which `number_of(line, begin, kind)` gives a number, at most one a line, and their list."""
    lines, mutants, taken = text.split("\n"), [], set()
    for line, begin, end, template, kind, after in mutants_of(text):
        number = 0 if line in taken else number_of(line, begin, kind)
        if not number:
            continue
        taken.add(line)
        old = lines[line]
        mutants.append(Mutant(number, path, line + 1, kind, old[begin:end].rstrip(";"), after))
        lines[line] = old[:begin] + template % ("NUMAVP_M(%d)" % number) + old[end:]
    return "\n".join(lines), mutants
