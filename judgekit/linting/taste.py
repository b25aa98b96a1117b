"""Words by which a text leaves the yardstick to the taste of whoever judges, or of nobody known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judgekit.linting.late import Late
from judgekit.linting.remembered import remembered
from judgekit.linting.words import set_of, set_of_words, telling_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judgekit.linting.prose import Sentence

_MARKS = set_of(
    "discretion feeling feelings gut impression instinct instincts intuition judgement judgment "
    "liking opinion preference preferences sense taste yourself "
    "augenmaß bauch bauchgefühl belieben denkst eindruck empfinden ermessen ermessenssache findest "
    "gefühl geschmack glaubst gutdünken halten hältst magst meinen meinst möchten möchtest selbst "
    "urteil willst wollen zufrieden überzeugt appréciation avis criterio discrétion goût gusto "
    "juicio jugement opinión"
)
_WITH_YOU = set_of(
    "appropriate believe best choose comfortable convinced feel fit fitting happy impressed left "
    "like love necessary please pleased prefer right satisfied see sensible suitable think up "
    "want wish"
)
"""One of the first, or one of the second beside *you*, is in every text that hands it over."""
_JUDGE = r"(?:judge|grader|rater|reader|annotator|evaluator|reviewer|marker)"
_SENSE = (
    r"(?:judge?ment|discretion|feelings?|gut(?: feelings?| instincts?)?|instincts?|intuition"
    r"|taste|liking|opinion|impression|preferences?|sense of \w+)"
)
_EMPFINDEN = (
    r"(?:ermessen|(?:bauch)?gefühl|gutdünken|geschmack|belieben|empfinden|eindruck|urteil|augenmaß)"
)
_HANDED = Late(
    rf"(?i)\b(?:(?:use|using|trust|apply|exercise|follow|go (?:with|by)|rely(?:ing)? on"
    rf"|depending on|according to|based on|at|in|by|to|with) (?:your|the {_JUDGE}['’]s|one['’]s)"
    rf"(?: own| best| good| personal| subjective| professional)* {_SENSE}"
    rf"|(?:is|are|be) (?:left )?(?:to|up to|at) (?:your|the {_JUDGE}['’]s)(?: own)? {_SENSE}"
    rf"|discretion of (?:the|each) {_JUDGE}|(?:use|apply) common sense"
    r"|(?:by|on|from|go with|use|trust) (?:(?:pure|the) )?(?:gut (?:feelings?|instincts?)|instinct"
    r"|intuition|gut(?=\W*$|[.,;]))\b(?! (?:of|in|that)\b)"
    r"|(?:as|however|whatever|whichever(?: level)?) you (?:see fit|like|please|wish|prefer|choose"
    r"|want|(?:think|feel|find|deem|consider)(?: (?:is|it))?(?: the)? (?:best|fit|fitting|right"
    r"|appropriate|suitable|necessary|sensible))|(?:as )?you see fit"
    rf"|(?:left|up) to (?:you|the {_JUDGE})(?=\W*$| to (?:decide|judge|choose))"
    r"|(?:decide|judge|choose) for yourself|trust yourself"
    rf"|(?:nach|in|im) (?:(?:eigene|deine|ihre|freie|persönliche|subjektive|bestem?)[mnr]? )+"
    rf"{_EMPFINDEN}|nach (?:gefühl|gutdünken|belieben|geschmack|augenmaß)\b(?! (?:de[rsm]|von|für))"
    r"|aus dem bauch(?: heraus)?|(?:dein|ihr)(?:em|en)? bauchgefühl|ermessenssache"
    r"|(?:vertraue?|verlass dich auf|verlassen sie sich auf|hör auf|folge) (?:dein|ihr)(?:em)?"
    rf" {_EMPFINDEN}|ermessen des (?:bewerters|richters|prüfers|lesers|bewertenden)"
    r"|(?:wie|was) (?:du|sie) (?:es )?(?:für (?:richtig|angemessen|passend|gut|nötig) (?:hältst"
    r"|halten)|meinst|willst|möchtest|meinen|wollen|möchten)|entscheide(?:n sie)? selbst"
    r"|(?:selon|d['’]après) (?:votre|ton) (?:propre )?(?:jugement|avis|goût|intuition)"
    r"|à (?:votre|ta) (?:discrétion|appréciation)"
    r"|(?:según|a) (?:tu|su) (?:propi[oa] )?(?:criterio|juicio|opinión|gusto))\b"
)
"""Orders to make up the yardstick."""
_IF_YOU = Late(
    r"(?i)(?:^\W*|\b(?:if|when(?:ever)?|where) )you (?:(?:really|personally|just) )?(?:feel|think"
    r"|believe|like|love|are (?:happy|satisfied|convinced|impressed|pleased|comfortable))\b"
    r"|\b(?:wenn|falls|sofern|wo) du (?:\w+ ){0,4}(?:findest|meinst|denkst|glaubst|magst"
    r"|zufrieden bist|überzeugt bist|das gefühl hast)\b"
)
"""What the judge feels as the condition of a level; in a prompt it may well be warned of it."""
_NOT = re.compile(
    r"(?i)(?:\b(?:not|never|cannot|without|than|instead of|avoid|nicht|nie|niemals|kein\w*|ohne"
    r"|(?:an)?statt|weder|pas|jamais|sans|nunca|sin)|n['’]t)\b[^.;:!?,]{0,30}$"
)
_OPEN_QUOTE = re.compile(r"[\"“„«‘`](?=[^\"”“»’`]*$)|(?<!\w)'(?=[^']*$)")

_LIKED_MARKS = set_of(
    "bar complain criticise criticize desired enough expect feels first first-class first-rate "
    "hope job looks mark par purpose quality scratch seems sounds spot spot-on standard standards "
    "top top-class wish ansprüche ansprüchen auszusetzen beanstanden erwartungen gehört genug "
    "maßstäben meckern niveau ordnung passt reicht sein wünsche wünschen zweck"
)
_WOULD = set_of("should would wouldn't würde würden wäre wären")
_PLEASED_MARKS = set_of(
    "accept agree appreciate approve be dislike enjoy hate like love prefer begeistert enttäuscht "
    "gefallen glücklich gutheißen lieben mögen zufrieden zustimmen"
)
_PLEASED = (
    r"(?:(?:like|love|enjoy|hate|dislike|appreciate|approve|be (?:happy|satisfied|pleased|content"
    r"|impressed|disappointed|delighted|convinced|proud|fine|ok|okay))\b"
    r"(?! (?:to|that|on|whether|about|(?:with|of) (?:an?|the) (?!answer|output|reply|response"
    r"|result|text))\b)|(?:accept|agree|prefer)(?: (?:it|this|with (?:it|this)))?(?=\W*$|[.,;]))"
)
_LIKED = Late(
    rf"(?i)\b(?:\w+ (?:would|should|wouldn['’]t)(?: not| really| probably| surely)? {_PLEASED}"
    r"|(?:meets?|reach(?:es)?|satisf(?:y|ies)|fulfils?|up to|below|above|short of|exceeds?"
    r"|in line with|conforms? to|complies with) (?:(?:an?|the|our|your|my|all|any|most|usual"
    r"|expected|professional|industry|academic|editorial|very|high|highest|low|common|general"
    r"|normal|required|basic|minimum|accepted|good|best)\s)*(?:quality )?(?:standards?|par|scratch)"
    r"\b(?! (?:of|for|in|set|on|as|to|english|deviation|time)\b)"
    r"|(?:of|to) (?:an? )?(?:very )?(?:high|professional|good|low|poor) standards?"
    r"|up to the mark|(?:clears|meets) the bar|quality bar|(?:not )?good enough"
    r"|leaves? (?:nothing|much|a lot|little|something) to be desired"
    r"|(?:gets|does) the job(?: done)?"
    r"|as (?:it|they|one) should be|as (?:one|you) (?:would|might) (?:expect|hope|wish)"
    r"|fit for purpose|spot[- ]on|(?:first|top)[- ](?:rate|class)|hits the (?:spot|mark)"
    r"|nothing to (?:complain about|criticise|criticize)"
    r"|(?:looks|feels|seems|sounds) (?:right|off|wrong)"
    r"|(?:hohe[nm]?|höchste[nm]?|üblichen|unseren|ihren) (?:qualitäts)?(?:ansprüche?n?|standards"
    r"|erwartungen|maßstäben)|auf hohem niveau|(?:nicht )?gut genug"
    r"|(?:im großen und ganzen )?in ordnung|reicht nicht aus|passt (?:so|schon)"
    r"|lässt (?:\w+ )?zu wünschen übrig|lässt keine wünsche offen"
    r"|wie es (?:sich gehört|sein sollte?)"
    r"|erfüllt (?:ihren|seinen|den) zweck|nichts (?:auszusetzen|zu beanstanden|zu meckern)"
    r"|würden? (?:\w+ ){0,4}(?:mögen|gefallen|lieben|gutheißen|zustimmen)"
    r"|wären? (?:\w+ ){0,3}(?:zufrieden|begeistert|enttäuscht|glücklich))\b"
)
"""Praise by people who are not there to be asked, or by nobody."""
_FEW = 5
"""Words of one's own that such a text may have and still rest on the taste of others."""

_ASKED = Late(
    r"(?i)\W*(?:(?:do|would|did|will) you (?:personally |really )?(?:like|love|enjoy|approve of"
    r"|appreciate|dislike|hate|prefer)"
    r"|how (?:do|would|did|much do) you (?:personally )?(?:feel|like|enjoy|find)"
    r"|how does (?:it|this|the \w+) (?:make you feel|feel|strike you)"
    r"|what (?:do|would|did) you (?:personally )?(?:think|feel) (?:of|about)"
    r"|what(?: is|['’]s| are) your (?:\w+ )?(?:opinion|impression|feelings?|view|take|favou?rite)"
    r"|(?:how (?:happy|satisfied|pleased|convinced|impressed|comfortable) are you"
    r"|are you (?:happy|satisfied|pleased|convinced|impressed|comfortable|content))"
    r"|(?:do|does|did) (?:it|this|that|the \w+) (?:please|impress|satisfy|convince|delight|bore"
    r"|appeal to) you|is (?:it|this|the \w+) to your (?:taste|liking)"
    r"|which (?:\w+ ){0,6}?(?:do|would) you (?:personally )?(?:like|prefer|favou?r|enjoy|find)"
    r"|(?:wie |wie sehr |wie gut )?gef(?:ällt|iel|allen) (?:es )?(?:dir|ihnen|euch)"
    r"|(?:wie (?:gern|sehr) )?magst du|(?:wie )?mögen sie|wie (?:findest du|finden sie)"
    r"|was (?:hältst du|halten sie) von|was (?:denkst du|denken sie|meinst du|meinen sie)"
    r"(?= über| zu| von|\W*$)|(?:bist du|sind sie) (?:\w+ ){0,4}(?:zufrieden|begeistert)"
    r"|(?:spricht|überzeugt|begeistert) dich|sagt (?:dir|ihnen) (?:\w+ ){1,4}zu"
    r"|was ist (?:dein|ihr) (?:eindruck|gefühl)|wie ist (?:dein|ihr) (?:eindruck|gefühl)"
    r"|welche[rsn]? (?:\w+ ){0,4}(?:gefällt (?:dir|ihnen)|bevorzug\w+ (?:du|sie)|mags?t du)"
    r"|aimez[- ]vous|aimes[- ]tu|que (?:pensez[- ]vous|penses[- ]tu) de|comment trouvez[- ]vous"
    r"|(?:te|le|les) gustan?|qué (?:te|le) parece|qué (?:opina|piensa)s? de)\b"
)
"""Questions of taste."""
_THINK = Late(
    r"(?i)\W*(?:(?:do|would|did) you (?:personally )?(?:agree|think|feel|find|believe|consider"
    r"|say)|(?:meinst|denkst|glaubst|findest) du|(?:meinen|denken|glauben|finden) sie)\b,?"
)
"""What turns a question into one of taste where nothing but praise follows."""


@remembered
def handed_over(text: str) -> str | None:
    """Return the words by which a text leaves the yardstick to the judge, or None.

    Those that warn of it, and those in quotes, are not among them.
    """
    if not _speaks(set_of_words(text)):
        return None
    said = text.replace("\n", " ")
    found = (match for match in _HANDED.finditer(said) if not _excepted(said[: match.start()]))
    return next((match[0] for match in found), None)


def _speaks(words: frozenset[str]) -> bool:
    return not _MARKS.isdisjoint(words) or ("you" in words and not _WITH_YOU.isdisjoint(words))


def _excepted(before: str) -> bool:
    return _NOT.search(before) is not None or _OPEN_QUOTE.search(before) is not None


@remembered
def by_taste(text: str) -> str | None:
    """Return the words by which a level rests on the taste of the judge, or of people not there."""
    words = set_of_words(text)
    said = text.replace("\n", " ")
    if _speaks(words):
        found = handed_over(text)
        felt = None if found else _IF_YOU.search(said)
        if felt and not _excepted(said[: felt.start()]):
            found = felt[0].strip()
        if found:
            return found
    liked = _LIKED.search(said) if _is_near(words) else None
    if liked is None or _OPEN_QUOTE.search(said[: liked.start()]):
        return None
    besides = f"{said[: liked.start()]} {said[liked.end() :]}"
    return liked[0] if len(telling_words(besides)) < _FEW else None


def _is_near(words: frozenset[str]) -> bool:
    """Return whether praise may be among some words: a quick look that misses nothing."""
    pleased = not (_WOULD.isdisjoint(words) or _PLEASED_MARKS.isdisjoint(words))
    return pleased or not _LIKED_MARKS.isdisjoint(words)


@remembered
def taste_asked(text: str) -> str | None:
    """Return the words by which a question asks for the judge's taste."""
    said = text.replace("\n", " ")
    if found := _ASKED.match(said):
        return found[0].strip(" ¿")
    found = _THINK.match(said)
    if found is None:
        return handed_over(text)
    return None if telling_words(said[found.end() :]) else found[0].strip()


def handed_over_in(sentences: Iterable[Sentence]) -> Iterator[tuple[int, str]]:
    """Yield such words in the sentences of a prompt, with where they stand."""
    for sentence in sentences:
        if said := handed_over(sentence.text):
            yield sentence.start + sentence.text.find(said), said
