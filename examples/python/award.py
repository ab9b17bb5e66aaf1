"""Awards points, lets one member tip another, and shows the leaderboard:

    URL=http://localhost:8080 REALM=demo KEY=exq_... python3 award.py
"""

import os
import sys

from exchequer import ExchequerError, Realm

ANN, BEN = 1190194345295482952, 1190194345295482953

realm = Realm(os.environ["URL"], os.environ["REALM"], os.environ["KEY"])
try:
    # Run it twice: under its own key the quest is paid once.
    paid = realm.adjust(ANN, 25, reason="Finished the quest", idempotency_key="quest-7-ann")
    print(f"{ANN} had {paid['newBalance']} points after the quest")
    tip = realm.transfer(ANN, BEN, 5, reason="Thanks")
    print(f"{ANN} has {tip['newBalance']}, {BEN} has {tip['recipientBalance']}")
    try:
        realm.transfer(BEN, ANN, 1_000_000)
    except ExchequerError as error:
        print(f"Refused: {error.code}. {error}")
    for row in realm.leaderboard(limit=3)["data"]:
        print(f"{row['rank']}. {row['id']} {row['tokens']}")
except ExchequerError as error:
    sys.exit(f"{error.code}: {error}")
