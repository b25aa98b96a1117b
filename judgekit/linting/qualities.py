"""Words for what can be good about an output, in groups of words that mean about the same."""

from __future__ import annotations

from typing import NamedTuple

from judgekit.linting.remembered import remembered


class _Row(NamedTuple):
    """Words of about the same meaning: English adjectives, those of other languages, nouns."""

    english: str
    others: str = ""
    nouns: str = ""


_ROWS = (
    _Row(
        "accurate correct error-free exact factual precise right true truthful valid",
        "korrekt richtig fehlerfrei genau präzise zutreffend correct exact juste précis fiable "
        "correcto exacto preciso cierto",
        "accuracy correctness factuality precision truthfulness genauigkeit korrektheit "
        "richtigkeit exactitude justesse précision corrección exactitud precisión",
    ),
    _Row(
        "complete comprehensive detailed exhaustive in-depth thorough",
        "vollständig umfassend ausführlich detailliert complet détaillé exhaustif "
        "completo detallado exhaustivo",
        "completeness comprehensiveness depth thoroughness vollständigkeit ausführlichkeit "
        "exhaustivité exhaustividad",
    ),
    _Row(
        "clear comprehensible easy intelligible legible lucid organised organized plain readable "
        "simple structured unambiguous understandable well-organised well-organized "
        "well-structured",
        "klar verständlich eindeutig lesbar einfach strukturiert gegliedert clair lisible "
        "compréhensible structuré claro legible comprensible estructurado",
        "clarity comprehensibility format formatting layout organisation organization readability "
        "structure understandability klarheit lesbarkeit struktur verständlichkeit clarté "
        "lisibilité claridad legibilidad",
    ),
    _Row(
        "brief compact concise crisp short succinct terse",
        "knapp kurz prägnant concis bref court conciso breve corto",
        "brevity conciseness concision length kürze länge brièveté longueur brevedad concisión "
        "longitud",
    ),
    _Row(
        "cohesive coherent consistent logical well-argued well-reasoned",
        "schlüssig stimmig logisch widerspruchsfrei cohérent logique coherente lógico",
        "coherence cohesion consistency logic schlüssigkeit cohérence coherencia",
    ),
    _Row(
        "constructive helpful useful valuable",
        "hilfreich nützlich utile útil",
        "helpfulness usefulness nützlichkeit utilité utilidad",
    ),
    _Row("informative insightful", "informativ informatif informativo"),
    _Row(
        "on-topic pertinent relevant",
        "pertinente relevante",
        "relevance relevanz pertinence relevancia pertinencia",
    ),
    _Row(
        "fluent grammatical idiomatic natural",
        "flüssig grammatikalisch naturel fluide fluido",
        "fluency grammar orthography punctuation spelling grammatik rechtschreibung grammaire "
        "orthographe gramática ortografía",
    ),
    _Row(
        "harmless safe secure",
        "sicher harmlos unbedenklich sûr inoffensif seguro",
        "harmlessness safety security sicherheit sécurité seguridad",
    ),
    _Row(
        "honest sincere transparent truthful",
        "ehrlich honnête sincère honesto sincero transparente",
        "honesty transparency ehrlichkeit honnêteté honestidad",
    ),
    _Row(
        "civil considerate courteous formal friendly gentle kind pleasant polite professional "
        "respectful tactful warm",
        "höflich freundlich respektvoll professionell poli courtois aimable respectueux "
        "professionnel cortés amable educado respetuoso profesional",
        "courtesy friendliness politeness professionalism respectfulness tone höflichkeit "
        "freundlichkeit ton tonfall courtoisie politesse amabilidad cortesía tono",
    ),
    _Row("", "", "diction register style tone voice wording stil ton style estilo tono"),
    _Row(
        "caring compassionate empathetic empathic supportive understanding",
        "einfühlsam mitfühlend verständnisvoll empathisch empathique empático",
        "compassion empathy warmth einfühlungsvermögen empathie empatía",
    ),
    _Row(
        "appropriate apt fitting proper suitable",
        "angemessen passend geeignet approprié adapté adecuado apropiado",
        "appropriateness suitability angemessenheit",
    ),
    _Row(
        "creative imaginative innovative novel original",
        "kreativ originell créatif creativo",
        "creativity novelty originality kreativität créativité creatividad",
    ),
    _Row(
        "balanced fair impartial neutral objective unbiased",
        "fair neutral ausgewogen sachlich neutre impartial imparcial objetivo",
        "fairness impartiality neutrality objectivity neutralität neutralité neutralidad",
    ),
    _Row(
        "captivating compelling engaging entertaining interesting",
        "interessant spannend captivant intéressant interesante",
        "engagement",
    ),
    _Row("specific", "konkret spécifique específico", "specificity"),
    _Row(
        "convincing persuasive", "überzeugend convaincant convincente persuasivo", "persuasiveness"
    ),
    _Row("actionable feasible practical realistic", "umsetzbar praktisch réaliste práctico"),
    _Row("faithful grounded supported", "belegt begründet fidèle fiel", "faithfulness"),
    _Row("well-formulated well-worded well-written"),
    _Row("current up-to-date", "aktuell actuel actual"),
    _Row(
        "prompt punctual quick swift timely",
        "pünktlich schnell zügig ponctuel rapide puntual rápido",
        "promptness punctuality timeliness pünktlichkeit ponctualité puntualidad",
    ),
    _Row("calm patient", "ruhig geduldig patient paciente", "patience"),
    _Row("funny humorous witty", "lustig witzig drôle divertido gracioso", "humor humour"),
)


def _groups(column: int) -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, row in enumerate(_ROWS):
        for word in row[column].split():
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


_ENGLISH, _OTHERS, _NOUNS = map(_groups, range(3))
_COMPARATIVES = (("ier", "y"), ("er", ""), ("er", "e"))
_ADVERBS = (("ally", "al"), ("ily", "y"), ("bly", "ble"), ("ly", ""), ("ly", "e"))
_ENDINGS = (
    *((ending, "") for ending in ("", "e", "en", "er", "es", "em", "s", "ne", "te", "le")),
    *((ending, "o") for ending in ("a", "os", "as")),
    *(("euse", "eux"), ("ive", "if"), ("ète", "et"), ("ève", "ef"), ("rte", "rt")),
)


class Quality(NamedTuple):
    """What a word says of an output.

    Attributes:
        kind: ``adjective``, ``adverb`` or ``noun``.
        groups: Words that share one mean about the same.
    """

    kind: str
    groups: frozenset[int]


@remembered
def quality(word: str) -> Quality | None:
    """Return what a word says of an output; None for any other word.

    Args:
        word: In lower case. English adjectives, their comparatives and adverbs; German, French and
            Spanish adjectives; nouns of all four.
    """
    for kind, table, endings in (
        ("adjective", _ENGLISH, (("", ""),)),
        ("noun", _NOUNS, (("", ""),)),
        ("adjective", _ENGLISH, _COMPARATIVES),
        ("adverb", _ENGLISH, _ADVERBS),
        ("adjective", _OTHERS, _ENDINGS),
    ):
        for ending, instead in endings:
            base = word.removesuffix(ending) + instead
            if word.endswith(ending) and base in table:
                return Quality(kind, table[base])
    return None


def apart(one: Quality | None, other: Quality | None) -> bool:
    """Return whether two words of one kind name two qualities."""
    if one is None or other is None or one.kind != other.kind:
        return False
    return not one.groups & other.groups
