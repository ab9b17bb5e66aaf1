"""Reads requests as lines of JSON, sends them with the Python client, and prints a line for each result."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from exchequer import ExchequerError, Realm  # noqa: E402


class Recorded(Realm):
    """Keeps the last response unchanged."""

    def send(self, request):
        status, headers, text = super().send(request)
        self.wire = {"status": status, "headers": dict(headers.items()), "text": text}
        return status, headers, text


def ask(realm, request):
    member, said = request.get("member"), dict(request["said"])
    if "actorId" in said:
        said["actor_id"] = said.pop("actorId")
    if "idempotencyKey" in request:
        said["idempotency_key"] = request["idempotencyKey"]
    verbs = {
        "member": lambda: realm.member(member),
        "web3": lambda: realm.web3(member),
        "includes": lambda: realm.includes(request["wallets"]),
        "adjust": lambda: realm.adjust(member, request["tokens"], **said),
        "transfer": lambda: realm.transfer(member, request["recipient"], request["tokens"], **said),
    }
    return verbs[request["verb"]]()


def work(line):
    request = json.loads(line)
    realm = Recorded(request["url"], request["realm"], request["key"], timeout=20)
    ended = {"n": request["n"]}
    try:
        ended["value"] = ask(realm, request)
    except ExchequerError as error:
        ended["error"] = {"status": error.status, "code": error.code, "requestId": error.request_id}
    except Exception as error:  # reported to the caller, who treats it as a failure
        ended["broken"] = repr(error)
    ended["wire"] = getattr(realm, "wire", None)
    with lock:
        print(json.dumps(ended), flush=True)


lock = threading.Lock()
with ThreadPoolExecutor(64) as pool:
    for line in sys.stdin:
        pool.submit(work, line)
