using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Exchequer;

/// <summary>A server that does one thing after the other, and what the tests expect.</summary>
public static partial class Tests
{
    private static ExchequerException Refused(Func<Task> work)
    {
        try
        {
            work().GetAwaiter().GetResult();
        }
        catch (ExchequerException error)
        {
            return error;
        }
        throw new Exception("it was not refused");
    }

    private static T Throws<T>(Action work)
        where T : Exception
    {
        try
        {
            work();
        }
        catch (T error)
        {
            return error;
        }
        throw new Exception("nothing was thrown");
    }

    private static void True(bool truth)
    {
        if (!truth) throw new Exception("not true");
    }

    private static void Equal<T>(T expected, T actual)
    {
        if (!Equals(expected, actual)) throw new Exception("expected " + expected + "\nbut was  " + actual);
    }

    private sealed class Turn
    {
        public static readonly Turn Drops = new Turn(0, "");
        public static readonly Turn Hangs = new Turn(-1, "");

        public Turn(int status, string body, string retryAfter = null)
        {
            Status = status;
            Body = body;
            RetryAfter = retryAfter;
        }

        public int Status { get; }

        public string Body { get; }

        public string RetryAfter { get; }
    }

    private sealed class Sent
    {
        public string Line;
        public string Body;
        public HttpRequestMessage Request;

        public string Header(string name)
        {
            return Request.Headers.GetValues(name).Single();
        }
    }

    /// <summary>Answers with one turn after the other, then with the last; records the requests.</summary>
    private sealed class Scripted : HttpMessageHandler
    {
        public readonly List<Sent> Requests = new List<Sent>();
        private readonly Turn[] turns;
        private int count;

        public Scripted(params Turn[] turns)
        {
            this.turns = turns;
        }

        public Realm Realm(int retries = 5)
        {
            return new Realm(new RealmSettings
            {
                Url = "http://points.example/",
                RealmId = "my realm",
                Key = "exq_key",
                Retries = retries,
                Handler = this,
                Delay = (pause, cancel) =>
                {
                    Waits.Add(pause);
                    return Task.FromResult(0);
                },
            });
        }

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancel)
        {
            Turn turn;
            lock (Requests)
            {
                turn = turns[Math.Min(count++, turns.Length - 1)];
                string path = request.RequestUri.PathAndQuery;
                const string Base = "/api/v4/realms/my%20realm";
                True(path.StartsWith(Base, StringComparison.Ordinal));
                string body = request.Content == null ? "" : request.Content.ReadAsStringAsync().Result;
                string line = request.Method + " " + path.Substring(Base.Length);
                Requests.Add(new Sent { Line = line, Body = body, Request = request });
            }
            if (turn == Turn.Hangs) await Task.Delay(Timeout.Infinite, cancel);
            if (turn == Turn.Drops) throw new HttpRequestException("dropped");
            var response = new HttpResponseMessage((HttpStatusCode)turn.Status)
            {
                Content = new ByteArrayContent(Encoding.UTF8.GetBytes(turn.Body)),
            };
            if (turn.RetryAfter != null)
                response.Headers.TryAddWithoutValidation("Retry-After", turn.RetryAfter);
            return response;
        }
    }
}
