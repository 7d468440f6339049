"""What an expression of numbers comes to: 80 * 1024**3, -5, 2 * TERA, (80 << 30); nothing is executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, DecimalException, localcontext
from typing import TYPE_CHECKING, Final

from chipwise.grids.tokens import Kind, Token
from chipwise.grids.tree import Label

if TYPE_CHECKING:
    from chipwise.grids.code import Group

MOST_DIGITS: Final = 40  # of a number that is read
_HIGHEST: Final = Decimal(400)  # exponent
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
    values: list[Decimal | None] = []
    units: list[Label] = []
    flat = _flat(parts)
    if not flat or not any(p.kind is Kind.NUMBER for p in flat) or len(flat) > MOST_DIGITS:
        return None
    if len(flat) == 1:
        return (Label(flat[0].text.replace("_", ""), flat[0].start, flat[0].end), []) if number_of(flat[0].text) is not None else None
    operators: list[str] = []
    sign = 1
    for token in flat:
        wants_value = len(values) == len(operators)
        if wants_value and token.kind is Kind.OP and token.text in "+-":
            sign = -1 if token.text == "-" else sign
        elif wants_value and token.kind is Kind.NUMBER:
            values.append(number_of(token.text))
        elif wants_value and token.kind is Kind.NAME:
            known = constants.get(token.text)
            units += [] if known is not None else [Label(token.text, token.start, token.end)]
            values.append(known if known is not None else Decimal(1))
        elif not wants_value and token.kind is Kind.OP and token.text in _FORCE:
            operators.append(token.text)
        elif not wants_value and token.kind is Kind.NAME and not operators:
            return None
        else:
            return None
    if len(values) != len(operators) + 1 or any(v is None for v in values):
        return None
    result = _worked_out([v for v in values if v is not None], operators)
    if result is None:
        return None
    text = f"{sign * result:.12g}"
    return Label(text, flat[0].start, flat[-1].end), units


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
                    left, right, sign = values[at], values.pop(at + 1), operators.pop(at)
                    if sign in ("**", "<<") and abs(right) > _HIGHEST:
                        return None
                    values[at] = (
                        left * right if sign == "*" else left / right if sign == "/" else left**right if sign == "**" else left * 2**right
                    )
        except DecimalException:
            return None
    return values[0] if abs(values[0].adjusted()) < _HIGHEST else None
