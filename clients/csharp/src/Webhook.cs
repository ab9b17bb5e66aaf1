using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Exchequer
{
    /// <summary>The request is not a valid webhook: answer it with 400. <c>Code</c> says why.</summary>
    public sealed class WebhookException : Exception
    {
        internal WebhookException(string code, string message)
            : base(message)
        {
            Code = code;
        }

        /// <summary>
        /// <c>missing_header</c>, <c>invalid_timestamp</c>, <c>too_old</c>, <c>in_the_future</c>,
        /// <c>wrong_signature</c> or <c>invalid_body</c>.
        /// </summary>
        public string Code { get; }
    }

    /// <summary>An event of a webhook. Its id is the same when it is sent again: handle each once.</summary>
    public sealed class WebhookEvent
    {
        internal WebhookEvent(string id, Json body)
        {
            Id = id;
            Body = body;
        }

        /// <summary>The event's id.</summary>
        public string Id { get; }

        /// <summary>Such as <c>points.adjusted</c>.</summary>
        public string Type => Body["type"].Text;

        /// <summary>What happened.</summary>
        public Json Data => Body["data"];

        /// <summary>The whole body.</summary>
        public Json Body { get; }
    }

    /// <summary>
    /// Verifies webhooks, which are signed by Standard Webhooks 1.0.0: https://www.standardwebhooks.com
    /// </summary>
    public static class Webhook
    {
        private const int LeastBytes = 24;

        /// <summary>
        /// Verifies a webhook and returns its event. <paramref name="header"/> returns a header by its name,
        /// or null; <paramref name="body"/> is as it was received; several secrets while one is rotated.
        /// Throws a WebhookException unless it was signed with a secret within <paramref
        /// name="toleranceSeconds"/>.
        /// </summary>
        public static WebhookEvent Verify(
            Func<string, string> header, byte[] body, IEnumerable<string> secrets, int toleranceSeconds = 300)
        {
            List<byte[]> keys = secrets.Select(KeyOf).ToList();
            if (keys.Count == 0) throw new ArgumentException("No secret was given.");
            string id = Required(header, "webhook-id");
            string timestamp = Required(header, "webhook-timestamp");
            string signatures = Required(header, "webhook-signature");
            CheckTime(timestamp, toleranceSeconds);
            byte[] signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
            List<byte[]> received = signatures.Split(' ')
                .Where(one => one.StartsWith("v1,", StringComparison.Ordinal))
                .Select(one => Decoded(one.Substring(3))).ToList();
            foreach (byte[] key in keys)
            {
                using (var hmac = new HMACSHA256(key))
                {
                    byte[] expected = hmac.ComputeHash(signed);
                    if (received.Any(one => IsSame(one, expected))) return EventOf(id, body);
                }
            }
            throw new WebhookException(
                "wrong_signature",
                "No signature matches. Check the secret, and that the body is passed as it was received.");
        }

        /// <summary>With one secret.</summary>
        public static WebhookEvent Verify(
            Func<string, string> header, byte[] body, string secret, int toleranceSeconds = 300)
        {
            return Verify(header, body, new[] { secret }, toleranceSeconds);
        }

        /// <summary>An error in your settings, not in the request.</summary>
        private static byte[] KeyOf(string secret)
        {
            string text = secret ?? "";
            bool isMarked = text.StartsWith("whsec_", StringComparison.Ordinal);
            byte[] key = Decoded(isMarked ? text.Substring(6) : text);
            if (key.Length >= LeastBytes) return key;
            throw new ArgumentException(
                "The secret is not valid: expected whsec_ and at least " + LeastBytes + " bytes in base64.");
        }

        /// <summary>Empty if it is not base64.</summary>
        private static byte[] Decoded(string base64)
        {
            try
            {
                return Convert.FromBase64String(base64);
            }
            catch (FormatException)
            {
                return new byte[0];
            }
        }

        private static string Required(Func<string, string> header, string name)
        {
            string value = header(name);
            if (!string.IsNullOrEmpty(value)) return value;
            throw new WebhookException(
                "missing_header", "The header " + name + " is missing: the request is not a webhook.");
        }

        private static void CheckTime(string timestamp, int toleranceSeconds)
        {
            if (!Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z"))
                throw new WebhookException(
                    "invalid_timestamp",
                    "webhook-timestamp is not a time in seconds: \"" + timestamp + "\".");
            long sent = long.Parse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture);
            long age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - sent;
            string clock = " Allowed are " + toleranceSeconds + " s: is this machine's clock right?";
            if (age > toleranceSeconds)
                throw new WebhookException("too_old", "The webhook was sent " + age + " s ago." + clock);
            if (-age > toleranceSeconds)
                throw new WebhookException(
                    "in_the_future", "The webhook was sent " + -age + " s in the future." + clock);
        }

        /// <summary>Takes equally long wherever they differ.</summary>
        private static bool IsSame(byte[] one, byte[] expected)
        {
            if (one.Length != expected.Length) return false;
            int difference = 0;
            for (int at = 0; at < expected.Length; at++) difference |= one[at] ^ expected[at];
            return difference == 0;
        }

        private static WebhookEvent EventOf(string id, byte[] body)
        {
            try
            {
                Json parsed = Json.Parse(Encoding.UTF8.GetString(body));
                if (parsed.Kind == JsonKind.Object && parsed["type"].Kind == JsonKind.Text)
                    return new WebhookEvent(id, parsed);
            }
            catch (FormatException)
            {
                // The error below is the same.
            }
            throw new WebhookException("invalid_body", "The body is not a JSON object with a type.");
        }
    }
}
