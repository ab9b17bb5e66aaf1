"""What is sent, and when it is sent again."""

import unittest
from datetime import datetime, timezone
from email.utils import format_datetime
from unittest import mock

import exchequer
from exchequer import Realm
from server import Scripted, Turn, problem

ADJUSTED = Turn(200, {"newBalance": 5, "transactionId": "1"})
DROPS = Turn(drops=True)


def realm_of(server: Scripted, **settings: object) -> Realm:
    return Realm(server.url, "my realm", "exq_key", **settings)  # type: ignore[arg-type]


class Sending(unittest.TestCase):
    def test_a_change_has_its_fields_a_key_and_no_others(self) -> None:
        with Scripted(ADJUSTED) as server:
            details = {"reason": "ü", "reference": "r", "metadata": {"a": [1]}, "actor_id": 7}
            result = realm_of(server).member(2**62).adjust(
                -5, realm_point_id="gold", dry_run=True, if_match='"e"', **details
            )
        self.assertEqual(result, {"newBalance": 5, "transactionId": "1"})
        (sent,) = server.requests
        path = "/api/v4/realms/my%20realm/members/4611686018427387904/tokenBalance?dryRun=true"
        self.assertEqual((sent.method, sent.path), ("PATCH", path))
        fields = {"reason": "ü", "reference": "r", "metadata": {"a": [1]}}
        self.assertEqual(sent.body, {"tokens": -5, "actorId": "7", "realmPointId": "gold", **fields})
        self.assertEqual(sent.headers["Authorization"], "Bearer exq_key")
        self.assertEqual(sent.headers["If-Match"], '"e"')
        self.assertGreater(len(sent.headers["Idempotency-Key"]), 30)

    def test_every_change_has_a_key_of_its_own_or_the_given_one(self) -> None:
        with Scripted(ADJUSTED) as server:
            realm = realm_of(server)
            realm.member(1).adjust(1)
            realm.member(1).adjust(1)
            realm.member(1).transfer("2", 1, idempotency_key="mine")
            realm.reverse("9", idempotency_key="undo")
        keys = [one.headers["Idempotency-Key"] for one in server.requests]
        self.assertEqual(keys[2:], ["mine", "undo"])
        self.assertEqual(len(set(keys)), 4)

    def test_the_nouns_have_the_paths_of_the_api(self) -> None:
        ids = {"holdId": "h", "awardId": "a"}
        page = Turn(200, {"data": [], "nextCursor": None, "head": {"seq": "1"}, **ids})
        with Scripted(page) as server:
            realm = realm_of(server)
            member = realm.member(1)
            list(realm.members.list(search="an", id=3))
            list(member.history(from_="2026-01-01", direction="in"))
            member.rank(neighbours=2, exclude=[4, "5"])
            member.hold(3, expires_in=60).capture(2)
            realm.hold("a/b").release()
            member.award(3).grant()
            realm.award("a/b").cancel()
            member.at(datetime(2026, 1, 1, tzinfo=timezone.utc))
            member.put(username="ann", note=None)
            realm.leaderboard(period="week").page(limit=10)
            realm.changes([{"memberId": 1, "recipientId": 2, "tokens": 3}], atomic=True, reason="x")
        base = "/api/v4/realms/my%20realm"
        paths = [(method, path[len(base) :]) for method, path in server.sent()]
        self.assertEqual(
            paths,
            [
                ("GET", "/members?search=an&id=3&limit=1000"),
                ("GET", "/members/1/history?direction=in&from=2026-01-01&limit=1000"),
                ("GET", "/leaderboard/1?exclude=4%2C5&neighbours=2"),
                ("POST", "/members/1/holds"),
                ("POST", "/holds/h/capture"),
                ("POST", "/holds/a%2Fb/release"),
                ("POST", "/members/1/awards"),
                ("POST", "/awards/a/grant"),
                ("POST", "/awards/a%2Fb/cancel"),
                ("GET", "/members/1?at=2026-01-01T00%3A00%3A00%2B00%3A00"),
                ("PUT", "/members/1"),
                ("GET", "/leaderboard?period=week&limit=10"),
                ("POST", "/changes"),
            ],
        )
        bodies = [one.body for one in server.requests if one.body is not None]
        change = {"memberId": "1", "recipientId": "2", "tokens": 3}
        self.assertEqual(bodies[0], {"tokens": 3, "expiresIn": 60})
        self.assertEqual(bodies[-1], {"changes": [change], "atomic": True, "reason": "x"})
        self.assertIn({"username": "ann", "note": None}, bodies)

    def test_lists_are_read_page_by_page(self) -> None:
        pages = [Turn(200, {"data": [1, 2], "nextCursor": "c"}), Turn(200, {"data": [3], "nextCursor": None})]
        with Scripted(*pages) as server:
            self.assertEqual(list(realm_of(server).journal(cursor="0")), [1, 2, 3])
        self.assertIn("cursor=0", server.requests[0].path)
        self.assertIn("cursor=c", server.requests[1].path)
        with Scripted(*pages) as server:
            self.assertEqual(realm_of(server).members.list().first(2), [1, 2])
        self.assertEqual(len(server.requests), 1)

    def test_ids_that_could_be_another_member_are_rejected(self) -> None:
        realm = Realm("http://127.0.0.1:1", "r", "k")
        for wrong in (5.0, True, "007", "1e5", "-1", "", "٣", "1" * 20):
            with self.assertRaises(ValueError, msg=repr(wrong)):
                realm.member(wrong)  # type: ignore[arg-type]
            with self.assertRaises(ValueError, msg=repr(wrong)):
                realm.changes([{"memberId": wrong, "tokens": 1}])

    def test_identities_are_member_ids_and_escaped_in_urls(self) -> None:
        page = Turn(200, {"data": [], "nextCursor": None, "newBalance": 1, "transactionId": "1"})
        with Scripted(page) as server:
            realm = realm_of(server)
            member = realm.member("shop:a/b ü?#%")
            member.get()
            member.rank()
            member.transfer("email:ada@example.org", 1, actor_id="twitch:ada_99")
            realm.changes([{"memberId": "email:ada@example.org", "tokens": 1}])
        self.assertEqual(member.id, "shop:a/b ü?#%")
        base = "/api/v4/realms/my%20realm"
        escaped = "shop%3Aa%2Fb%20%C3%BC%3F%23%25"
        paths = [path[len(base) :] for _, path in server.sent()]
        self.assertEqual(
            paths,
            [f"/members/{escaped}", f"/leaderboard/{escaped}", f"/members/{escaped}/transfer", "/changes"],
        )
        bodies = [one.body for one in server.requests if one.body is not None]
        transfer = {"recipientId": "email:ada@example.org", "tokens": 1, "actorId": "twitch:ada_99"}
        self.assertEqual(bodies[0], transfer)
        self.assertEqual(bodies[1]["changes"][0]["memberId"], "email:ada@example.org")

    def test_an_address_in_a_url_is_rejected_before_a_request(self) -> None:
        with Scripted(Turn(200, {})) as server:
            realm = realm_of(server)
            for send in (
                lambda: realm.member("email:ada@example.org"),
                lambda: realm.members.list(id="email:ada@example.org"),
                lambda: realm.member(1).rank(exclude=["email:ada@example.org"]),
            ):
                with self.assertRaisesRegex(ValueError, "URLs are logged. Use the identity email:<hash>"):
                    send()
            realm.member("email:" + "0f" * 32).get()
        self.assertEqual(len(server.requests), 1)

    def test_a_key_with_a_line_break_is_rejected(self) -> None:
        for wrong in ("", "exq_a\n", "exq a"):
            with self.assertRaises(ValueError):
                Realm("http://127.0.0.1:1", "r", wrong)

    def test_settings_come_from_the_environment(self) -> None:
        env = {"EXCHEQUER_URL": "http://u", "EXCHEQUER_REALM": "r", "EXCHEQUER_KEY": "k"}
        with mock.patch.dict("os.environ", env, clear=True):
            self.assertEqual(Realm.from_env().id, "r")
            self.assertEqual(Realm.from_env(realm="other").id, "other")
        with mock.patch.dict("os.environ", {}, clear=True):
            with self.assertRaisesRegex(ValueError, "EXCHEQUER_URL"):
                Realm.from_env()


class Retrying(unittest.TestCase):
    def setUp(self) -> None:
        self.waits = []
        patch = mock.patch("exchequer._transport.time.sleep", self.waits.append)
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_change_without_a_response_is_sent_again_with_the_same_key(self) -> None:
        with Scripted(DROPS, problem(500, "internal_error"), ADJUSTED) as server:
            realm_of(server).member(1).adjust(1)
        keys = {one.headers["Idempotency-Key"] for one in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (3, 1))
        self.assertTrue(0.05 <= self.waits[0] <= 0.15 and 0.1 <= self.waits[1] <= 0.3, self.waits)

    def test_it_waits_as_long_as_the_server_says(self) -> None:
        date = format_datetime(datetime.fromtimestamp(10**10, timezone.utc), usegmt=True)
        turns = [problem(429, "rate_limited", "3"), problem(503, "overloaded", date), ADJUSTED]
        with Scripted(*turns) as server:
            realm_of(server).member(1).adjust(1)
        self.assertEqual(self.waits, [3.0, 20.0])

    def test_a_rejection_is_not_sent_again(self) -> None:
        for status, code, kind in (
            (400, "invalid_request", exchequer.InvalidRequestError),
            (401, "unauthorized", exchequer.UnauthorizedError),
            (403, "forbidden", exchequer.ForbiddenError),
            (404, "member_not_found", exchequer.NotFoundError),
            (412, "precondition_failed", exchequer.MovedError),
            (422, "insufficient_points", exchequer.RefusedError),
        ):
            with Scripted(problem(status, code, balance=4, required=5, requestId="q")) as server:
                with self.assertRaises(kind) as raised:
                    realm_of(server).member(1).adjust(-5)
            error = raised.exception
            self.assertEqual((error.status, error.code, error.request_id), (status, code, "q"))
            self.assertEqual((error.balance, error.required), (4, 5))
            self.assertEqual(len(server.requests), 1)

    def test_it_gives_up_after_its_retries(self) -> None:
        with Scripted(DROPS) as server, self.assertRaises(exchequer.UnavailableError) as raised:
            realm_of(server, retries=2).member(1).get()
        self.assertEqual((len(server.requests), raised.exception.code), (3, "no_answer"))

    def test_a_call_that_may_have_happened_is_not_sent_again_without_a_key(self) -> None:
        with Scripted(DROPS) as server, self.assertRaises(exchequer.UnavailableError):
            realm_of(server).keys.create(name="bot")
        self.assertEqual(len(server.requests), 1)
        in_progress = problem(409, "request_in_progress", "1")
        with Scripted(in_progress, Turn(201, {"key": "exq_new"})) as server:
            self.assertEqual(realm_of(server).keys.create(name="bot")["key"], "exq_new")
        with Scripted(DROPS, Turn(201, {"key": None})) as server:
            realm_of(server).keys.create(name="bot", idempotency_key="mine")
        self.assertEqual(len(server.requests), 2)

    def test_not_found_means_done_only_for_a_deletion_that_may_have_happened(self) -> None:
        gone = problem(404, "member_not_found")
        with Scripted(DROPS, gone) as server:
            realm_of(server).member(1).remove()
        for first in (gone, problem(429, "rate_limited")):
            with Scripted(first, gone) as server, self.assertRaises(exchequer.NotFoundError):
                realm_of(server).member(1).remove()

    def test_what_is_not_json_is_an_error(self) -> None:
        with Scripted(Turn(502, "<html>")) as server, self.assertRaises(exchequer.UnavailableError) as raised:
            realm_of(server, retries=0).member(1).get()
        self.assertEqual(raised.exception.code, "http_502")
        with Scripted(Turn(200, "<html>")) as server, self.assertRaises(exchequer.ExchequerError) as raised:
            realm_of(server).member(1).get()
        self.assertEqual(raised.exception.code, "http_200")

    def test_the_key_is_sent_to_no_other_host(self) -> None:
        with Scripted(Turn(200, {})) as other:
            with Scripted(Turn(307, None, {"Location": other.url})) as server:
                with self.assertRaises(exchequer.ExchequerError) as raised:
                    realm_of(server).member(1).get()
        self.assertEqual((raised.exception.status, other.requests), (307, []))

    def test_responses_can_be_observed(self) -> None:
        seen = []
        replay = Turn(200, {"newBalance": 1, "transactionId": "1"}, {"Idempotent-Replayed": "true"})
        with Scripted(DROPS, replay) as server:
            realm_of(server, on_response=seen.append).member(1).adjust(1)
        self.assertEqual([one.status for one in seen], [0, 200])
        self.assertEqual(seen[1].headers["idempotent-replayed"], "true")


if __name__ == "__main__":
    unittest.main()
