using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Exchequer
{
    /// <summary>A request of the API.</summary>
    internal sealed class Call
    {
        public Call(string method, string path)
        {
            Method = method;
            Path = path;
        }

        public string Method { get; }

        public string Path { get; }

        public object Body { get; set; }

        /// <summary>What is null is not sent.</summary>
        public Dictionary<string, string> Query { get; set; } = new Dictionary<string, string>();

        public string IdempotencyKey { get; set; }

        public string IfMatch { get; set; }

        /// <summary>Whether it is idempotent without a key; GET, PUT and DELETE always are.</summary>
        public bool Repeatable { get; set; }

        /// <summary>The code that means, in a retry, that the request had already been applied.</summary>
        public string Gone { get; set; }
    }

    /// <summary>Sends requests, and retries where that is safe.</summary>
    internal sealed class Transport : IDisposable
    {
        private const double FirstWaitSeconds = 0.1;
        private const double LongestWaitSeconds = 20;

        /// <summary>The codes of 409 and 503 that can be retried and certainly changed nothing.</summary>
        private static readonly HashSet<string> Harmless = new HashSet<string>
        {
            "overloaded", "unavailable", "chain_unavailable", "wrong_cell", "request_in_progress",
        };

        private static readonly Random Jitter = new Random();
        private readonly RealmSettings settings;
        private readonly HttpClient client;
        private readonly string prefix;

        public Transport(RealmSettings settings)
        {
            if (string.IsNullOrEmpty(settings.Url)) throw new ArgumentException("Url is required.");
            if (string.IsNullOrEmpty(settings.RealmId)) throw new ArgumentException("RealmId is required.");
            Values.HeaderText("Key", settings.Key);
            this.settings = settings;
            prefix = settings.Url.TrimEnd('/') + "/api/v4/realms/" + Uri.EscapeDataString(settings.RealmId);
            // The key is sent to no other host.
            var handler = settings.Handler ?? new HttpClientHandler { AllowAutoRedirect = false };
            client = new HttpClient(handler, settings.Handler == null) { Timeout = Timeout.InfiniteTimeSpan };
            client.DefaultRequestHeaders.ExpectContinue = false;
        }

        public void Dispose()
        {
            client.Dispose();
        }

        public async Task<Json> SendAsync(Call call, CancellationToken cancel)
        {
            return (await AnswerAsync(call, cancel).ConfigureAwait(false)).Value;
        }

        public async Task<Answer> AnswerAsync(Call call, CancellationToken cancel)
        {
            bool unsure = false;
            for (int attempt = 0; ; attempt++)
            {
                ExchequerException error;
                try
                {
                    return await AttemptAsync(call, cancel).ConfigureAwait(false);
                }
                catch (ExchequerException caught)
                {
                    error = caught;
                }
                if (unsure && call.Gone != null && error.Code == call.Gone)
                    return new Answer(Json.Null, null);
                if (attempt >= settings.Retries || !MayRepeat(call, error)) throw error;
                unsure |= !IsHarmless(error);
                await settings.Delay(PauseOf(attempt, error), cancel).ConfigureAwait(false);
            }
        }

        /// <summary>The response of a stream, whose body is still to be read.</summary>
        public async Task<HttpResponseMessage> OpenAsync(Call call, CancellationToken cancel)
        {
            HttpResponseMessage response;
            try
            {
                const HttpCompletionOption Begun = HttpCompletionOption.ResponseHeadersRead;
                response = await WithinAsync(
                    token => client.SendAsync(RequestOf(call), Begun, token), cancel).ConfigureAwait(false);
            }
            catch (Exception cause) when (IsOutage(cause, cancel))
            {
                string detail = "The server at " + settings.Url + " could not be reached.";
                throw ExchequerException.NoAnswer(detail, cause);
            }
            if (response.IsSuccessStatusCode) return response;
            using (response)
            {
                string text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                throw ErrorOf(response, text);
            }
        }

        /// <summary>Whether it is the network's error, and not the caller's wish to stop.</summary>
        public static bool IsOutage(Exception cause, CancellationToken cancel)
        {
            bool isNetwork = cause is HttpRequestException || cause is OperationCanceledException
                || cause is System.IO.IOException || cause is System.Net.WebException
                || cause is ObjectDisposedException;
            return isNetwork && !cancel.IsCancellationRequested;
        }

        private async Task<Answer> AttemptAsync(Call call, CancellationToken cancel)
        {
            try
            {
                return await WithinAsync(token => ReadAsync(call, token), cancel).ConfigureAwait(false);
            }
            catch (Exception cause) when (IsOutage(cause, cancel))
            {
                string detail = "No response from the server at " + settings.Url + ".";
                throw ExchequerException.NoAnswer(detail, cause);
            }
        }

        private async Task<T> WithinAsync<T>(Func<CancellationToken, Task<T>> work, CancellationToken cancel)
        {
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                late.CancelAfter(settings.Timeout);
                return await work(late.Token).ConfigureAwait(false);
            }
        }

        private async Task<Answer> ReadAsync(Call call, CancellationToken cancel)
        {
            using (HttpRequestMessage request = RequestOf(call))
            using (var response = await client.SendAsync(request, cancel).ConfigureAwait(false))
            {
                byte[] bytes = response.Content == null
                    ? new byte[0]
                    : await response.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
                string text = Encoding.UTF8.GetString(bytes);
                if (!response.IsSuccessStatusCode) throw ErrorOf(response, text);
                IEnumerable<string> tags;
                string tag = response.Headers.TryGetValues("ETag", out tags) ? tags.FirstOrDefault() : null;
                return new Answer(text.Length == 0 ? Json.Null : ParseAnswer(response, text), tag);
            }
        }

        private static Json ParseAnswer(HttpResponseMessage response, string text)
        {
            try
            {
                return Json.Parse(text);
            }
            catch (FormatException cause)
            {
                int status = (int)response.StatusCode;
                string detail = "The response was " + status + ", but not JSON. Check the URL of the server.";
                Json problem = ExchequerException.ProblemOf("http_" + status, detail);
                throw new ExchequerException(status, problem, cause);
            }
        }

        private HttpRequestMessage RequestOf(Call call)
        {
            var given = call.Query.Where(pair => pair.Value != null)
                .Select(pair => pair.Key + "=" + Uri.EscapeDataString(pair.Value)).ToList();
            string url = prefix + call.Path + (given.Count == 0 ? "" : "?" + string.Join("&", given));
            var request = new HttpRequestMessage(new HttpMethod(call.Method), url);
            request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + settings.Key);
            if (call.Body != null)
            {
                request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(Json.Write(call.Body)));
                request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            }
            if (call.IdempotencyKey != null)
                request.Headers.TryAddWithoutValidation(
                    "Idempotency-Key", Values.HeaderText("IdempotencyKey", call.IdempotencyKey));
            if (call.IfMatch != null) request.Headers.TryAddWithoutValidation("If-Match", call.IfMatch);
            return request;
        }

        private static ExchequerException ErrorOf(HttpResponseMessage response, string text)
        {
            int status = (int)response.StatusCode;
            Json problem = ProblemOf(status, text);
            return new ExchequerException(status, problem) { RetryAfter = RetryAfterOf(response) };
        }

        /// <summary>A proxy may return something other than a problem document.</summary>
        private static Json ProblemOf(int status, string text)
        {
            try
            {
                Json problem = Json.Parse(text);
                if (problem.Kind == JsonKind.Object && problem["code"].Kind == JsonKind.Text) return problem;
            }
            catch (FormatException)
            {
                // Reported below.
            }
            return ExchequerException.ProblemOf(
                "http_" + status, "The response was " + status + ", without a reason.");
        }

        /// <summary>Seconds, or a date, which a proxy may send instead.</summary>
        private static TimeSpan RetryAfterOf(HttpResponseMessage response)
        {
            RetryConditionHeaderValue after = response.Headers.RetryAfter;
            if (after == null) return TimeSpan.Zero;
            TimeSpan? until = after.Date - DateTimeOffset.UtcNow;
            return after.Delta ?? until ?? TimeSpan.Zero;
        }

        /// <summary>A proxy may return 429 without one of our codes.</summary>
        private static bool IsHarmless(ExchequerException error)
        {
            return error.Status == 429 || Harmless.Contains(error.Code);
        }

        private static bool MayRepeat(Call call, ExchequerException error)
        {
            if (IsHarmless(error)) return true;
            if (error.Status != 0 && error.Status != 408 && error.Status < 500) return false;
            bool isSafe = call.Method == "GET" || call.Method == "PUT" || call.Method == "DELETE";
            return isSafe || call.Repeatable || call.IdempotencyKey != null;
        }

        /// <summary>
        /// Exponential with jitter, so that clients do not return all at once; or what the server says.
        /// </summary>
        private static TimeSpan PauseOf(int attempt, ExchequerException error)
        {
            double spread;
            lock (Jitter) spread = FirstWaitSeconds * Math.Pow(2, attempt) * (0.5 + Jitter.NextDouble());
            double seconds = Math.Min(Math.Max(spread, error.RetryAfter.TotalSeconds), LongestWaitSeconds);
            return TimeSpan.FromSeconds(seconds);
        }
    }

    internal struct Answer
    {
        public Answer(Json value, string etag)
        {
            Value = value;
            ETag = etag;
        }

        public Json Value { get; }

        public string ETag { get; }
    }
}
