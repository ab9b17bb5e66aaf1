using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>Where the server is, and how requests are sent.</summary>
    public sealed class RealmSettings
    {
        /// <summary>The server's URL, such as <c>https://points.example.com</c>.</summary>
        public string Url { get; set; }

        /// <summary>The realm's id.</summary>
        public string RealmId { get; set; }

        /// <summary>One of the realm's keys.</summary>
        public string Key { get; set; }

        /// <summary>How often a request without a response, or with a temporary error, is retried.</summary>
        public int Retries { get; set; } = 5;

        /// <summary>Timeout of one attempt.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>Replaces the handler that sends requests. It must not follow redirects.</summary>
        public HttpMessageHandler Handler { get; set; }

        /// <summary>Waits between attempts; tests replace it.</summary>
        internal Func<TimeSpan, CancellationToken, Task> Delay { get; set; } = Task.Delay;
    }

    /// <summary>Details of a change, and how it is sent. What is null is not sent.</summary>
    public class ChangeOptions
    {
        /// <summary>A point type by its id; the realm's default if null.</summary>
        public string RealmPointId { get; set; }

        /// <summary>The reason, as text.</summary>
        public string Reason { get; set; }

        /// <summary>Your own number, such as an order's.</summary>
        public string Reference { get; set; }

        /// <summary>Any JSON object, at most 2 KiB.</summary>
        public IDictionary<string, object> Metadata { get; set; }

        /// <summary>The member who caused it.</summary>
        public string ActorId { get; set; }

        /// <summary>
        /// Your own key for this change: a repeated call with it returns the first response, also after a
        /// crash. Generated if null; the same for all attempts of a call.
        /// </summary>
        public string IdempotencyKey { get; set; }

        /// <summary>Return the result without changing anything.</summary>
        public bool DryRun { get; set; }

        /// <summary>
        /// The ETag of a read: the change succeeds only if the points have not changed since.
        /// </summary>
        public string IfMatch { get; set; }

        internal static Call CallOf(
            ChangeOptions options, string method, string path, Dictionary<string, object> body)
        {
            return (options ?? new ChangeOptions()).ToCall(method, path, body);
        }

        private Call ToCall(string method, string path, Dictionary<string, object> body)
        {
            Values.AddGiven(body, "realmPointId", RealmPointId);
            Values.AddGiven(body, "reason", Reason);
            Values.AddGiven(body, "reference", Reference);
            Values.AddGiven(body, "metadata", Metadata);
            Values.AddGiven(body, "actorId", ActorId == null ? null : Values.Digits(ActorId));
            var call = new Call(method, path)
            {
                Body = body,
                IdempotencyKey = IdempotencyKey ?? Values.MakeKey(),
                IfMatch = IfMatch,
            };
            if (DryRun) call.Query["dryRun"] = "true";
            return call;
        }
    }

    /// <summary>Which leaderboard. <c>From</c> and <c>To</c> are days; <c>To</c> does not count.</summary>
    public sealed class BoardOptions
    {
        /// <summary>A point type by its id; the realm's default if null.</summary>
        public string RealmPointId { get; set; }

        /// <summary><c>all</c>, <c>week</c>, <c>month</c> or <c>range</c>.</summary>
        public string Period { get; set; }

        /// <summary>The first day.</summary>
        public string From { get; set; }

        /// <summary>The first day that does not count.</summary>
        public string To { get; set; }

        internal static Dictionary<string, string> QueryOf(BoardOptions board)
        {
            return (board ?? new BoardOptions()).ToQuery();
        }

        private Dictionary<string, string> ToQuery()
        {
            return new Dictionary<string, string>
            {
                { "realmPointId", RealmPointId },
                { "period", Period },
                { "from", From },
                { "to", To },
            };
        }
    }
}
