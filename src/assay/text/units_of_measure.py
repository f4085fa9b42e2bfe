"""Units of measure: how they are written, what they measure, and what one of them is in the base unit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.text.patterns import LazyPattern


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit: ``value * factor + offset`` is the value in the base unit of its dimension.

    ``dimension`` is "length", "mass", ..., "percent", or a currency such as "money $". A month and a
    year have their mean length.
    """

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


_TABLES: dict[str, dict[str, float]] = {
    "length": {
        "mm|millimeter|millimeters|millimetre|millimetres": 0.001,
        "cm|centimeter|centimeters|centimetre|centimetres": 0.01,
        "m|meter|meters|metre|metres": 1,
        "km|kilometer|kilometers|kilometre|kilometres": 1000,
        "inch|inches": 0.0254,
        "ft|foot|feet": 0.3048,
        "yd|yard|yards": 0.9144,
        "mi|mile|miles": 1609.344,
        "nautical mile|nautical miles": 1852,
        "light-year|light-years|light year|light years": 9.4607e15,
    },
    "area": {
        "square feet|square foot|sq ft|sq. ft.|sqft": 0.092903,
        "square meters|square metres|square meter|square metre|sq m|m²": 1,
        "square miles|square mile|sq mi|sq. mi.": 2589988.1,
        "square kilometers|square kilometres|square kilometer|square kilometre|sq km|km²": 1e6,
        "acre|acres": 4046.856,
        "hectare|hectares|ha": 1e4,
    },
    "mass": {
        "mg|milligram|milligrams": 1e-6,
        "mcg|µg|microgram|micrograms": 1e-9,
        "g|gram|grams|gramme|grammes": 0.001,
        "kg|kgs|kilo|kilos|kilogram|kilograms": 1,
        "oz|ounce|ounces": 0.0283495,
        "lb|lbs|pound|pounds": 0.453592,
        "ton|tons": 907.185,
        "tonne|tonnes|metric ton|metric tons": 1000,
    },
    "volume": {
        "ml|milliliter|milliliters|millilitre|millilitres": 0.001,
        "l|liter|liters|litre|litres": 1,
        "fl oz|fluid ounce|fluid ounces": 0.0295735,
        "teaspoon|teaspoons|tsp": 0.00492892,
        "tablespoon|tablespoons|tbsp": 0.0147868,
        "cup|cups": 0.236588,
        "pint|pints": 0.473176,
        "quart|quarts": 0.946353,
        "gallon|gallons|gal": 3.78541,
        "cubic feet|cubic foot|cu ft": 28.3168,
        "cubic meters|cubic metres|m³": 1000,
    },
    "speed": {
        "mph|miles per hour|miles an hour": 0.44704,
        "km/h|kph|kmh|kilometers per hour|kilometres per hour": 0.277778,
        "kilometers an hour|kilometres an hour": 0.277778,
        "m/s|meters per second|metres per second": 1,
        "knot|knots": 0.514444,
    },
    "data": {
        "kb|kilobyte|kilobytes": 1e3,
        "mb|megabyte|megabytes": 1e6,
        "gb|gigabyte|gigabytes": 1e9,
        "tb|terabyte|terabytes": 1e12,
        "pb|petabyte|petabytes": 1e15,
    },
    "duration": {
        "ms|millisecond|milliseconds": 0.001,
        "sec|secs|second|seconds": 1,
        "min|mins|minute|minutes": 60,
        "hr|hrs|hour|hours": 3600,
        "day|days": 86400,
        "week|weeks": 604800,
        "fortnight|fortnights": 1209600,
        "month|months": 2629746,
        "yr|yrs|year|years": 31556952,
        "decade|decades": 315569520,
        "century|centuries": 3155695200,
        "millennium|millennia": 31556952000,
    },
    "energy": {
        "calorie|calories|kcal|cal": 1,
        "kj|kilojoule|kilojoules": 0.239006,
        "kwh|kilowatt-hour|kilowatt-hours": 860.421,
    },
    "power": {
        "w|watt|watts": 1,
        "kw|kilowatt|kilowatts": 1e3,
        "mw|megawatt|megawatts": 1e6,
        "hp|horsepower": 745.7,
    },
    "percent": {"%|percent|per cent|percentage point|percentage points|pct": 1},
    "money $": {"$|dollar|dollars|usd|bucks": 1, "cent|cents|¢": 0.01},
    "money €": {"€|euro|euros|eur": 1},
    "money £": {"£|gbp|pounds sterling": 1},
    "money ¥": {"¥|yen|jpy|yuan|rmb|cny": 1},
    "money ₹": {"₹|rupee|rupees|inr|rs": 1},
    "money CHF": {"chf|francs|swiss francs": 1},
}
UNITS: dict[str, Measure] = {
    name: Measure(dimension, factor)
    for dimension, table in _TABLES.items()
    for names, factor in table.items()
    for name in names.split("|")
}
_CELSIUS = "°c|°celsius|celsius|degrees celsius|degree celsius|degrees c|degrees centigrade"
_FAHRENHEIT = "°f|°fahrenheit|fahrenheit|degrees fahrenheit|degree fahrenheit|degrees f"
UNITS |= dict.fromkeys(_CELSIUS.split("|"), Measure("temperature"))
UNITS |= dict.fromkeys(_FAHRENHEIT.split("|"), Measure("temperature", 5 / 9, -160 / 9))
UNITS |= dict.fromkeys(("kelvin", "kelvins"), Measure("temperature", 1.0, -273.15))
_NAMES = sorted((name for name in UNITS if name not in ("m", "g", "l", "w")), key=len, reverse=True)
_AFTER = LazyPattern(
    r"[ \u00a0]?[-‐‑]?[ \u00a0]?°? ?(" + "|".join(re.escape(name) for name in _NAMES) + r")(?![^\W\d_])"
)
_FIRST = re.compile(r"[ \u00a0‐‑°-]{0,3}([^\W\d_]|[%$€£¥₹¢])")
_BEGINNINGS = frozenset(name.lstrip("°")[0] for name in UNITS)
_LETTER = LazyPattern(r" ?([mglw])(?![\w'’])", ignore_case=False)
_CURRENCY_BEFORE = LazyPattern(
    r"(?:US|A|C|AU|CA|NZ|HK)?([$€£¥₹]) ?|\b(USD|EUR|GBP|INR|JPY|CHF|Rs\.?) ?", ignore_case=False
)


def unit_after(text: str, position: int) -> tuple[Measure, int] | None:
    """The unit written right after a number that ends at ``position``, and where the unit ends."""
    first = _FIRST.match(text, position)
    if first is None or first.group(1).lower() not in _BEGINNINGS:
        return None
    match = _AFTER.match(text, position) or _LETTER.match(text, position)
    if match is None:
        return None
    return UNITS[match.group(1).lower()], match.end()


def currency_before(text: str, position: int) -> tuple[Measure, int] | None:
    """The currency written right before a number that starts at ``position``, and where it starts."""
    first = max(0, position - 5)
    before = text[first:position]
    for match in _CURRENCY_BEFORE.finditer(before):
        if match.end() == len(before):
            written = (match.group(1) or match.group(2)).lower().rstrip(".")
            return UNITS[written], first + match.start()
    return None
