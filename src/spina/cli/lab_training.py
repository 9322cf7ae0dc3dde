"""`spina lab train` and `calibration`: train value networks and policies, and see how wrong a value is."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from spina.cli import arguments
from spina.cli.arguments import Commands
from spina.errors import OptionError
from spina.games import get
from spina.games.game import Game
from spina.interrupts import terminated_as_interrupted

ROUNDS = 12
SEED = 77
EPSILON = 100
VALUE_SEATS = ("2", "3", "4")
ITERATIONS, EXAMPLES, HORIZON = 3, 40_000, 2
RACES = 5000


def add_commands(studies: Commands) -> None:
    _add_train(studies)
    _add_calibration(studies)


def _add_train(studies: Commands) -> None:
    train = studies.add_parser(
        "train",
        help="train a game's value network, or its policy",
        description="Drivers race each other, and a network learns from the features of the seats who will win. With "
        "--policy, a search labels choices of races, a policy learns to choose as the search did, and the next round "
        "labels races of that policy. Can be stopped with Ctrl-C; the same command goes on from there.",
    )
    train.add_argument("game", help="such as charioteer")
    train.add_argument(
        "--races", type=arguments.positive, metavar="N", help="races to learn from (default: depends on the game)"
    )
    train.add_argument("--seats", type=arguments.names, metavar="N,N,...", help="default: 2,3,4; with --policy 2,3,4,6")
    train.add_argument("--driver", metavar="NAME", help="who races (default: competent, if the game has it)")
    train.add_argument(
        "--epsilon",
        "--whims",
        type=int,
        default=EPSILON,
        metavar="N",
        help=f"random choices in a thousand before examples are taken (default: {EPSILON})",
    )
    arguments.add_where(train)
    train.add_argument(
        "--policy",
        type=Path,
        metavar="FOLDER",
        help="train the policy by expert iteration; the folder keeps examples and weights of every round",
    )
    train.add_argument(
        "--iterations",
        type=arguments.positive,
        default=ITERATIONS,
        metavar="N",
        help=f"of --policy (default: {ITERATIONS})",
    )
    train.add_argument(
        "--examples",
        type=arguments.positive,
        default=EXAMPLES,
        metavar="N",
        help=f"labelled choices of each iteration of --policy (default: {EXAMPLES})",
    )
    train.add_argument(
        "--horizon",
        type=arguments.positive,
        default=HORIZON,
        metavar="N",
        help=f"own turns that --policy looks ahead before it evaluates (default: {HORIZON})",
    )
    train.add_argument("--hidden", type=arguments.positive, default=16, metavar="N", help="width of the hidden layer")
    train.add_argument(
        "--rounds",
        type=arguments.positive,
        default=ROUNDS,
        metavar="N",
        help=f"times to go through (default: {ROUNDS})",
    )
    train.add_argument("--seed", type=int, metavar="N", help=f"default: {SEED}; with --policy 1")
    train.add_argument("--out", type=Path, metavar="FILE", help="where the weights go (default: GAME.json)")
    arguments.refuse_proof(train, "training learns from its races")
    train.set_defaults(run=_train)


def _add_calibration(studies: Commands) -> None:
    command = studies.add_parser(
        "calibration",
        help="compare what a value network judges with who wins",
        description="A driver races itself. Of one position of each race, prints the chances to win as the value "
        "network judges them, in tenths, with the share that was won.",
    )
    command.add_argument("game", help="such as charioteer")
    command.add_argument("--races", type=arguments.positive, default=RACES, metavar="N", help=f"default: {RACES:,}")
    command.add_argument("--seats", type=arguments.positive, default=4, metavar="N", help="default: 4")
    command.add_argument("--driver", metavar="NAME", help="who races (default: learned, if the game has it)")
    command.add_argument("--seed", type=int, metavar="N", help="another seed, other races (default: 1)")
    arguments.add_proof(command, "race the seeds of a proof range (default: its own, or the next)")
    arguments.add_where(command)
    command.set_defaults(run=_calibration)


def _calibration(args: argparse.Namespace) -> int:
    from spina.lab import calibration
    from spina.lab.proof_seeds import check_free

    game = get(args.game)
    _seat_counts(game, [str(args.seats)])
    seed = 1 if args.seed is None else args.seed
    if args.proof is None:
        check_free(seed, args.races)
    elif args.seed is not None:
        raise OptionError("the races of a proof have the seeds of its range: leave out --seed")
    else:
        proof = calibration.enter_proof(
            game.name,
            seats=args.seats,
            races=args.races,
            driver=args.driver,
            number=args.proof or None,
            register=args.register,
        )
        seed = proof.seed
        print(f"Proof range {proof.proof}, which no other study has.")
    found = calibration.measure(
        game.name,
        seats=args.seats,
        races=args.races,
        seed=seed,
        driver=args.driver,
        processes=args.processes,
        on=args.on,
    )
    print("\n".join(calibration.lines(found)))
    return 0


def _train(args: argparse.Namespace) -> int:
    return _train_policy(args) if args.policy else _train_value(args)


def _seat_counts(game: Game, given: list[str]) -> list[int]:
    """The numbers of seats to train with. Raises OptionError."""
    if not all(count.isdigit() and int(count) in game.seat_counts for count in given):
        possible = ", ".join(map(str, game.seat_counts))
        raise OptionError(f"{game.title} has races of {possible} seats, not {','.join(given)}")
    return [int(count) for count in given]


def _train_policy(args: argparse.Namespace) -> int:
    from spina.lab.expert_iteration import TrainingPlan, train

    game = get(args.game)
    refused = {"--driver": args.driver, "--out": args.out}
    for option, given in refused.items():
        if given is not None:
            raise OptionError(
                f"{option} does not go with --policy: the policy drives, and its folder keeps the weights"
            )
    usual = TrainingPlan(game=game.name)
    seats = _seat_counts(game, args.seats or [str(count) for count in usual.seats if count in game.seat_counts])
    plan = TrainingPlan(
        game=game.name,
        rounds=args.iterations,
        examples=args.examples,
        seats=tuple(seats),
        seed=usual.seed if args.seed is None else args.seed,
        horizon=args.horizon,
        value_races=args.races or usual.value_races,
        hidden=args.hidden,
    )
    with terminated_as_interrupted():
        last = train(plan, args.policy, lambda line: print(line, flush=True), args.processes, args.on)
    print(f"Policy: {last / 'policy.json'}\nValue network: {last / 'value.json'}")
    return 0


def _train_value(args: argparse.Namespace) -> int:
    from spina.lab import training as train

    game = get(args.game)
    counts = _seat_counts(game, args.seats or list(VALUE_SEATS))
    seed = SEED if args.seed is None else args.seed
    driver = args.driver or game.default_driver
    if driver not in game.drivers:
        raise OptionError(f'{game.title} has no driver "{driver}": it has {", ".join(game.drivers)}')
    if not 0 <= args.epsilon <= 1000:
        raise OptionError(f"of a thousand choices 0 to 1000 can be random, not {args.epsilon}")
    races = args.races or game.lab.sizes.training
    begun = time.monotonic()
    processes = args.processes or os.cpu_count() or 1
    sets = [
        train.examples(
            game.name,
            seats,
            max(10, races // len(counts)),
            seed + seats,
            driver=driver,
            epsilon=args.epsilon,
            processes=processes,
            on=args.on,
        )
        for seats in counts
    ]
    print(f"{sum(len(shares) for _, shares in sets):,} examples after {time.monotonic() - begun:.0f} s", flush=True)
    learner, loss, nothing = train.fit(
        sets, hidden=args.hidden, rounds=args.rounds, tell=lambda line: print(line, flush=True)
    )
    out: Path = args.out or Path(f"{game.name}.json")
    seats = ",".join(map(str, counts))
    how = f"spina lab train {game.name} --races {races} --seats {seats} --driver {driver} --epsilon {args.epsilon}"
    how += f" --hidden {args.hidden} --rounds {args.rounds} --seed {seed}"
    train.save(out, game.name, learner, loss, nothing, how)
    print(f"Cross-entropy of the winners: {loss:.3f} natural units; {nothing:.3f} for a network that knows nothing.")
    print(f"Weights: {out}")
    return 0
