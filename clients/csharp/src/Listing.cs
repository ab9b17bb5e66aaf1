using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>A list on the server. Nothing is requested until it is read.</summary>
    public sealed class Listing
    {
        private const int WholePages = 1000;
        private readonly Transport transport;
        private readonly string path;
        private readonly Dictionary<string, string> query;

        internal Listing(Transport transport, string path, Dictionary<string, string> query = null)
        {
            this.transport = transport;
            this.path = path;
            this.query = query ?? new Dictionary<string, string>();
        }

        /// <summary>
        /// The first page, or the one at a cursor: its <c>data</c>, and <c>nextCursor</c>, which is null at
        /// the end.
        /// </summary>
        public Task<Json> PageAsync(
            int? limit = null, string cursor = null, CancellationToken cancel = default)
        {
            var all = new Dictionary<string, string>(query);
            if (limit.HasValue) all["limit"] = limit.Value.ToString(CultureInfo.InvariantCulture);
            if (cursor != null) all["cursor"] = cursor;
            return transport.SendAsync(new Call("GET", path) { Query = all }, cancel);
        }

        /// <summary>The first items, at most <paramref name="count"/>.</summary>
        public async Task<IReadOnlyList<Json>> FirstAsync(
            int count, CancellationToken cancel = default)
        {
            var found = new List<Json>();
            if (count < 1) return found;
            await ReadAsync(Math.Min(count, WholePages), item =>
            {
                found.Add(item);
                return Task.FromResult(found.Count < count);
            }, cancel).ConfigureAwait(false);
            return found;
        }

        /// <summary>Passes every item to <paramref name="handle"/>, one after the other.</summary>
        public Task EachAsync(Func<Json, Task> handle, CancellationToken cancel = default)
        {
            return ReadAsync(WholePages, async item =>
            {
                await handle(item).ConfigureAwait(false);
                return true;
            }, cancel);
        }

        private async Task ReadAsync(int limit, Func<Json, Task<bool>> handle, CancellationToken cancel)
        {
            string cursor = null;
            do
            {
                Json page = await PageAsync(limit, cursor, cancel).ConfigureAwait(false);
                foreach (Json item in page["data"])
                    if (!await handle(item).ConfigureAwait(false)) return;
                cursor = page["nextCursor"].Text;
            }
            while (cursor != null);
        }
    }
}
