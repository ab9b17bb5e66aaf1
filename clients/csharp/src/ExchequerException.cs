using System;
using System.Collections.Generic;

namespace Exchequer
{
    /// <summary>
    /// Any error: <c>Code</c> identifies it, and the message says what to do. A rejected request changed
    /// nothing.
    /// </summary>
    public sealed class ExchequerException : Exception
    {
        internal ExchequerException(int status, Json problem, Exception cause = null)
            : base(problem["detail"].Text ?? problem["code"].Text, cause)
        {
            Status = status;
            Problem = problem;
        }

        /// <summary>The status; 0 without a response.</summary>
        public int Status { get; }

        /// <summary>
        /// The whole problem document: <c>Problem["balance"]</c>, <c>Problem["errors"]</c>.
        /// </summary>
        public Json Problem { get; }

        /// <summary>Such as <c>insufficient_points</c>: docs/errors.md lists them.</summary>
        public string Code => Problem["code"].Text;

        /// <summary>For reports to the server's operator.</summary>
        public string RequestId => Problem["requestId"].Text;

        /// <summary>What the member or hold has; null where it does not apply.</summary>
        public long? Balance => NumberOf("balance");

        /// <summary>What was requested; null where it does not apply.</summary>
        public long? Required => NumberOf("required");

        /// <summary>
        /// Of a 422 to a change: until when its Idempotency-Key returns this response. A new key tries again.
        /// </summary>
        public string RememberedUntil => Problem["rememberedUntil"].Text;

        /// <summary>
        /// Whether there was no response, or 5xx, even after retries: retry later with the same key.
        /// </summary>
        public bool IsUnavailable => Status == 0 || Status >= 500;

        internal TimeSpan RetryAfter { get; set; }

        internal static ExchequerException NoAnswer(string detail, Exception cause)
        {
            return new ExchequerException(0, ProblemOf("no_answer", detail), cause);
        }

        internal static Json ProblemOf(string code, string detail)
        {
            return Json.Of(new Dictionary<string, Json>
            {
                { "code", Json.Of(code) },
                { "detail", Json.Of(detail) },
            });
        }

        private long? NumberOf(string name)
        {
            Json found = Problem[name];
            return found.Kind == JsonKind.Number ? found.Integer : (long?)null;
        }
    }
}
