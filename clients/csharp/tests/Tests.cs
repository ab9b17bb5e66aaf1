using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Exchequer;

/// <summary>What is sent, when it is sent again, and which webhooks are accepted.</summary>
public static partial class Tests
{
    private const string Adjusted = "{\"newBalance\":5,\"transactionId\":\"1\"}";
    private static readonly List<TimeSpan> Waits = new List<TimeSpan>();
    private static int passed;
    private static int failed;

    public static int Main()
    {
        Run("JSON is read and written without loss", JsonWithoutLoss);
        Run("what is not JSON is rejected", JsonRejected);
        Run("a change has its fields, a key and no others", FieldsAndKey);
        Run("the nouns have the paths of the API", Paths);
        Run("a change without a response is sent again with the same key", SameKey);
        Run("it waits as long as the server says", RetryAfter);
        Run("a rejection is not sent again, and has its code and facts", Rejections);
        Run("it gives up after its retries", GivesUp);
        Run("a call that may have happened is not sent again without a key", WithoutKey);
        Run("not found means done only for a deletion that may have happened", Deletions);
        Run("a call that is cancelled is not sent again", Cancelled);
        Run("lists are read page by page", Lists);
        Run("ids and keys that can't be valid are rejected", InvalidIds);
        Run("identities are member ids, escaped in URLs", IdentitiesInUrls);
        Run("the journal is followed through outages without a gap", Follows);
        Run("webhooks of Standard Webhooks are accepted, and no others", Webhooks);
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    private static void Run(string title, Action test)
    {
        Waits.Clear();
        try
        {
            test();
            passed++;
            Console.WriteLine("  ok     " + title);
        }
        catch (Exception error)
        {
            failed++;
            Console.WriteLine("  FAILED " + title + "\n" + error);
        }
    }

    private static void JsonWithoutLoss()
    {
        string text = "{\"a\":[1,-9007199254740991,1.5e3,true,false,null],"
            + "\"b\":{\"\\u00fc\\ud800\\\"\\\\\":\"\"},\"c\":[],\"d\":{}}";
        Equal(text, Json.Parse(text).ToString());
        Json read = Json.Parse(" { \"x\" : \"\\ud83c\\udf89\\n\\/ü\" , \"y\" : [ ] } ");
        Equal("🎉\n/ü", read["x"].Text);
        Equal(0, read["y"].Items.Count);
        Equal(true, read["missing"].IsNull);
        Equal(-9007199254740991L, Json.Parse("[-9007199254740991]").Items[0].Integer);
    }

    private static void JsonRejected()
    {
        string deep = new string('[', 100) + new string(']', 100);
        string[] wrong =
        {
            "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "\"\n\"", "\"\\x\"", "tru", "1 2", "\"\\u12\"", deep,
        };
        foreach (string text in wrong) Throws<FormatException>(() => Json.Parse(text));
        Throws<InvalidOperationException>(() => Json.Parse("\"1\"").Integer.ToString());
    }

    private static void FieldsAndKey()
    {
        var server = new Scripted(new Turn(200, Adjusted));
        var options = new ChangeOptions
        {
            RealmPointId = "gold",
            Reason = "ü",
            Reference = "r",
            Metadata = new Dictionary<string, object> { { "a", new[] { 1 } } },
            ActorId = "7",
            DryRun = true,
            IfMatch = "\"e\"",
        };
        Json result = server.Realm().Member(long.MaxValue).AdjustAsync(-5, options).Result;
        Equal(5L, result["newBalance"].Integer);
        Sent sent = server.Requests.Single();
        Equal("PATCH /members/9223372036854775807/tokenBalance?dryRun=true", sent.Line);
        Equal(
            "{\"tokens\":-5,\"realmPointId\":\"gold\",\"reason\":\"\\u00fc\",\"reference\":\"r\"," +
            "\"metadata\":{\"a\":[1]},\"actorId\":\"7\"}",
            sent.Body);
        Equal("Bearer exq_key", sent.Header("Authorization"));
        Equal("\"e\"", sent.Header("If-Match"));
        Equal(32, sent.Header("Idempotency-Key").Length);
    }

    private static void Paths()
    {
        var server = new Scripted(new Turn(200, "{\"data\":[],\"nextCursor\":null}"));
        Realm realm = server.Realm();
        Member member = realm.Member("1");
        Task.WaitAll(member.GetAsync(), member.Web3Async());
        server.Requests.Clear();
        realm.Members("an").FirstAsync(3).Wait();
        member.History(from: "2026-01-01").PageAsync(limit: 2).Wait();
        member.RankAsync(new BoardOptions { Period = "week" }, 2).Wait();
        member.HoldAsync(3, TimeSpan.FromMinutes(1)).Wait();
        realm.Hold("a/b").CaptureAsync(2).Wait();
        realm.Hold("h").ReleaseAsync().Wait();
        member.AwardAsync(3).Wait();
        realm.Award("a").GrantAsync().Wait();
        realm.Award("a/b").CancelAsync().Wait();
        member.AtAsync(new DateTimeOffset(2026, 1, 1, 1, 0, 0, TimeSpan.FromHours(1))).Wait();
        member.PutAsync(new Dictionary<string, object> { { "note", null } }).Wait();
        realm.ReverseAsync("9", new ChangeOptions { IdempotencyKey = "undo" }).Wait();
        realm.IncludesAsync(new[] { "0x1" }).Wait();
        var change = new Dictionary<string, object> { { "memberId", "1" }, { "tokens", 2 } };
        realm.ChangesAsync(new[] { change }, true).Wait();
        Equal(
            string.Join("\n",
                "GET /members?search=an&limit=3 ",
                "GET /members/1/history?from=2026-01-01&limit=2 ",
                "GET /leaderboard/1?period=week&neighbours=2 ",
                "POST /members/1/holds {\"tokens\":3,\"expiresIn\":60}",
                "POST /holds/a%2Fb/capture {\"tokens\":2}",
                "POST /holds/h/release {}",
                "POST /members/1/awards {\"tokens\":3}",
                "POST /awards/a/grant {}",
                "POST /awards/a%2Fb/cancel {}",
                "GET /members/1?at=2026-01-01T00%3A00%3A00.000000Z ",
                "PUT /members/1 {\"note\":null}",
                "POST /entries/9/reverse {}",
                "POST /members/includes {\"wallets\":[\"0x1\"]}",
                "POST /changes {\"changes\":[{\"memberId\":\"1\",\"tokens\":2}],\"atomic\":true}"),
            string.Join("\n", server.Requests.Select(one => one.Line + " " + one.Body)));
        Equal("undo", server.Requests[11].Header("Idempotency-Key"));
    }

    private static void SameKey()
    {
        var server = new Scripted(Turn.Drops, Problem(500, "internal_error"), new Turn(200, Adjusted));
        server.Realm().Member(1).AdjustAsync(1).Wait();
        Equal(3, server.Requests.Count);
        Equal(1, server.Requests.Select(one => one.Header("Idempotency-Key")).Distinct().Count());
        True(Waits[0].TotalSeconds >= 0.05 && Waits[0].TotalSeconds <= 0.15);
        True(Waits[1].TotalSeconds >= 0.1 && Waits[1].TotalSeconds <= 0.3);
    }

    private static void RetryAfter()
    {
        var server = new Scripted(
            Problem(429, "rate_limited", "3"),
            Problem(503, "overloaded", "Fri, 01 Jan 2100 00:00:00 GMT"),
            new Turn(200, Adjusted));
        server.Realm().Member(1).AdjustAsync(1).Wait();
        Equal("3,20", string.Join(",", Waits.Select(one => one.TotalSeconds)));
    }

    private static void Rejections()
    {
        foreach (int status in new[] { 400, 401, 403, 404, 412, 422 })
        {
            var server = new Scripted(Problem(status, "some_code"));
            ExchequerException error = Refused(() => server.Realm().Member(1).AdjustAsync(-5));
            Equal(status + " some_code q 4 ", error.Status + " " + error.Code + " " + error.RequestId + " "
                + error.Balance + " " + error.Required);
            Equal(1, server.Requests.Count);
        }
        Equal("http_502", Refused(() => new Scripted(new Turn(502, "<html>")).Realm(0).GetAsync()).Code);
        Equal("http_200", Refused(() => new Scripted(new Turn(200, "<html>")).Realm().GetAsync()).Code);
    }

    private static void GivesUp()
    {
        var server = new Scripted(Turn.Drops);
        ExchequerException error = Refused(() => server.Realm(2).Member(1).GetAsync());
        Equal("no_answer 3 True", error.Code + " " + server.Requests.Count + " " + error.IsUnavailable);
    }

    private static void WithoutKey()
    {
        var server = new Scripted(Turn.Drops);
        var body = new Dictionary<string, object> { { "name", "bot" } };
        Refused(() => server.Realm().SendAsync("POST", "/keys", body));
        Equal(1, server.Requests.Count);
        server = new Scripted(Problem(409, "request_in_progress"), new Turn(201, "{\"key\":\"exq_new\"}"));
        Equal("exq_new", server.Realm().SendAsync("POST", "/keys", body).Result["key"].Text);
        server = new Scripted(Turn.Drops, new Turn(201, "{}"));
        server.Realm().SendAsync("POST", "/keys", body, "mine").Wait();
        Equal(2, server.Requests.Count);
    }

    private static void Deletions()
    {
        Turn gone = Problem(404, "member_not_found");
        new Scripted(Turn.Drops, gone).Realm().Member(1).RemoveAsync().Wait();
        Equal(404, Refused(() => new Scripted(gone).Realm().Member(1).RemoveAsync()).Status);
        Turn limited = Problem(429, "rate_limited");
        Equal(404, Refused(() => new Scripted(limited, gone).Realm().Member(1).RemoveAsync()).Status);
    }

    private static void Cancelled()
    {
        var server = new Scripted(Turn.Hangs);
        using (var stop = new CancellationTokenSource(100))
        {
            Member member = server.Realm().Member(1);
            var thrown = Throws<AggregateException>(() => member.GetAsync(stop.Token).Wait());
            True(thrown.InnerException is OperationCanceledException);
        }
        Equal(1, server.Requests.Count);
    }

    private static void InvalidIds()
    {
        Realm realm = new Scripted(Turn.Drops).Realm();
        foreach (string id in new[] { "", "0", "007", "-1", "1e5", "٣", "1\n", new string('1', 20) })
            Throws<ArgumentException>(() => realm.Member(id));
        Throws<ArgumentException>(() => realm.Member(-5));
        foreach (string key in new[] { "", "exq a", "exq_a\n" })
            Throws<ArgumentException>(() => new Realm("http://localhost", "r", key));
        var options = new ChangeOptions { IdempotencyKey = "a b" };
        var thrown = Throws<AggregateException>(() => realm.Member(1).AdjustAsync(1, options).Wait());
        True(thrown.InnerException is ArgumentException);
    }

    private static void IdentitiesInUrls()
    {
        var server = new Scripted(new Turn(200, Adjusted));
        Realm realm = server.Realm();
        Member member = realm.Member("shop:a/b ü?#%");
        Equal("shop:a/b ü?#%", member.Id);
        member.GetAsync().Wait();
        member.RankAsync().Wait();
        member.TransferAsync("email:ada@example.org", 1).Wait();
        const string Escaped = "shop%3Aa%2Fb%20%C3%BC%3F%23%25";
        Equal(
            string.Join("\n",
                "GET /members/" + Escaped + " ",
                "GET /leaderboard/" + Escaped + " ",
                "PATCH /members/" + Escaped
                    + "/transfer {\"recipientId\":\"email:ada@example.org\",\"tokens\":1}"),
            // A colon needs no escape in a path, and Mono's Uri removes it.
            string.Join("\n", server.Requests.Select(one => one.Line + " " + one.Body))
                .Replace("/shop:", "/shop%3A"));
        var error = Throws<ArgumentException>(() => realm.Member("email:ada@example.org"));
        True(error.Message.Contains("URLs are logged") && !error.Message.Contains("ada@"));
        realm.Member("email:" + new string('0', 64)).GetAsync().Wait();
        Equal(4, server.Requests.Count);
    }

    private static Turn Problem(int status, string code, string retryAfter = null)
    {
        string body = "{\"code\":\"" + code + "\",\"detail\":\"d\",\"requestId\":\"q\",\"balance\":4}";
        return new Turn(status, body, retryAfter);
    }
}
