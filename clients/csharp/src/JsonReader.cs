using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Exchequer
{
    /// <summary>Reads JSON, RFC 8259.</summary>
    internal sealed class JsonReader
    {
        private const int DeepestNesting = 64;
        private static readonly Regex Number =
            new Regex(@"\G-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", RegexOptions.CultureInvariant);

        private readonly string text;
        private int at;
        private int depth;

        public JsonReader(string text)
        {
            this.text = text;
        }

        public Json ReadWhole()
        {
            Json value = ReadValue();
            SkipSpace();
            if (at < text.Length) throw Wrong();
            return value;
        }

        private Json ReadValue()
        {
            SkipSpace();
            if (at == text.Length) throw Wrong();
            switch (text[at])
            {
                case '{': return Nested(ReadObject);
                case '[': return Nested(ReadList);
                case '"': return Json.Of(ReadText());
                case 't': return ReadWord("true", Json.Of(true));
                case 'f': return ReadWord("false", Json.Of(false));
                case 'n': return ReadWord("null", Json.Null);
                default: return ReadNumber();
            }
        }

        private Json Nested(Func<Json> read)
        {
            if (++depth > DeepestNesting) throw new FormatException("The JSON is nested too deeply.");
            at++;
            Json value = read();
            depth--;
            return value;
        }

        private Json ReadObject()
        {
            var fields = new Dictionary<string, Json>(StringComparer.Ordinal);
            SkipSpace();
            if (Take('}')) return Json.Of(fields);
            do
            {
                SkipSpace();
                if (at == text.Length || text[at] != '"') throw Wrong();
                string name = ReadText();
                SkipSpace();
                if (!Take(':')) throw Wrong();
                fields[name] = ReadValue();
                SkipSpace();
            }
            while (Take(','));
            if (!Take('}')) throw Wrong();
            return Json.Of(fields);
        }

        private Json ReadList()
        {
            var items = new List<Json>();
            SkipSpace();
            if (Take(']')) return Json.Of(items);
            do
            {
                items.Add(ReadValue());
                SkipSpace();
            }
            while (Take(','));
            if (!Take(']')) throw Wrong();
            return Json.Of(items);
        }

        private string ReadText()
        {
            var read = new StringBuilder();
            for (at++; at < text.Length; at++)
            {
                char letter = text[at];
                if (letter == '"')
                {
                    at++;
                    return read.ToString();
                }
                if (letter < ' ') throw Wrong();
                read.Append(letter == '\\' ? ReadEscape() : letter);
            }
            throw Wrong();
        }

        private char ReadEscape()
        {
            at++;
            if (at == text.Length) throw Wrong();
            int known = "\"\\/bfnrt".IndexOf(text[at]);
            if (known >= 0) return "\"\\/\b\f\n\r\t"[known];
            int code;
            if (text[at] != 'u' || at + 4 >= text.Length) throw Wrong();
            if (!int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture, out code)) throw Wrong();
            at += 4;
            return (char)code;
        }

        private Json ReadNumber()
        {
            Match found = Number.Match(text, at);
            if (!found.Success) throw Wrong();
            at += found.Length;
            return Json.OfNumber(found.Value);
        }

        private Json ReadWord(string word, Json value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Wrong();
            at += word.Length;
            return value;
        }

        private bool Take(char letter)
        {
            if (at == text.Length || text[at] != letter) return false;
            at++;
            return true;
        }

        private void SkipSpace()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        private FormatException Wrong()
        {
            return new FormatException("The text is not JSON: position " + at + ".");
        }
    }
}
