"""Compiles all kernels that the tests need of some games, before several processes start: `compile_all.py GAME …`."""

import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

import spina
import spina.lab.recorder
import spina.lab.training
from spina.adapters.episode import Setup
from spina.games import find, get
from spina.kernel import compiler

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # some entries for tests are in `bench`


def entry_modules(game: str) -> list[str]:
    """The modules of a game's package that define compiled entries; and those of `bench` for it."""
    package = importlib.import_module(type(find(game)).__module__.rpartition(".")[0])
    found = [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.") if not each.ispkg]
    beside = [path for path in (ROOT / "bench").glob("*_entries.py") if package.__name__ in path.read_text()]
    found += [f"bench.{path.stem}" for path in beside]
    sources = {name: importlib.util.find_spec(name) for name in found}
    return [
        name
        for name, spec in sources.items()
        if spec and spec.origin and "\n@entry(" in Path(spec.origin).read_text(encoding="utf-8")
    ]


for game in sys.argv[1:]:
    modules = [importlib.import_module(name) for name in entry_modules(game)]
    get(game)
    compiler.ready(*{Path(str(module.__file__)).parent for module in modules})
    Setup(game, 2)
    spina.bots.make("expert", game=game)
    spina.lab.training.examples(game, 2, 1, seed=1)
    compiler.ready(Path(spina.lab.recorder.__file__).parent)
