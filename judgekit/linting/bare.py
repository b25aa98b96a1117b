"""What a text says of its own, beside the talk of levels that any text on any scale could hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judgekit.linting.remembered import remembered
from judgekit.linting.words import VAGUE, set_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FUNCTION = set_of(
    "a all an and any are aren't as at be because been but by can could did didn't do does doesn't "
    "done for from gets give given gives had has have here hence how i if in is isn't it it's its "
    "just may more most much no not of off on one only or out quite rather simply since so such "
    "than that that's the then there therefore these they thing things this those thus to too very "
    "was we were what when whenever where whether which while whole will with would you your "
    "aber als am an auch auf aus bei da daher das dass dem den denn der des deshalb die dies "
    "diese diesem diesen dieser dieses ein eine einem einen einer eines er es falls für hat hier "
    "ihm ihr im immer in ist kein keine keinen man mehr mit nach nicht noch nur ob oder sehr sei "
    "sie sind so sofern soweit um und von vom war weil wenn werden wie wird worden wurde zu zum "
    "zur "
    "a au aux avec c'est car ce cela ces cet cette comme dans de des donc du elle elles en est et "
    "il ils je la le les lorsque mais n'est ne on ou où par parce pas plus pour qu'il qu'elle "
    "quand "
    "que qui s'il se si sont sur très un une y était "
    "al así aunque como con cuando de del donde e el ella ellas ellos en era es esa ese eso esta "
    "este esto está están ha la las lo los más muy no o para pero por porque pues que se si sin "
    "son su también un una uno unos y"
)
"""Words of English, German, French and Spanish that hold a sentence together."""

_ITEM = set_of(
    "anchor answer answers case cases completion content example examples item items message model "
    "output outputs replies reply response responses result results sample text texts "
    "antwort antworten ausgabe ausgaben beispiel ergebnis fall fälle modell nachricht texte "
    "exemple message réponse réponses résultat sortie sorties textes "
    "ejemplo mensaje respuesta respuestas resultado salida salidas texto textos"
)
_POINTING = set_of(
    "a an best each lowest middle worst every the this that which such your "
    "das den der die dies diese dieser dieses ein eine einer jede "
    "ce cet cette l la le les un une "
    "el esta este la las los una"
)
"""Behind one of these such a noun is what is judged: *the answer*; alone it may be a verb."""

_GRADING = set_of(
    "n nada never nie none nothing nunca jamais rien "
    "big deficiencies defects drawbacks exceed exceeds expectation expectations expected few "
    "flaw flaws hoped "
    "improvement issue issues major many minor needed problem problems room several shortcoming "
    "shortcomings slight slightly small some somehow tiny weakness weaknesses wrong "
    "defizite einige übertrifft erwartet erwartete erwartung erwartungen etwas fehlerhaft kleine "
    "kleinen "
    "kleinere bewerte beurteile prüfe mängel probleme schwächen "
    "attendu attente attentes répond dépasse défaut défauts lacunes petit petits problème "
    "problèmes quelques "
    "algunos algún defecto defectos esperado supera expectativas pequeño pequeños problema "
    "problemas "
    "above applies applicable apply applied assign assigned award awarded behind belong belongs "
    "below best bottom called category circumstances class condition conditions counts criteria "
    "criterion decide decides decision definition definitions deserve deserved deserves drop "
    "dropped drops earn earned earns else evident exactly fail fails failed fall falls fit fits "
    "fitting following follows former fulfil fulfill fulfilled fulfills fulfils grade graded "
    "grader grades gradings got hence high higher highest instead judge judged judgement judges "
    "judging judgment know known label latter less level levels likely low lower lowest mark "
    "marks match matched matches meet meets merit merits met middle minimum must need needs next "
    "obvious obviously option other others otherwise place placed point points previous put "
    "qualified qualifies qualify quality rate rated rater raters rates rating ratings reach "
    "reached reaches remaining required requirement requirements requires rest said same satisfied "
    "satisfies satisfy say says score scored scores see self-evident self-explanatory should show "
    "shows something stage standard standards star stars step tells think thinks tier top true up "
    "typical typically under upper use using value worse worst yes "
    "andere anderen andernfalls anforderung anforderungen ansonsten bedingung bedingungen bekommt "
    "bestimmung bewerter bewertung beste besten darunter darüber definition eindeutig entspricht "
    "erfüllt erhält erreicht fällt genau gehört gilt höchste höher höhere höheren klar kriterien "
    "kriterium niedrigere niedrigeren niedriger niedrigste niveau note noten nächste "
    "nächsten nächstniedrigere oben obere offensichtlich passt punkt punkte punkten richter "
    "schlechteste siehe sonst steht stimmt stufe stufen tiefere trifft typisch typisches unten "
    "untere unterhalb verdient vorige wert zutrifft übrige "
    "atteint autre autres autrement cas catégorie clairement contraire correspond critère critères "
    "degré dessous dessus exemple exigence exigences inférieur inférieure mérite niveau niveaux "
    "obtient pire précédent précédente rempli remplie remplis satisfait sinon suivant suivante "
    "supérieur supérieure typique voir évident "
    "alcanza anterior caso categoría claramente condiciones contrario corresponde criterio "
    "criterios cumple cumplen definición evidente inferior merece mismo nivel niveles nota obvio "
    "obtiene otra otras otro otros peor punto puntos puntuación requisito requisitos siguiente "
    "superior típico ver véase"
)
"""Words that say no more than that something has, misses or deserves a level."""

_SILENT = _FUNCTION | _GRADING
_VAGUE = (VAGUE["en"] | VAGUE["de"] | VAGUE["fr"] | VAGUE["es"]) - set_of(
    "correct correcte correcta correcto"
)
"""Vague words of all four at once: a text of a few words hardly shows which language it is in."""
_COUNTS = set_of(
    "all any both each every first fewer half least none nothing once only second single third "
    "twice two three "
    "alle beide einer einzige erste jede jeder keiner mehrere nichts zwei zweite "
    "aucun aucune chaque deux rien seul tous toutes "
    "cada dos nada ninguna ninguno todas todos"
)
"""With one of these even *a requirement is missed* draws a line."""


LONGEST = 14
"""Words of a text that may have none of its own; longer ones are not looked through."""


def left_over(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the words of a text that say something of their own.

    Vague words, words that hold a sentence together, words on levels and grading, and the names of
    levels are not among them; of a text of more than fourteen words all are.

    Args:
        text: A definition, a border, a reason.
        names: Names of levels, of the criterion.
    """
    if len(words_of(text)) > LONGEST:
        return list(words_of(text))
    told = [word for word in _told(text) if word not in _VAGUE]
    silent = {word for name in names for word in words_of(name)} if told else set()
    return [word for word in told if word not in silent]


@remembered
def _told(text: str) -> tuple[str, ...]:
    words = words_of(text)
    if len(words) > 1 and not _COUNTS.isdisjoint(words):
        return tuple(words)
    return tuple(
        word
        for at, word in enumerate(words)
        if word not in _SILENT and not (word in _ITEM and _is_named(words, at))
    )


def _is_named(words: Sequence[str], at: int) -> bool:
    """Return whether a noun stands there for what is judged, and is no verb."""
    before = words[max(0, at - 2) : at]
    if at == 0:
        return words[0] in ("output", "outputs")
    return before[-1] in _VAGUE or not _POINTING.isdisjoint(before)
