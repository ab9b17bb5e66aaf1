"""Reads requests as lines of JSON, sends them with the Python client, and prints a line for each result."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python" / "src"))
from exchequer import ExchequerError, Realm  # noqa: E402

NAMES = {"realmPointId": "realm_point_id", "actorId": "actor_id"}


def ask(realm, request):
    said = {NAMES.get(name, name): value for name, value in request["said"].items()}
    if "idempotencyKey" in request:
        said["idempotency_key"] = request["idempotencyKey"]
    verbs = {
        "member": lambda: realm.member(request["member"]).get(),
        "web3": lambda: realm.member(request["member"]).web3(),
        "includes": lambda: realm.includes(request["wallets"]),
        "adjust": lambda: realm.member(request["member"]).adjust(request["tokens"], **said),
        "transfer": lambda: realm.member(request["member"]).transfer(
            request["recipient"], request["tokens"], **said
        ),
    }
    return verbs[request["verb"]]()


def work(line):
    request = json.loads(line)
    received = []
    where = (request["url"], request["realm"], request["key"])
    realm = Realm(*where, timeout=20, on_response=received.append)
    ended = {"n": request["n"]}
    try:
        ended["value"] = ask(realm, request)
    except ExchequerError as error:
        ended["error"] = {"status": error.status, "code": error.code, "requestId": error.request_id}
    except Exception as error:  # reported to the caller, who treats it as a failure
        ended["broken"] = repr(error)
    if received:
        status, headers, text = received[-1]
        ended["wire"] = {"status": status, "headers": dict(headers.items()), "text": text}
    with lock:
        print(json.dumps(ended), flush=True)


lock = threading.Lock()
with ThreadPoolExecutor(64) as pool:
    for line in sys.stdin:
        pool.submit(work, line)
