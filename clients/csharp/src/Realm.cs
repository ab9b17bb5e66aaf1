using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>A realm of an Exchequer server. Create it once; it can be used by several threads.</summary>
    public sealed class Realm : IDisposable
    {
        private readonly Transport transport;

        /// <summary>A realm with the usual settings.</summary>
        public Realm(string url, string realmId, string key)
            : this(new RealmSettings { Url = url, RealmId = realmId, Key = key })
        {
        }

        /// <summary>A realm with settings.</summary>
        public Realm(RealmSettings settings)
        {
            transport = new Transport(settings);
            Id = settings.RealmId;
        }

        /// <summary>The realm's id.</summary>
        public string Id { get; }

        /// <summary>From EXCHEQUER_URL, EXCHEQUER_REALM and EXCHEQUER_KEY.</summary>
        public static Realm FromEnvironment()
        {
            string url = Variable("EXCHEQUER_URL");
            return new Realm(url, Variable("EXCHEQUER_REALM"), Variable("EXCHEQUER_KEY"));
        }

        /// <summary>Closes the connections.</summary>
        public void Dispose()
        {
            transport.Dispose();
        }

        /// <summary>
        /// A member, by id or by an identity such as <c>shop:9f1c</c>. Nothing is requested until a method is
        /// called.
        /// </summary>
        public Member Member(string id)
        {
            return new Member(transport, id);
        }

        /// <summary>A member, by id. Nothing is requested until a method is called.</summary>
        public Member Member(long id)
        {
            return new Member(transport, id.ToString(CultureInfo.InvariantCulture));
        }

        /// <summary>An award, by id. Nothing is requested until a method is called.</summary>
        public Award Award(string id)
        {
            return new Award(transport, id);
        }

        /// <summary>A hold, by id. Nothing is requested until a method is called.</summary>
        public Hold Hold(string id)
        {
            return new Hold(transport, id);
        }

        /// <summary>The realm's settings and point types.</summary>
        public Task<Json> GetAsync(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("GET", ""), cancel);
        }

        /// <summary>Whether wallets belong to members.</summary>
        public Task<Json> IncludesAsync(
            IEnumerable<string> wallets, CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object> { { "wallets", wallets.ToList() } };
            var call = new Call("POST", "/members/includes") { Body = body, Repeatable = true };
            return transport.SendAsync(call, cancel);
        }

        /// <summary>All members, or those that match a search.</summary>
        public Listing Members(string search = null)
        {
            var query = new Dictionary<string, string> { { "search", search } };
            return new Listing(transport, "/members", query);
        }

        /// <summary>The point types, archived ones too.</summary>
        public Listing Points()
        {
            return new Listing(transport, "/points");
        }

        /// <summary>The open holds of all members, newest first.</summary>
        public Listing Holds()
        {
            return new Listing(transport, "/holds");
        }

        /// <summary>The pending awards of all members, newest first.</summary>
        public Listing Awards()
        {
            return new Listing(transport, "/awards");
        }

        /// <summary>The keys; needs the scope realm:admin.</summary>
        public Listing Keys()
        {
            return new Listing(transport, "/keys");
        }

        /// <summary>The webhooks; needs the scope realm:admin.</summary>
        public Listing Webhooks()
        {
            return new Listing(transport, "/webhooks");
        }

        /// <summary>Who has the most points, or gained the most in a period.</summary>
        public Listing Leaderboard(BoardOptions board = null)
        {
            return new Listing(transport, "/leaderboard", BoardOptions.QueryOf(board));
        }

        /// <summary>Every entry in order, without gaps, after the last seq that you have.</summary>
        public Listing Journal(string cursor = null)
        {
            var query = new Dictionary<string, string> { { "cursor", cursor } };
            return new Listing(transport, "/journal", query);
        }

        /// <summary>One entry of the journal.</summary>
        public Task<Json> EntryAsync(string transactionId, CancellationToken cancel = default)
        {
            string path = "/entries/" + Uri.EscapeDataString(transactionId);
            return transport.SendAsync(new Call("GET", path), cancel);
        }

        /// <summary>Reverses an entry; possible once.</summary>
        public Task<Json> ReverseAsync(
            string transactionId, ChangeOptions options = null, CancellationToken cancel = default)
        {
            string path = "/entries/" + Uri.EscapeDataString(transactionId) + "/reverse";
            var body = new Dictionary<string, object>();
            return transport.SendAsync(ChangeOptions.CallOf(options, "POST", path, body), cancel);
        }

        /// <summary>
        /// Up to a thousand changes, each a dictionary with <c>memberId</c>, <c>tokens</c> and, for a
        /// transfer, <c>recipientId</c>. Each has its own outcome; with <paramref name="atomic"/> all are
        /// applied or none.
        /// </summary>
        public async Task<Json> ChangesAsync(
            IEnumerable<IDictionary<string, object>> changes,
            bool atomic = false,
            ChangeOptions options = null,
            CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object> { { "changes", changes.ToList() } };
            if (atomic) body["atomic"] = true;
            Call call = ChangeOptions.CallOf(options, "POST", "/changes", body);
            return (await transport.SendAsync(call, cancel).ConfigureAwait(false))["data"];
        }

        /// <summary>
        /// Passes every entry after <paramref name="cursor"/>, the last seq that you have, to <paramref
        /// name="handle"/> as soon as it is posted; without it only new ones. Connects again by itself,
        /// without a gap. Ends when cancelled, or with an error that another attempt would return again.
        /// </summary>
        public Task FollowAsync(
            Func<Json, Task> handle, string cursor = null, CancellationToken cancel = default)
        {
            return new Follower(transport, handle).RunAsync(cursor, cancel);
        }

        /// <summary>
        /// Any route below the realm: <c>SendAsync("GET", "/checkpoint")</c>. A POST or PATCH without an
        /// idempotency key is retried only when it certainly changed nothing.
        /// </summary>
        public Task<Json> SendAsync(
            string method,
            string path,
            IDictionary<string, object> body = null,
            string idempotencyKey = null,
            CancellationToken cancel = default)
        {
            var call = new Call(method, path) { Body = body, IdempotencyKey = idempotencyKey };
            return transport.SendAsync(call, cancel);
        }

        private static string Variable(string name)
        {
            string value = Environment.GetEnvironmentVariable(name);
            if (string.IsNullOrEmpty(value)) throw new InvalidOperationException(name + " is not set.");
            return value;
        }
    }
}
