using System;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>
    /// Entries as they are posted. Connects again after the last one, for as long as that can help.
    /// </summary>
    internal sealed class Follower
    {
        private const double LongestPauseSeconds = 30;
        private const double LongestRetryAfterSeconds = 600;

        /// <summary>A stream has at least a comment every 10 seconds.</summary>
        private static readonly TimeSpan Silent = TimeSpan.FromSeconds(30);

        private readonly Transport transport;
        private readonly Func<Json, Task> handle;
        private readonly Random jitter = new Random();
        private string cursor;
        private double retrySeconds = 1;
        private int failures;

        public Follower(Transport transport, Func<Json, Task> handle)
        {
            this.transport = transport;
            this.handle = handle;
        }

        public async Task RunAsync(string from, CancellationToken cancel)
        {
            cursor = from;
            while (true)
            {
                double retryAfter = 0;
                try
                {
                    if (cursor == null) cursor = await HeadAsync(cancel).ConfigureAwait(false);
                    await ReadAsync(cancel).ConfigureAwait(false);
                }
                catch (ExchequerException error) when (IsTemporary(error))
                {
                    failures++;
                    retryAfter = Math.Min(error.RetryAfter.TotalSeconds, LongestRetryAfterSeconds);
                }
                // The server spreads retry over its clients; growing pauses are spread here.
                double growth = failures == 0
                    ? 1
                    : Math.Pow(2, Math.Min(failures - 1, 10)) * (0.5 + jitter.NextDouble());
                double pause = Math.Max(Math.Min(retrySeconds * growth, LongestPauseSeconds), retryAfter);
                await Task.Delay(TimeSpan.FromSeconds(pause), cancel).ConfigureAwait(false);
            }
        }

        private static bool IsTemporary(ExchequerException error)
        {
            return error.IsUnavailable || error.Status == 408 || error.Status == 429;
        }

        private async Task<string> HeadAsync(CancellationToken cancel)
        {
            var call = new Call("GET", "/journal");
            call.Query["limit"] = "1";
            return (await transport.SendAsync(call, cancel).ConfigureAwait(false))["head"]["seq"].Text;
        }

        private async Task ReadAsync(CancellationToken cancel)
        {
            var call = new Call("GET", "/journal/stream");
            call.Query["cursor"] = cursor;
            using (var response = await transport.OpenAsync(call, cancel).ConfigureAwait(false))
            using (Stream body = await response.Content.ReadAsStreamAsync().ConfigureAwait(false))
            using (cancel.Register(body.Dispose))
            using (var lines = new StreamReader(body, Encoding.UTF8))
            {
                // An entry ends with an empty line: the last one of a broken connection may be cut.
                string data = null;
                for (string line; (line = await LineAsync(lines, cancel).ConfigureAwait(false)) != null;)
                {
                    failures = 0;
                    if (line.StartsWith("retry: ", StringComparison.Ordinal)) Retry(line.Substring(7));
                    else if (line.StartsWith("data: ", StringComparison.Ordinal)) data = line.Substring(6);
                    else if (line.Length == 0 && data != null)
                    {
                        Json entry = Json.Parse(data);
                        data = null;
                        cursor = entry["seq"].Text;
                        await handle(entry).ConfigureAwait(false);
                    }
                }
            }
        }

        private void Retry(string milliseconds)
        {
            int given;
            if (int.TryParse(milliseconds, NumberStyles.None, CultureInfo.InvariantCulture, out given))
                retrySeconds = given / 1000.0;
        }

        private static async Task<string> LineAsync(StreamReader lines, CancellationToken cancel)
        {
            try
            {
                Task<string> read = lines.ReadLineAsync();
                using (var stop = CancellationTokenSource.CreateLinkedTokenSource(cancel))
                {
                    Task silence = Task.Delay(Silent, stop.Token);
                    Task first = await Task.WhenAny(read, silence).ConfigureAwait(false);
                    if (first == read)
                    {
                        stop.Cancel();
                        return await read.ConfigureAwait(false);
                    }
                }
                cancel.ThrowIfCancellationRequested();
                throw new IOException("The stream was silent.");
            }
            catch (Exception cause) when (Transport.IsOutage(cause, cancel))
            {
                throw ExchequerException.NoAnswer("The stream broke: " + cause.Message, cause);
            }
        }
    }
}
