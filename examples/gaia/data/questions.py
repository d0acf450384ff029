"""Writes the questions of questions.hcl, in both of GAIA's forms: python questions.py, with pyarrow 26.

The answers are worked out of the attachments here. With --check nothing is written, pyarrow is not needed, and the
status is 1 unless metadata.jsonl holds the questions and the answers as they come out."""

import csv
import json
import pathlib
import posixpath
import re
import sys
from collections import Counter

TOP = pathlib.Path(__file__).parent / "questions"
SPLIT = "2023/validation"


def text(name: str) -> str:
    return (TOP / SPLIT / name).read_text()


def table(name: str, **where: str) -> list[dict]:
    """The rows of a table that have certain values, with the numbers as numbers."""
    found = [row for row in csv.DictReader(text(name).splitlines()) if where.items() <= row.items()]
    return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in found]


def total(rows: list[dict], *columns: str) -> int:
    """The sum over rows of the product of their columns."""
    out = 0
    for row in rows:
        product = 1
        for column in columns:
            product *= row[column]
        out += product
    return out


def find(pattern: str, name: str) -> str:
    return re.search(pattern, text(name)).group(1)


def number(pattern: str, name: str) -> int:
    return int(find(pattern, name).replace(",", ""))


def link(name: str, label: str) -> str:
    """The page that a link with a label leads to."""
    href = find(rf'<a href="([^"#]+)[^"]*">{label}</a>', name)
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), href))


def page(topic: str) -> str:
    """A page that the first one of the town links to."""
    return link("aldermere.html", rf"[^<]*{topic}[^<]*")


def cells(name: str) -> list[list[str]]:
    """The rows of the table on a page."""
    return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(<td>.*?)</tr>", text(name))]


def person(name: str, who: str, pattern: str) -> str:
    """What stands about somebody on the page that a link with the name leads to."""
    return find(rf"(?s)>{who}</h2>\n<p>[^/]*?{pattern}", link(name, who))


def oldest() -> dict:
    return min(json.loads(text("collection.json"))["objects"], key=lambda thing: thing["year"])


def keeper() -> str:
    rooms = json.loads(text("collection.json"))["rooms"]
    return next(room["keeper"] for room in rooms if room["number"] == oldest()["room"])


def thing(name: str) -> dict:
    return next(o for o in json.loads(text("collection.json"))["objects"] if o["name"] == name)


def bills() -> Counter:
    """What each customer has to pay."""
    prices = {row["item"]: row["price_per_kg"] for row in table("prices.csv")}
    out = Counter()
    for row in table("orders.csv"):
        out[row["customer"]] += row["kg"] * prices[row["item"]]
    return out


def walk() -> list[str]:
    """The pages of the walk, by their links."""
    pages = [page("walk")]
    while "On to the next part" in text(pages[-1]):
        pages.append(link(pages[-1], "On to the next part"))
    return pages


def arrival(stop: str, departure: str) -> str:
    """When the bus that leaves the Station at a time reaches a stop."""
    (first,), (other,) = table("bus.csv", stop="Station"), table("bus.csv", stop=stop)
    return next(other[run] for run, at in first.items() if at == departure)


def days_at_sea(ship: str) -> int:
    return total(table("voyages.csv", ship=ship), "days")


def rain(station: str) -> int:
    (row,) = table("rainfall.csv", station=station)
    return sum(value for value in row.values() if value != station)


def broken_lamps() -> int:
    words = {"Eleven": 11}
    return words[find(r"(\w+) lamps are out", "minutes.txt")]


def potatoes_at_the_fair() -> int:
    words = {"sixty": 60, "four": 4}
    times = words[find(r"fair we cook it for (\w+)", "soup.md")] // words[find(r"For \*\*(\w+) people", "soup.md")]
    return times * number(r"potatoes \| (\d+)", "soup.md")


def fog_hours(month: str) -> int:
    pattern = rf"\n\d+ {month}\..*Fog signal sounded for (\d+) hours"
    return sum(int(hours) for hours in re.findall(pattern, text("keeper-log.txt")))


def fares(**travellers: int) -> int:
    crowns = dict(cells(page("ferry")))
    return sum(count * int(crowns[who]) for who, count in travellers.items())


def pupils() -> int:
    school = page("school")
    small = number(r"one small class with (\d+)", school)
    return number(r"(\d+) classes", school) * number(r"with (\d+) pupils", school) + small


def climb_times_change() -> int:
    metres = sum(number(r"and (\d+)\s+metres up", part) for part in walk())
    return metres * (50 - number(r"costs (\d+) crowns", walk()[-1]))


def founder_less_director() -> int:
    museum = page("museum")
    founder = number(r"opened in (\d+)", museum) - int(person(museum, "Mary Ashdown", r"born in (\d+)"))
    since = int(person(museum, "Noor Haddad", r"since (\d+)"))
    return founder - (since - int(person(museum, "Noor Haddad", r"Born in (\d+)")))


def sequence(first: int, length: int) -> int:
    for _ in range(length - 1):
        first = 3 * first - 4
    return first


def most(counts: Counter) -> str:
    (first, a), (_, b) = counts.most_common(2)
    assert a > b, f"{first} is not alone"
    return first


# A question: its level, its text, its attachment, how people find the answer, and the answer.
FILES = [
    (1, "The attached file is the list of a museum's objects. Who made the barometer?", "collection.json",
     ["Look for the barometer", "Read its maker"], lambda: thing("barometer")["maker"]),
    (1, "The sextant of this museum is on loan. Until which day? Write it as in the file.", "collection.json",
     ["Look for the sextant", "Read the end of its loan"], lambda: thing("sextant")["loan"]["until"]),
    (2, "Who looks after the room in which the oldest object of this collection stands?", "collection.json",
     ["Find the object with the earliest year", "Take its room", "Read the keeper of the room"], keeper),
    (1, "Which member of the council voted against the footbridge? Give the surname.", "minutes.txt",
     ["Find the item about the footbridge", "Read who was against"],
     lambda: find(r"Against: (\w+)", "minutes.txt")),
    (2, "What would it cost, in crowns, to replace every street lamp that the minutes call broken, at the cost "
     "that is thought of?",
     "minutes.txt",
     ["Find the number of lamps that are out", "Find the cost of one", "Multiply"],
     lambda: broken_lamps() * number(r"one lamp is\s+thought to be (\d+)", "minutes.txt")),
    (1, "How many grams of leeks does this recipe take?", "soup.md",
     ["Read the row of the leeks"], lambda: number(r"leeks \| (\d+)", "soup.md")),
    (2, "The recipe is to be cooked for the fair, for as many people as its notes say. How many grams of "
     "potatoes does that take?",
     "soup.md",
     ["See that the recipe is for four", "See that the fair is for sixty", "Multiply the potatoes by 15"],
     potatoes_at_the_fair),
    (1, "This is the timetable of a bus. When does the one that leaves the Station at 08:10 reach the "
     "Lighthouse?",
     "bus.csv",
     ["Find the run that begins at 08:10", "Read the row of the Lighthouse"],
     lambda: arrival("Lighthouse", "08:10")),
    (2, "What was the name of the ship that struck the Calf Rocks according to this log? Leave out what kind of"
     " ship it was.",
     "keeper-log.txt",
     ["Look for the Calf Rocks", "Read the ship's name"],
     lambda: find(r"ketch (\w+) struck the Calf Rocks", "keeper-log.txt")),
    (3, "For how many hours did the fog signal sound in November, according to this log?", "keeper-log.txt",
     ["Find the days of November with a fog signal", "Add up the hours"], lambda: fog_hours("November")),
]
TABLES = [
    (1, "How many crates were picked in the field North?", "harvest.csv",
     ["Take the rows of North", "Add up the crates"],
     lambda: total(table("harvest.csv", field="North"), "crates")),
    (1, "Which station had the most rain in June?", "rainfall.csv",
     ["Compare the column of June"],
     lambda: most(Counter({row["station"]: row["Jun"] for row in table("rainfall.csv")}))),
    (2, "How much do all crates of the variety Russet bring, each at the price of its row?", "harvest.csv",
     ["Take the rows of Russet", "Multiply crates by price in each", "Add up"],
     lambda: total(table("harvest.csv", variety="Russet"), "crates", "price_per_crate")),
    (2, "How many tons of timber were carried to Skelle, by all ships?", "voyages.csv",
     ["Take the rows with timber and Skelle", "Add up the tons"],
     lambda: total(table("voyages.csv", port="Skelle", cargo="timber"), "tons")),
    (2, "By how many days was the ship that sailed longer, of Marten and Osprey, longer at sea in total than "
     "the other?",
     "voyages.csv",
     ["Add up the days of Marten", "Add up the days of Osprey", "Subtract the smaller from the larger"],
     lambda: abs(days_at_sea("Marten") - days_at_sea("Osprey"))),
    (2, "Which member has borrowed the most books?", "loans.csv",
     ["Count the rows of each member"], lambda: most(Counter(row["member"] for row in table("loans.csv")))),
    (3, "The file prices.csv, which lies beside this one, has the prices. What does the School Kitchen have to "
     "pay for all its orders?",
     "orders.csv",
     ["Take the orders of the School Kitchen", "Look up the price of each item", "Multiply, and add up"],
     lambda: bills()["School Kitchen"]),
    (3, "The file prices.csv, which lies beside this one, has the prices. Which customer has to pay the most "
     "for all orders together?",
     "orders.csv",
     ["Look up the price of each item", "Multiply by the kilograms", "Add up by customer", "Compare"],
     lambda: most(bills())),
    (2, "By how many millimetres was the year at the station Moor wetter than at the station Quay?",
     "rainfall.csv",
     ["Add up the months of Moor", "Add up the months of Quay", "Subtract"],
     lambda: rain("Moor") - rain("Quay")),
    (3, "A book may be kept for 28 days; each day more costs 20 cents. How many cents were paid for the loans "
     "of the branch Hill?",
     "loans.csv",
     ["Take the rows of Hill", "Subtract 28 from the days of each, if there are more", "Add up",
      "Multiply by 20"],
     lambda: 20 * sum(max(row["days_kept"] - 28, 0) for row in table("loans.csv", branch="Hill"))),
]
PAGES = [
    (1, "In which year was the ferry of this town built?", "aldermere.html",
     ["Follow the link to the ferry", "Read the year"], lambda: number(r"built at \w+ in (\d+)", page("ferry"))),
    (1, "How many metres long may a ship be that lies in a berth of this town's harbour?", "aldermere.html",
     ["Follow the link to the harbour", "Read which ships have to anchor in the bay"],
     lambda: number(r"more than (\d+) metres", page("harbour"))),
    (1, "Which stall of this town's market sells honey? Give the name of the seller.", "aldermere.html",
     ["Follow the link to the market", "Find the row with honey"],
     lambda: next(who for _, who, what in cells(page("market")) if "honey" in what)),
    (2, "Where was the harbour master of this town born?", "aldermere.html",
     ["Follow the link to the harbour", "Follow the link to the harbour master", "Read the place"],
     lambda: person(page("harbour"), find(r'master: <a[^>]*>([^<]+)', page("harbour")), r"Born in \d+ in (\w+)")),
    (2, "Two adults and three children with two bicycles take this town's ferry to Ness and back. How many "
     "crowns do they pay?",
     "aldermere.html",
     ["Follow the link to the ferry", "Multiply the fares", "Add up"],
     lambda: fares(adults=2, children=3, bicycles=2)),
    (2, "For how many hours a week is the Quay branch of this town's library open?", "aldermere.html",
     ["Follow the link to the library", "Subtract the hours of each day", "Add up"],
     lambda: sum(int(closes) - int(opens) for _, opens, closes in cells(page("library")))),
    (2, "How many pupils does this town's school have?", "aldermere.html",
     ["Follow the link to the school", "Multiply classes by pupils", "Add the small class"], pupils),
    (2, "How many metres long is the whole walk around the bay?", "aldermere.html",
     ["Follow the links through all parts of the walk", "Add up the metres"],
     lambda: sum(number(r"([\d,]+) metres, and", part) for part in walk())),
    (3, "Multiply the metres that the whole walk around the bay goes up by the crowns that are given back to"
     " whoever pays for a visit to the tower at its end with 50 crowns.",
     "aldermere.html",
     ["Follow the links through all parts of the walk", "Add up the metres up", "Subtract the price from 50",
      "Multiply"],
     climb_times_change),
    (3, "How many years older was the founder of this town's museum in the year in which it opened than its present"
     " director was in the year of becoming director?",
     "aldermere.html",
     ["Follow the link to the museum", "Follow the links to the people", "Subtract the years of birth",
      "Subtract the ages"],
     founder_less_director),
]
SUMS = [
    (1, "A press prints 48 pages a minute. How many does it print in 35 minutes?", "",
     ["Multiply"], lambda: 48 * 35),
    (1, "A cistern holds 2310 litres. On Monday 486 are taken out, on Tuesday 759. How many are left?", "",
     ["Subtract twice"], lambda: 2310 - 486 - 759),
    (1, "A theatre has 27 rows of 34 seats, and 58 seats in the boxes. How many people can sit in it?", "",
     ["Multiply", "Add"], lambda: 27 * 34 + 58),
    (1, "One tariff costs 19 crowns and 3 more for each of 46 visits, the other 151 crowns for all visits. What"
     " does the dearer one cost?",
     "",
     ["Multiply", "Add", "Compare"], lambda: max(19 + 3 * 46, 151)),
    (2, "A farmer has 36 hens that lay 5 eggs a week each. He keeps 44 eggs a week and sells the others for 3 "
     "crowns each. What does he earn in 12 weeks?",
     "",
     ["Multiply hens by eggs", "Subtract", "Multiply by price and weeks"], lambda: (36 * 5 - 44) * 3 * 12),
    (2, "A field of 84 by 57 metres has a pond of 19 by 13 metres in it. How many square metres are left?", "",
     ["Multiply twice", "Subtract"], lambda: 84 * 57 - 19 * 13),
    (2, "A train leaves with 312 people. At each of 4 stops 37 get off and 29 get on. How many arrive?", "",
     ["Subtract", "Multiply", "Subtract"], lambda: 312 - 4 * (37 - 29)),
    (2, "What is the difference between the larger of 68 times 89 and 71 times 84, and the smaller of them?",
     "",
     ["Multiply twice", "Compare", "Subtract"], lambda: abs(68 * 89 - 71 * 84)),
    (3, "A sequence begins with 7. Each next number is three times the one before, less 4. What is the sixth "
     "number?",
     "",
     ["Multiply and subtract five times"], lambda: sequence(7, 6)),
    (3, "The sum of the squares of the numbers from 11 to 16, less the square of 27: how much is it?", "",
     ["Square six numbers", "Add up", "Subtract the square of 27"],
     lambda: sum(n * n for n in range(11, 17)) - 27 * 27),
]
KINDS = {"file": FILES, "table": TABLES, "page": PAGES, "sum": SUMS}
TOOLS = {"file": ["A text viewer"], "table": ["A spreadsheet"], "page": ["A web browser"], "sum": []}


def rows() -> list[dict]:
    out = []
    for kind, questions in KINDS.items():
        for n, (level, question, file, steps, answer) in enumerate(questions, 1):
            tools = TOOLS[kind] + ["A calculator"]
            out.append({
                "task_id": f"{kind}-{n:02}", "Question": question, "Level": level, "Final answer": str(answer()),
                "file_name": file, "Annotator Metadata": {
                    "Steps": "\n".join(f"{i}. {step}." for i, step in enumerate(steps, 1)),
                    "Number of steps": str(len(steps)), "How long did this take?": "not measured",
                    "Tools": "\n".join(f"{i}. {tool}" for i, tool in enumerate(tools, 1)),
                    "Number of tools": str(len(tools)),
                },
            })
    return out


def write(made: list[dict]) -> None:
    """Writes both files. As in GAIA, only metadata.parquet has file_path, and its levels are texts."""
    import pyarrow
    import pyarrow.parquet

    (TOP / SPLIT / "metadata.jsonl").write_text("".join(json.dumps(row) + "\n" for row in made))
    for row in made:
        row["Level"] = str(row["Level"])
        row["file_path"] = f"{SPLIT}/{row['file_name']}" if row["file_name"] else ""
        row["Annotator Metadata"] = row.pop("Annotator Metadata")  # it is the last column
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(made), TOP / SPLIT / "metadata.parquet")


def check(made: list[dict]) -> None:
    have = [json.loads(line) for line in text("metadata.jsonl").splitlines()]
    wrong = [row["task_id"] for row, was in zip(made, have) if row != was]
    if wrong or len(made) != len(have):
        sys.exit(f"metadata.jsonl has {len(have)} questions of {len(made)}. Run questions.py for: {wrong}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        check(rows())
    else:
        write(rows())
