"""The main job on the bundled example: read ratings of frozen yogurts, learn, ask, save, verify."""

import tempfile
from pathlib import Path

import setpref as sp

HERE = Path(__file__).parent


def main() -> None:
    prefs = sp.read(HERE / "yogurt.csv")
    print(f"read {prefs} from yogurt.csv")

    learned = sp.learn(prefs, simplicity="deg")
    print(f"degree {learned.degree}: synergies of up to {learned.degree} flavours are needed, and suffice")
    print(f"one model that fits: {learned.models[0]}")

    for first, second in [("mango+coconut", "mango+chocolate"), ("chocolate+orange", "orange"), ("mint", "{}")]:
        print(f"{first} against {second}: {learned.compare(first, second)}")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "learned.json"
        learned.save(path)
        for sentence in sp.verify(path):
            print(f"checked: {sentence}")


if __name__ == "__main__":
    main()
