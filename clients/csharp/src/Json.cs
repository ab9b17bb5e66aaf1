using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Exchequer
{
    /// <summary>The kinds of JSON values.</summary>
    public enum JsonKind
    {
        Null,
        Boolean,
        Number,
        Text,
        List,
        Object,
    }

    /// <summary>
    /// A JSON value as the server returned it: <c>json["newBalance"].Integer</c>. A field that does not exist
    /// is null, so that a newer or an older server breaks nothing.
    /// </summary>
    public sealed class Json : IEnumerable<Json>
    {
        /// <summary>The value null.</summary>
        public static readonly Json Null = new Json(JsonKind.Null, null);

        private readonly object value;

        private Json(JsonKind kind, object value)
        {
            Kind = kind;
            this.value = value;
        }

        /// <summary>What it is.</summary>
        public JsonKind Kind { get; }

        /// <summary>Whether it is null, or a field that does not exist.</summary>
        public bool IsNull => Kind == JsonKind.Null;

        /// <summary>A text; null if it is null.</summary>
        public string Text => IsNull ? null : (string)Expect(JsonKind.Text);

        /// <summary>A whole number. The API's amounts are within ±(2^53 − 1).</summary>
        public long Integer
        {
            get
            {
                string digits = (string)Expect(JsonKind.Number);
                return long.Parse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
            }
        }

        /// <summary>True or false.</summary>
        public bool Boolean => (bool)Expect(JsonKind.Boolean);

        /// <summary>The items of a list.</summary>
        public IReadOnlyList<Json> Items => (IReadOnlyList<Json>)Expect(JsonKind.List);

        /// <summary>The fields of an object.</summary>
        public IReadOnlyDictionary<string, Json> Fields =>
            (IReadOnlyDictionary<string, Json>)Expect(JsonKind.Object);

        /// <summary>A field of an object; null if it does not exist.</summary>
        public Json this[string name]
        {
            get
            {
                Json found;
                return Fields.TryGetValue(name, out found) ? found : Null;
            }
        }

        /// <summary>Reads a text. Throws a FormatException if it is not JSON.</summary>
        public static Json Parse(string text)
        {
            return new JsonReader(text).ReadWhole();
        }

        /// <summary>
        /// Writes null, a bool, a number, a string, a Json, a dictionary with strings as keys, or a list of
        /// such.
        /// </summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            JsonWriter.Append(text, value);
            return text.ToString();
        }

        /// <summary>The value as JSON.</summary>
        public override string ToString()
        {
            return Write(this);
        }

        /// <summary>The items of a list.</summary>
        public IEnumerator<Json> GetEnumerator()
        {
            return Items.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        internal object Raw => value;

        internal static Json Of(string text)
        {
            return new Json(JsonKind.Text, text);
        }

        internal static Json Of(bool truth)
        {
            return new Json(JsonKind.Boolean, truth);
        }

        internal static Json OfNumber(string digits)
        {
            return new Json(JsonKind.Number, digits);
        }

        internal static Json Of(List<Json> items)
        {
            return new Json(JsonKind.List, items);
        }

        internal static Json Of(Dictionary<string, Json> fields)
        {
            return new Json(JsonKind.Object, fields);
        }

        private object Expect(JsonKind kind)
        {
            if (Kind == kind) return value;
            throw new InvalidOperationException("The JSON value is " + Kind + ", not " + kind + ".");
        }
    }

    internal static class JsonWriter
    {
        public static void Append(StringBuilder text, object value)
        {
            var json = value as Json;
            if (json != null) value = json.Kind == JsonKind.Number ? (object)new Digits(json) : json.Raw;
            if (value == null) text.Append("null");
            else if (value is bool) text.Append((bool)value ? "true" : "false");
            else if (value is string) AppendText(text, (string)value);
            else if (value is Digits) text.Append(((Digits)value).Text);
            else if (value is IDictionary) AppendFields(text, (IDictionary)value);
            else if (value is IEnumerable) AppendItems(text, (IEnumerable)value);
            else if (value is int || value is long || value is double || value is decimal)
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else throw new ArgumentException("JSON has no value for " + value.GetType() + ".");
        }

        private static void AppendFields(StringBuilder text, IDictionary fields)
        {
            string before = "{";
            foreach (DictionaryEntry field in fields)
            {
                text.Append(before);
                AppendText(text, (string)field.Key);
                text.Append(':');
                Append(text, field.Value);
                before = ",";
            }
            text.Append(before == "{" ? "{}" : "}");
        }

        private static void AppendItems(StringBuilder text, IEnumerable items)
        {
            string before = "[";
            foreach (object item in items)
            {
                text.Append(before);
                Append(text, item);
                before = ",";
            }
            text.Append(before == "[" ? "[]" : "]");
        }

        /// <summary>In ASCII, so that half of a surrogate pair is not lost in an encoding.</summary>
        private static void AppendText(StringBuilder text, string value)
        {
            text.Append('"');
            foreach (char letter in value)
            {
                if (letter == '"' || letter == '\\') text.Append('\\').Append(letter);
                else if (letter >= ' ' && letter <= '~') text.Append(letter);
                else text.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
            }
            text.Append('"');
        }

        private struct Digits
        {
            public readonly string Text;

            public Digits(Json number)
            {
                Text = (string)number.Raw;
            }
        }
    }
}
