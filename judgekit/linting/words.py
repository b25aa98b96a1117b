"""Words of prose that rules look for, in the languages rubrics are most often written in."""

from __future__ import annotations

import re
from functools import lru_cache


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

VAGUE: dict[str, frozenset[str]] = {
    "en": _set(
        "acceptable adequate adequately appropriate appropriately average awful bad basic "
        "better brilliant clear clearly coherent competent decent effective effectively "
        "excellent exceptional fair fairly fine generally good great helpful high-quality ideal "
        "impressive inadequate inappropriate insufficient largely low-quality mediocre moderate "
        "moderately mostly nice okay optimal outstanding perfect perfectly poor poorly proper "
        "properly quality reasonable reasonably relevant satisfactory satisfying significant "
        "significantly solid somewhat strong subpar sufficient sufficiently suitable suitably "
        "superb terrible unacceptable unhelpful useful weak well well-written worse"
    ),
    "de": _set(
        "akzeptabel angemessen ausgezeichnet ausreichend befriedigend einigermaßen einwandfrei "
        "gelungen genügend geeignet gut gute guten guter gutes hervorragend hilfreich ideal klar "
        "mangelhaft mittelmäßig nützlich ordentlich passend perfekt relevant sauber schlecht "
        "schlechte schwach sehr sinnvoll solide stark teilweise unangemessen ungenügend "
        "weitgehend ziemlich zufriedenstellend"
    ),
    "fr": _set(
        "acceptable adéquat adéquate adéquatement approprié appropriée bien bon bonne clair "
        "claire convenable convenablement correct correcte excellent excellente faible globalement "
        "idéal insuffisant insuffisante mauvais mauvaise médiocre moyen moyenne parfait parfaite "
        "pertinent pertinente plutôt raisonnable satisfaisant satisfaisante suffisant suffisante "
        "utile"
    ),
    "es": _set(
        "aceptable adecuada adecuadamente adecuado apropiada apropiado bastante bien buena bueno "
        "clara claro correcta correcto deficiente excelente generalmente ideal inadecuado "
        "insuficiente mala malo mediocre perfecta perfecto pertinente pobre razonable relevante "
        "satisfactorio suficiente útil"
    ),
    "it": _set(
        "accettabile adatto adeguata adeguatamente adeguato appropriata appropriato bene buona "
        "buono chiara chiaro discreto eccellente ideale inadeguato insufficiente mediocre ottima "
        "ottimo perfetta perfetto pertinente ragionevole rilevante scarso soddisfacente "
        "sufficiente utile"
    ),
    "pt": _set(
        "aceitável adequada adequadamente adequado apropriada apropriado bastante bem boa bom "
        "clara claro excelente fraca fraco geralmente ideal inadequado insuficiente má mau "
        "medíocre perfeita perfeito pertinente razoável relevante ruim satisfatório suficiente útil"
    ),
    "nl": _set(
        "aanvaardbaar behoorlijk duidelijk geschikt goed goede gepast ideaal matig middelmatig "
        "nuttig onvoldoende passend perfect redelijk relevant slecht slechte sterk toereikend "
        "uitstekend voldoende zwak"
    ),
}
"""Words that leave the yardstick to whoever reads them, by language."""

_COMMON: dict[str, frozenset[str]] = {
    "en": _set("the and is are of to in it not that with for an answer or no does"),
    "de": _set("der die das und ist nicht ein eine mit zu den auf antwort oder kein"),
    "fr": _set("le la les et est des une dans que pas pour réponse du sur ou sont"),
    "es": _set("el la los las y es de que no con para una respuesta en del o son"),
    "it": _set("il lo la gli e è di che non con per una risposta nel della o sono"),
    "pt": _set("o a os as e é de que não com para uma resposta em do da ou são"),
    "nl": _set("de het een en is niet van met voor antwoord in op dat of geen zijn"),
}

EMPTY: frozenset[str] = _set(
    "a an and answer answers are assistant at be been being but by can code comment content did "
    "do does done down email explanation few fit fits for from given gives had has have how i if "
    "in is it its item itself just level many message model more most much not of off on one or "
    "output overall part piece prose question reader reply request respond responds response "
    "responses result say says shows so some such summary task text than that the their them "
    "there these they thing things this those to too up user users very was way what when where "
    "which who whole will with work would writing you your"
)
"""English words that say nothing about an output by themselves."""


AMOUNTS: frozenset[str] = _set(
    "no not none never without nothing neither nor non lacks lacking missing fails all every each "
    "any some few several many most more less least half one two three four five six seven eight "
    "nine ten once twice only but except always both either part partly partially fully wholly "
    "completely entirely single exactly first second major minor nicht kein keine keiner ohne "
    "alle jede jeder eine zwei drei teilweise ganz pas aucun aucune sans tous toutes un deux trois "
    "ningún ninguna sin todos todas uno dos tres non nessun nessuna senza tutti tutte due tre"
)
"""Words that alone can make the difference between two levels."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """Return the language a text is most likely in: a key of ``VAGUE``; "en" when in doubt."""
    words = words_of(text)
    return max(_COMMON, key=lambda code: (sum(w in _COMMON[code] for w in words), code == "en"))


def vague_words(text: str) -> list[str]:
    """Return the vague words of a text, in their order."""
    vague = VAGUE[language_of(text)]
    return [word for word in words_of(text) if word in vague]


def telling_words(text: str) -> list[str]:
    """Return the words of a text that say something: not vague, and no mere frame of a sentence."""
    language = language_of(text)
    silent = VAGUE[language] | _COMMON[language] | (EMPTY if language == "en" else frozenset())
    return [word for word in words_of(text) if word not in silent]


def likeness(first: str, second: str) -> float:
    """Return how many of the words of two texts are shared: 0 for none, 1 for all (Jaccard)."""
    one, other = set(words_of(first)), set(words_of(second))
    return len(one & other) / len(one | other) if one or other else 1.0
