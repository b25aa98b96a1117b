"""Words of prose that rules look for, in the languages rubrics are most often written in."""

from __future__ import annotations

import re

from judgekit.linting.remembered import remembered


def set_of(words: str) -> frozenset[str]:
    """Return the words of a text that has nothing but words and blanks, as ``words_of`` does."""
    return frozenset(words.casefold().split())


_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

VAGUE: dict[str, frozenset[str]] = {
    "en": set_of(
        "acceptable adequate adequately appropriate appropriately average awful bad basic "
        "better brilliant clear clearly coherent competent decent effective effectively "
        "excellent exceptional fair fairly fine generally good great helpful high-quality ideal "
        "impressive inadequate inappropriate insufficient largely low-quality mediocre moderate "
        "moderately mostly nice ok okay optimal outstanding perfect perfectly polished poor poorly "
        "proper properly quality reasonable reasonably relevant satisfactory satisfying "
        "significant significantly solid somewhat state-of-the-art strong subpar sufficient "
        "sufficiently suitable suitably superb terrible top-notch unacceptable unhelpful useful "
        "weak well well-written world-class worse"
    ),
    "de": set_of(
        "akzeptabel angemessen ausgezeichnet ausreichend befriedigend einigermaßen einwandfrei "
        "gelungen genügend geeignet gut gute guten guter gutes hervorragend hilfreich ideal klar "
        "mangelhaft mittelmäßig nützlich ordentlich passend perfekt qualität relevant sauber "
        "schlecht schlechte schwach sehr sinnvoll solide stark teilweise unangemessen ungenügend "
        "überzeugend überzeugende überzeugt weitgehend ziemlich zufriedenstellend"
    ),
    "fr": set_of(
        "acceptable adéquat adéquate adéquatement approprié appropriée bien bon bonne clair "
        "claire convenable convenablement correct correcte excellent excellente faible globalement "
        "idéal insuffisant insuffisante mauvais mauvaise médiocre moyen moyenne parfait parfaite "
        "pertinent pertinente plutôt raisonnable satisfaisant satisfaisante suffisant suffisante "
        "utile"
    ),
    "es": set_of(
        "aceptable adecuada adecuadamente adecuado apropiada apropiado bastante bien buena bueno "
        "clara claro correcta correcto deficiente excelente generalmente ideal inadecuado "
        "insuficiente mala malo mediocre perfecta perfecto pertinente pobre razonable relevante "
        "satisfactorio suficiente útil"
    ),
    "it": set_of(
        "accettabile adatto adeguata adeguatamente adeguato appropriata appropriato bene buona "
        "buono chiara chiaro discreto eccellente ideale inadeguato insufficiente mediocre ottima "
        "ottimo perfetta perfetto pertinente ragionevole rilevante scarso soddisfacente "
        "sufficiente utile"
    ),
    "pt": set_of(
        "aceitável adequada adequadamente adequado apropriada apropriado bastante bem boa bom "
        "clara claro excelente fraca fraco geralmente ideal inadequado insuficiente má mau "
        "medíocre perfeita perfeito pertinente razoável relevante ruim satisfatório suficiente útil"
    ),
    "nl": set_of(
        "aanvaardbaar behoorlijk duidelijk geschikt goed goede gepast ideaal matig middelmatig "
        "nuttig onvoldoende passend perfect redelijk relevant slecht slechte sterk toereikend "
        "uitstekend voldoende zwak"
    ),
    "tr": set_of(
        "anlaşılır açık açıkça basit berbat doyurucu etkili faydalı genellikle güzel ideal ilgili "
        "iyi kaliteli kolay kötü makul mükemmel net oldukça uygun vasat verimli yararlı yardımcı "
        "yeterince yeterli yetersiz"
    ),
}
"""Words that leave the yardstick to whoever reads them, by language."""

CHECKLIST = re.compile(
    r"(?i)\s*(?:is|are) (?:this|these|it|the following) true of [\w ]{1,30}\?\s*"
)
"""The question that stands before a requirement of a checklist."""

_COMMON: dict[str, frozenset[str]] = {
    "en": set_of(
        "the and is are of to in it not that with for an answer or no does a when if on by this "
        "but has be"
    ),
    "de": set_of("der die das und ist nicht ein eine mit zu den auf antwort oder kein"),
    "fr": set_of("le la les et est des une dans que pas pour réponse du sur ou sont"),
    "es": set_of("el la los las y es de que no con para una respuesta en del o son"),
    "it": set_of("il lo la gli e è di che non con per una risposta nel della o sono"),
    "pt": set_of("o a os as e é de que não com para uma resposta em do da ou são"),
    "nl": set_of("de het een en is niet van met voor antwoord in op dat of geen zijn"),
    "tr": set_of("ve bir bu için ile ya da veya değil çok yanıt çıktı olmalı olmalıdır olan gibi"),
}

EMPTY: frozenset[str] = set_of(
    "a an and answer answers are assistant at be been being but by can code comment content did "
    "do does done down email explanation few fit fits for from given gives had has have how i if "
    "in is it its item itself just level many message model more most much not of off on one or "
    "output overall part piece prose question reader reply request respond responds response "
    "responses result say says shows so some such summary task text than that the their them "
    "there these they thing things this those to too up user users very was way what when where "
    "which who whole will with work would writing you your"
)
"""English words that say nothing about an output by themselves."""


AMOUNTS: frozenset[str] = set_of(
    "no not none never without nothing neither nor non lacks lacking missing fails all every each "
    "any some few several many most more less least half one two three four five six seven eight "
    "nine ten once twice only but except always both either part partly partially fully wholly "
    "completely entirely single exactly first second major minor nicht kein keine keiner ohne "
    "alle jede jeder eine zwei drei teilweise ganz pas aucun aucune sans tous toutes un deux trois "
    "ningún ninguna sin todos todas uno dos tres non nessun nessuna senza tutti tutte due tre"
)
"""Words that alone can make the difference between two levels."""

DEGREE: frozenset[str] = set_of(
    "adept adeptly always capable careful carefully completely considerable considerably "
    "consistently convincingly deep deeply demonstrate demonstrates demonstrating display displays "
    "effort efficient efficiently entirely excel excellently excels exceptionally exhibit exhibits "
    "expertly extremely frequently full fully great greatly handle handles handling high highly "
    "impressively inconsistently level limited little manage manages managing maneuvering "
    "masterfully maximum minimal minimally moderate moderately modest navigates navigating notable "
    "notably occasionally offer offers often particularly proficiency proficient proficiently "
    "provide provides quite rarely remarkable remarkably robust seldom show showing shows "
    "skilfully skillfully slight slightly smooth smoothly sometimes strongly struggles struggling "
    "superbly thorough thoroughly through truly typically usually vaguely weakly"
)
"""English words that say how much or how often, and verbs that only carry them."""


@remembered
def set_of_words(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case, each once."""
    return frozenset(words_of(text))


@remembered
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, in lower case."""
    return tuple(word.casefold().replace("’", "'") for word in _WORD.findall(text))


@remembered
def language_of(text: str) -> str:
    """Return the language a text is most likely in: a key of ``VAGUE``; "en" when in doubt."""
    words = words_of(text)
    return max(
        _COMMON, key=lambda code: (sum(map(_COMMON[code].__contains__, words)), code == "en")
    )


_NOT_VAGUE = re.compile(
    r"(?i)\b(?:(?:as|so|too) well|as good as|so gut wie|(?:aussi|ou|si|o|más) bien|bien que"
    r"|bem como|clear of|on average|a good (?:deal|half|part)|(?:the|a) fine (?:is|of)"
    r"|perfectly (?:aligned|equal|identical|match\w*|the same)"
    r"|(?:which|no|each|every|any|another|the \w+est|public|common) good"
    r"(?=\W*$|,|\s(?:the|that|which|is|was|has|and|or|with|together|without|in|of|it|at|for)\b)"
    r"|(?:a|one|some|the|this|that|its|their|whose|greater) (?:good|bad|fine|fair|well)"
    r"(?=[.;:]?\W*$|\s(?:are|at|by|can|comes|costs|for|from|has|in|is|may|of|on|sold|stands|starts"
    r"|that|to|under|was|which|with|without|will)\b|,? (?:and )?the (?:bad|ugly|good)\b)"
    r"|the average (?:of|is|was|stands)"
    r"|(?:das|dem|des|ein|eines|jedes|kein|welches|und) (?-i:Gut(?:e|es|en)?)(?=\W*$|\s(?:am|an|aus"
    r"|der|des|die|für|hat|im|in|ist|mit|nach|ohne|von|wird|zum|zur)\b)"
    r"|biens? communs?|bien común|(?:le|un|du|chaque) bien(?= (?:est|qui|que|de|du)\b))\b"
)
"""Turns of speech with a word in them that is vague elsewhere: *and the price as well*."""


def vague_words(text: str) -> list[str]:
    """Return the vague words of a text, in their order."""
    return list(_vague(text))


@remembered
def _vague(text: str) -> tuple[str, ...]:
    vague = VAGUE[language_of(text)]
    if vague.isdisjoint(words_of(text)):
        return ()
    return tuple(word for word in words_of(_NOT_VAGUE.sub(" ", text)) if word in vague)


def telling_words(text: str) -> list[str]:
    """Return the words of a text that say something: not vague, and no mere frame of a sentence."""
    language = language_of(text)
    silent = VAGUE[language] | _COMMON[language] | (EMPTY if language == "en" else frozenset())
    return [word for word in words_of(text) if word not in silent]


def content_words(words: tuple[str, ...]) -> list[str]:
    """Return what is left of English words without those of degree, vague ones and mere frame."""
    return [word for word in words if word not in _SILENT]


_SILENT = VAGUE["en"] | _COMMON["en"] | EMPTY | DEGREE


def likeness(first: str, second: str) -> float:
    """Return how many of the words of two texts are shared: 0 for none, 1 for all (Jaccard)."""
    one, other = set(words_of(first)), set(words_of(second))
    return len(one & other) / len(one | other) if one or other else 1.0
