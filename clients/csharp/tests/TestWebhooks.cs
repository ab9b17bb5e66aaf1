using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Exchequer;

/// <summary>Which webhooks are accepted.</summary>
public static partial class Tests
{
    private static void Webhooks()
    {
        string secret = "whsec_" + Convert.ToBase64String(Enumerable.Repeat((byte)7, 32).ToArray());
        string other = "whsec_" + Convert.ToBase64String(new byte[32]);
        string text = "{\"type\":\"points.adjusted\",\"data\":{\"reason\":\"für €5 🎉\"}}";
        byte[] body = Encoding.UTF8.GetBytes(text);
        WebhookEvent seen = Webhook.Verify(Signed(body, secret, 0).Get, body, secret);
        string shown = seen.Id + " " + seen.Type + " " + seen.Data["reason"].Text;
        Equal("evt_1 points.adjusted für €5 🎉", shown);
        Webhook.Verify(Signed(body, secret, 298).Get, body, new[] { other, secret });
        byte[] changed = body.Concat(new byte[] { 32 }).ToArray();
        Rejected("wrong_signature", Signed(body, secret, 0), changed, secret);
        Rejected("wrong_signature", Signed(body, secret, 0), body, other);
        Rejected("wrong_signature", Signed(body, secret, 0).With("webhook-id", "evt_2"), body, secret);
        Headers unsigned = Signed(body, secret, 0).With("webhook-signature", "v1,! v1");
        Rejected("wrong_signature", unsigned, body, secret);
        Rejected("too_old", Signed(body, secret, 310), body, secret);
        Rejected("in_the_future", Signed(body, secret, -310), body, secret);
        Rejected("invalid_timestamp", Signed(body, secret, 0).With("webhook-timestamp", "1e9"), body, secret);
        foreach (string name in new[] { "webhook-id", "webhook-timestamp", "webhook-signature" })
            Rejected("missing_header", Signed(body, secret, 0).With(name, null), body, secret);
        foreach (string untyped in new[] { "[]", "{", "{\"type\":5}" })
        {
            byte[] wrong = Encoding.UTF8.GetBytes(untyped);
            Rejected("invalid_body", Signed(wrong, secret, 0), wrong, secret);
        }
        string tooShort = "whsec_" + Convert.ToBase64String(new byte[23]);
        foreach (string wrong in new[] { "whsec_", "whsec_!", null, tooShort })
            Throws<ArgumentException>(() => Webhook.Verify(Signed(body, secret, 0).Get, body, wrong));
        Throws<ArgumentException>(() => Webhook.Verify(Signed(body, secret, 0).Get, body, new string[0]));
        // A fixed example of the standard's reference libraries: its signature is right, it has no type.
        var example = new Headers
        {
            { "webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek" },
            { "webhook-timestamp", "1614265330" },
            { "webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" },
        };
        byte[] payload = Encoding.UTF8.GetBytes("{\"test\": 2432232314}");
        string known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        var error = Throws<WebhookException>(() => Webhook.Verify(example.Get, payload, known, int.MaxValue));
        Equal("invalid_body", error.Code);
    }

    private static Headers Signed(byte[] body, string secret, int age)
    {
        string at = (DateTimeOffset.UtcNow.ToUnixTimeSeconds() - age).ToString();
        byte[] signed = Encoding.UTF8.GetBytes("evt_1." + at + ".").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(Convert.FromBase64String(secret.Substring(6))))
        {
            string signature = "v1,AAAA v1a,x v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
            return new Headers
            {
                { "webhook-id", "evt_1" },
                { "webhook-timestamp", at },
                { "webhook-signature", signature },
            };
        }
    }

    private static void Rejected(string code, Headers headers, byte[] body, string secret)
    {
        Equal(code, Throws<WebhookException>(() => Webhook.Verify(headers.Get, body, secret)).Code);
    }

    private sealed class Headers : Dictionary<string, string>
    {
        public string Get(string name)
        {
            string value;
            return TryGetValue(name, out value) ? value : null;
        }

        public Headers With(string name, string value)
        {
            this[name] = value;
            return this;
        }
    }
}
