using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Exchequer;

/// <summary>How lists are read, and how the journal is followed.</summary>
public static partial class Tests
{
    private static void Lists()
    {
        var pages = new[]
        {
            new Turn(200, "{\"data\":[1,2],\"nextCursor\":\"c\"}"),
            new Turn(200, "{\"data\":[3],\"nextCursor\":null}"),
        };
        var server = new Scripted(pages);
        var all = new List<long>();
        server.Realm().Journal("0").EachAsync(item =>
        {
            all.Add(item.Integer);
            return Task.FromResult(0);
        }).Wait();
        Equal("1,2,3", string.Join(",", all));
        Equal("GET /journal?cursor=0&limit=1000", server.Requests[0].Line);
        Equal("GET /journal?cursor=c&limit=1000", server.Requests[1].Line);
        server = new Scripted(pages);
        Equal(2, server.Realm().Members().FirstAsync(2).Result.Count);
        Equal(1, server.Requests.Count);
    }

    private static void Follows()
    {
        var server = new Scripted(
            new Turn(200, "retry: 1\n\n:\n\nid: 1\ndata: {\"seq\":\"1\"}\n\nid: 2\ndata: {\"seq\":\"2\"}"),
            new Turn(200, "id: 2\ndata: {\"seq\":\"2\"}\n\n"),
            Problem(503, "unavailable"),
            Turn.Drops,
            new Turn(200, "id: 3\ndata: {\"seq\":\"3\"}\n\n"),
            Problem(403, "forbidden"));
        var seen = new List<string>();
        Func<Json, Task> note = entry =>
        {
            seen.Add(entry["seq"].Text);
            return Task.FromResult(0);
        };
        Equal("forbidden", Refused(() => server.Realm().FollowAsync(note, "0")).Code);
        Equal("1,2,3", string.Join(",", seen));
        Equal("0,1,2,2,2,3", string.Join(",", server.Requests.Select(one => one.Line.Split('=')[1])));
    }
}
