using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;

namespace Exchequer
{
    internal static class Values
    {
        private static readonly Regex MemberId =
            new Regex(@"\A([1-9][0-9]{0,18}|[a-z][a-z0-9-]{0,31}:.+)\z", RegexOptions.Singleline);
        private static readonly Regex Printable = new Regex(@"\A[\x21-\x7e]+\z");

        /// <summary>An id that the server can only reject is an error of the caller.</summary>
        public static string Digits(string memberId)
        {
            if (memberId != null && MemberId.IsMatch(memberId)) return memberId;
            throw new ArgumentException(
                "A member id is a text of digits or an identity, not \"" + memberId + "\".");
        }

        /// <summary>
        /// The same in a URL. URLs are logged, so an e-mail address is an error before a request is sent.
        /// </summary>
        public static string InUrl(string memberId)
        {
            string text = Digits(memberId);
            if (!text.StartsWith("email:", StringComparison.Ordinal) || text.IndexOf('@') < 0) return text;
            throw new ArgumentException(
                "A member id in a URL can't be an e-mail address: URLs are logged. "
                    + "Use the identity email:<hash>.");
        }

        /// <summary>
        /// What may be in a header. A line break copied along would look like an unreachable server.
        /// </summary>
        public static string HeaderText(string name, string value)
        {
            if (value != null && Printable.IsMatch(value)) return value;
            throw new ArgumentException(
                name + " is empty, or has a space, a line break or another invalid character.");
        }

        public static string MakeKey()
        {
            return Guid.NewGuid().ToString("N");
        }

        public static void AddGiven(Dictionary<string, object> body, string name, object value)
        {
            if (value != null) body[name] = value;
        }
    }
}
