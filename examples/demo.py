"""The main job on the bundled example: read ratings of frozen yogurts, learn, ask, save, verify."""

import tempfile
from pathlib import Path

import setpref as sp

HERE = Path(__file__).parent


def main() -> None:
    prefs = sp.read(HERE / "yogurt.csv")
    print(f"read {prefs} from yogurt.csv")

    learned = sp.learn(prefs)
    print(f"degree {learned.degree}, {learned.cardinality} terms, total size {learned.total_size}; {learned.meaning}")
    for model in learned.models:
        print(f"  {model}")

    for first, second in [
        ("mango+mint", "orange"),
        ("mint", "{}"),
        ("mango+coconut+chocolate+orange", "mango+chocolate"),
    ]:
        print(f"{first} against {second}: {learned.compare(first, second)}")
    print(f"the best pair: {', '.join(learned.best(size=2).necessarily)}")
    print(learned.explain_term("mango+coconut").text)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learned.json"
        learned.save(path)
        for sentence in sp.verify(path):
            print(f"checked: {sentence}")


if __name__ == "__main__":
    main()
