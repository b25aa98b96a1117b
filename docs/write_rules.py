"""Writes docs/rules: one page for each lint rule, from the rule's own file. Run it after a change.

python docs/write_rules.py
"""

from __future__ import annotations

from pathlib import Path

from judgekit.linting.pages import Page, pages

FOLDER = Path(__file__).parent / "rules"
FAMILIES = {
    "AN": "Worked examples",
    "CR": "Criteria",
    "EV": "What calibrations and runs have shown (`judgekit lint --evidence`)",
    "ID": "Versions",
    "IG": "Comments that ignore rules",
    "LV": "Levels",
    "RB": "The file",
    "SC": "Scales",
    "TP": "Templates",
}


def texts() -> dict[str, str]:
    """Return every page by file name."""
    found = pages()
    return {"README.md": index(found), **{f"{page.rule}.md": page.markdown for page in found}}


def index(found: list[Page]) -> str:
    """Return the list of all rules."""
    lines = ["# Lint rules", "", "`judgekit explain RULE` shows the same on the screen."]
    for family, title in FAMILIES.items():
        members = [page for page in found if page.code.startswith(family)]
        if members:
            lines += ["", f"## {title}", "", "| code | rule | what is wrong |", "|---|---|---|"]
        for page in members:
            summary = page.summary.replace("|", "\\|")
            lines.append(f"| {page.code} | [{page.rule}]({page.rule}.md) | {summary} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write what changed and take out what is no rule any more."""
    FOLDER.mkdir(exist_ok=True)
    wanted = texts()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
