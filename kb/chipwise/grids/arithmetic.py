"""What an expression of numbers comes to: 80 * 1024**3, -5, 2 * TERA, (80 << 30); nothing is executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, DecimalException, localcontext
from operator import mul, truediv
from typing import Final

from chipwise.grids.tokens import Group, Kind, Token
from chipwise.grids.tree import Label

MOST_DIGITS: Final = 40  # of a number that is read
_HIGHEST: Final = Decimal(400)  # exponent
_DOES: Final[dict[str, Callable[..., Decimal]]] = {"*": mul, "/": truediv, "**": pow, "<<": lambda a, b: a * 2**b}
_FORCE: Final = {"**": 3, "*": 2, "/": 2, "<<": 1}  # what binds first


def number_of(written: str) -> Decimal | None:
    """A number as code writes it ("989e12", "1_000", "0x10"), or None where it is none of a bearable size."""
    plain = written.replace("_", "").replace(",", "")
    if len(plain) > MOST_DIGITS:
        return None
    try:
        value = Decimal(int(plain, 16)) if plain[:2].lower() == "0x" else Decimal(plain)
    except (DecimalException, ValueError):
        return None
    return value if value.is_finite() and abs(value.adjusted()) < _HIGHEST else None


def evaluate(parts: Sequence[Token | Group], constants: Mapping[str, Decimal]) -> tuple[Label, list[Label]] | None:
    """The result as a label over the whole expression, with the names in it that are no constants; None for other things."""
    flat = _flat(parts)
    if not any(p.kind is Kind.NUMBER for p in flat) or len(flat) > MOST_DIGITS:
        return None
    if len(flat) == 1:
        written = flat[0].text.replace("_", "")
        return None if number_of(written) is None else (Label(written, flat[0].start, flat[0].end), [])
    sign = -1 if flat[0].text == "-" else 1
    signed = flat[1:] if flat[0].text in ("-", "+") else flat
    operands, operators = signed[::2], [token.text for token in signed[1::2]]
    if len(operands) != len(operators) + 1 or not all(o in _FORCE for o in operators):
        return None
    if not all(o.kind in (Kind.NUMBER, Kind.NAME) for o in operands):
        return None
    units = [Label(o.text, o.start, o.end) for o in operands if o.kind is Kind.NAME and o.text not in constants]
    values = [number_of(o.text) if o.kind is Kind.NUMBER else constants.get(o.text, Decimal(1)) for o in operands]
    result = _worked_out([v for v in values if v is not None], operators) if None not in values else None
    return None if result is None else (Label(f"{sign * result:.12g}", flat[0].start, flat[-1].end), units)


def _flat(parts: Sequence[Token | Group]) -> list[Token]:
    found: list[Token] = []
    for part in parts:
        if isinstance(part, Token):
            found.append(part)
        elif part.open == "(" and len(part.items) == 1:
            inner = _flat(part.items[0].parts)
            if not inner or any(t.kind is Kind.STRING for t in inner) or (found and found[-1].kind is Kind.NAME):
                return []
            found += inner
        else:
            return []
    return found


def _worked_out(values: list[Decimal], operators: list[str]) -> Decimal | None:
    with localcontext() as context:
        context.prec = MOST_DIGITS
        try:
            for force in (3, 2, 1):
                at = 0
                while at < len(operators):
                    if _FORCE[operators[at]] != force:
                        at += 1
                        continue
                    if force != _FORCE["*"] and abs(values[at + 1]) > _HIGHEST:
                        return None
                    values[at : at + 2] = [_DOES[operators.pop(at)](values[at], values[at + 1])]
        except (DecimalException, OverflowError):
            return None
    return values[0] if abs(values[0].adjusted()) < _HIGHEST else None
