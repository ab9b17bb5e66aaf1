using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>One member of a realm. Nothing is requested until a method is called.</summary>
    public sealed class Member
    {
        private readonly Transport transport;
        private readonly string path;

        internal Member(Transport transport, string id)
        {
            Id = Values.InUrl(id);
            this.transport = transport;
            path = "/members/" + Uri.EscapeDataString(Id);
        }

        /// <summary>The member's id as it was given: digits, or an identity.</summary>
        public string Id { get; }

        /// <summary>The member: its <c>tokenBalance</c>, <c>balances</c>, <c>held</c> and names.</summary>
        public Task<Json> GetAsync(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("GET", path), cancel);
        }

        /// <summary>The member's ETag, for <c>ChangeOptions.IfMatch</c>.</summary>
        public async Task<string> GetETagAsync(CancellationToken cancel = default)
        {
            return (await transport.AnswerAsync(new Call("GET", path), cancel).ConfigureAwait(false)).ETag;
        }

        /// <summary>The balances at a past moment.</summary>
        public Task<Json> AtAsync(DateTimeOffset moment, CancellationToken cancel = default)
        {
            var call = new Call("GET", path);
            call.Query["at"] = TextOf(moment);
            return transport.SendAsync(call, cancel);
        }

        /// <summary>The member's wallets.</summary>
        public Task<Json> Web3Async(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("GET", "/web3" + path), cancel);
        }

        /// <summary>Adds points, or subtracts them when <paramref name="tokens"/> is below 0.</summary>
        public Task<Json> AdjustAsync(
            long tokens, ChangeOptions options = null, CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object> { { "tokens", tokens } };
            return ChangeAsync("PATCH", "/tokenBalance", body, options, cancel);
        }

        /// <summary>Transfers points to another member: both balances change or neither.</summary>
        public Task<Json> TransferAsync(
            string recipientId,
            long tokens,
            ChangeOptions options = null,
            CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object>
            {
                { "recipientId", Values.Digits(recipientId) },
                { "tokens", tokens },
            };
            return ChangeAsync("PATCH", "/transfer", body, options, cancel);
        }

        /// <summary>
        /// Reserves points until the hold is captured or released, or expires: after 15 minutes unless
        /// <paramref name="expiresIn"/> says otherwise. The hold is <c>realm.Hold(result["holdId"].Text)</c>.
        /// </summary>
        public Task<Json> HoldAsync(
            long tokens,
            TimeSpan? expiresIn = null,
            ChangeOptions options = null,
            CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object> { { "tokens", tokens } };
            if (expiresIn.HasValue) body["expiresIn"] = (long)expiresIn.Value.TotalSeconds;
            return ChangeAsync("POST", "/holds", body, options, cancel);
        }

        /// <summary>The open holds, newest first.</summary>
        public Listing Holds()
        {
            return new Listing(transport, path + "/holds");
        }

        /// <summary>
        /// Promises points: they can be spent once the award is granted, at <paramref name="grantAt"/> or
        /// by a call. The award is <c>realm.Award(result["awardId"].Text)</c>.
        /// </summary>
        public Task<Json> AwardAsync(
            long tokens,
            DateTimeOffset? grantAt = null,
            ChangeOptions options = null,
            CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object> { { "tokens", tokens } };
            if (grantAt.HasValue) body["grantAt"] = TextOf(grantAt.Value);
            return ChangeAsync("POST", "/awards", body, options, cancel);
        }

        /// <summary>The pending awards, newest first.</summary>
        public Listing Awards()
        {
            return new Listing(transport, path + "/awards");
        }

        /// <summary>
        /// The entries, newest first; <paramref name="to"/> is the first day that does not count.
        /// </summary>
        public Listing History(string from = null, string to = null, string realmPointId = null)
        {
            var query = new Dictionary<string, string>
            {
                { "from", from },
                { "to", to },
                { "realmPointId", realmPointId },
            };
            return new Listing(transport, path + "/history", query);
        }

        /// <summary>The rank on a leaderboard, with as many neighbours above and below.</summary>
        public Task<Json> RankAsync(
            BoardOptions board = null, int neighbours = 0, CancellationToken cancel = default)
        {
            string place = "/leaderboard/" + Uri.EscapeDataString(Id);
            var call = new Call("GET", place) { Query = BoardOptions.QueryOf(board) };
            if (neighbours > 0) call.Query["neighbours"] = neighbours.ToString(CultureInfo.InvariantCulture);
            return transport.SendAsync(call, cancel);
        }

        /// <summary>
        /// Creates the member, or changes the given fields, such as <c>username</c> or <c>frozen</c>.
        /// </summary>
        public Task<Json> PutAsync(
            IDictionary<string, object> change, CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("PUT", path) { Body = change }, cancel);
        }

        /// <summary>Removes the member, who must have no points. Its entries stay in the journal.</summary>
        public Task RemoveAsync(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("DELETE", path) { Gone = "member_not_found" }, cancel);
        }

        private static string TextOf(DateTimeOffset moment)
        {
            const string Form = "yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'";
            return moment.UtcDateTime.ToString(Form, CultureInfo.InvariantCulture);
        }

        private Task<Json> ChangeAsync(
            string method,
            string action,
            Dictionary<string, object> body,
            ChangeOptions options,
            CancellationToken cancel)
        {
            return transport.SendAsync(ChangeOptions.CallOf(options, method, path + action, body), cancel);
        }
    }

    /// <summary>An award: promised points.</summary>
    public sealed class Award
    {
        private readonly Transport transport;
        private readonly string path;

        internal Award(Transport transport, string id)
        {
            Id = id;
            this.transport = transport;
            path = "/awards/" + Uri.EscapeDataString(id);
        }

        /// <summary>The award's id.</summary>
        public string Id { get; }

        /// <summary>Its points, when it is due, and whether it is pending or how it ended.</summary>
        public Task<Json> GetAsync(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("GET", path), cancel);
        }

        /// <summary>Adds its points to the balance.</summary>
        public Task<Json> GrantAsync(ChangeOptions options = null, CancellationToken cancel = default)
        {
            return EndAsync("/grant", options, cancel);
        }

        /// <summary>Cancels the award: the member does not receive its points.</summary>
        public Task<Json> CancelAsync(ChangeOptions options = null, CancellationToken cancel = default)
        {
            return EndAsync("/cancel", options, cancel);
        }

        private Task<Json> EndAsync(string action, ChangeOptions options, CancellationToken cancel)
        {
            var body = new Dictionary<string, object>();
            return transport.SendAsync(ChangeOptions.CallOf(options, "POST", path + action, body), cancel);
        }
    }

    /// <summary>A hold: reserved points.</summary>
    public sealed class Hold
    {
        private readonly Transport transport;
        private readonly string path;

        internal Hold(Transport transport, string id)
        {
            Id = id;
            this.transport = transport;
            path = "/holds/" + Uri.EscapeDataString(id);
        }

        /// <summary>The hold's id.</summary>
        public string Id { get; }

        /// <summary>Its amount, its expiry, and whether it is open or how it ended.</summary>
        public Task<Json> GetAsync(CancellationToken cancel = default)
        {
            return transport.SendAsync(new Call("GET", path), cancel);
        }

        /// <summary>Captures the hold, or a part of it: the rest is released.</summary>
        public Task<Json> CaptureAsync(
            long? tokens = null, ChangeOptions options = null, CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object>();
            if (tokens.HasValue) body["tokens"] = tokens.Value;
            Call call = ChangeOptions.CallOf(options, "POST", path + "/capture", body);
            return transport.SendAsync(call, cancel);
        }

        /// <summary>Releases the hold.</summary>
        public Task<Json> ReleaseAsync(
            ChangeOptions options = null, CancellationToken cancel = default)
        {
            var body = new Dictionary<string, object>();
            Call call = ChangeOptions.CallOf(options, "POST", path + "/release", body);
            return transport.SendAsync(call, cancel);
        }
    }
}
