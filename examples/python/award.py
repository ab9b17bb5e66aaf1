"""Awards points, lets one member tip another, and shows the leaderboard. With the package of clients/python:

    URL=http://localhost:8080 REALM=demo KEY=exq_... PYTHONPATH=../../clients/python/src python3 award.py
"""

import os
import sys

from exchequer import ExchequerError, Realm

realm = Realm(os.environ["URL"], os.environ["REALM"], os.environ["KEY"])
ann, ben = realm.member(1190194345295482952), realm.member(1190194345295482953)
try:
    # Run it twice: under its own key the quest is paid once.
    paid = ann.adjust(25, reason="Finished the quest", idempotency_key="quest-7-ann")
    print(f"{ann.id} had {paid['newBalance']} points after the quest")
    tip = ann.transfer(ben.id, 5, reason="Thanks")
    print(f"{ann.id} has {tip['newBalance']}, {ben.id} has {tip['recipientBalance']}")
    try:
        ben.transfer(ann.id, 1_000_000)
    except ExchequerError as error:
        print(f"Refused: {error.code}. {error}")
    for row in realm.leaderboard().first(3):
        print(f"{row['rank']}. {row['id']} {row['tokens']}")
except ExchequerError as error:
    sys.exit(f"{error.code}: {error}")
