using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Exchequer;

/// <summary>
/// Reads requests as lines of JSON, sends them with the client, and prints a line for each result: `npm run
/// acceptance -- --client csharp`.
/// </summary>
public static class Bridge
{
    private static readonly object Output = new object();

    public static int Main()
    {
        ServicePointManager.DefaultConnectionLimit = 100;
        ThreadPool.SetMinThreads(100, 100);
        var running = new List<Task>();
        for (string line; (line = Console.In.ReadLine()) != null;)
        {
            string request = line;
            running.Add(Task.Run(() => WorkAsync(Json.Parse(request))));
            running.RemoveAll(one => one.IsCompleted);
        }
        Task.WaitAll(running.ToArray());
        return 0;
    }

    private static async Task WorkAsync(Json request)
    {
        var recorder = new Recorder();
        var settings = new RealmSettings
        {
            Url = request["url"].Text,
            RealmId = request["realm"].Text,
            Key = request["key"].Text,
            Timeout = TimeSpan.FromSeconds(20),
            Handler = recorder,
        };
        var ended = new Dictionary<string, object> { { "n", request["n"] } };
        try
        {
            using (var realm = new Realm(settings)) ended["value"] = await AskAsync(realm, request);
        }
        catch (ExchequerException error)
        {
            ended["error"] = new Dictionary<string, object>
            {
                { "status", error.Status },
                { "code", error.Code },
                { "requestId", error.RequestId },
            };
        }
        catch (Exception error)
        {
            ended["broken"] = error.ToString();
        }
        ended["wire"] = recorder.Wire;
        lock (Output)
        {
            Console.Out.WriteLine(Json.Write(ended));
            Console.Out.Flush();
        }
    }

    private static Task<Json> AskAsync(Realm realm, Json request)
    {
        switch (request["verb"].Text)
        {
            case "member": return realm.Member(request["member"].Text).GetAsync();
            case "web3": return realm.Member(request["member"].Text).Web3Async();
            case "includes": return realm.IncludesAsync(request["wallets"].Items.Select(one => one.Text));
            case "adjust":
                return realm.Member(request["member"].Text)
                    .AdjustAsync(request["tokens"].Integer, OptionsOf(request));
            case "transfer":
                return realm.Member(request["member"].Text)
                    .TransferAsync(request["recipient"].Text, request["tokens"].Integer, OptionsOf(request));
            default: throw new ArgumentException("unknown verb " + request["verb"].Text);
        }
    }

    private static ChangeOptions OptionsOf(Json request)
    {
        Json said = request["said"];
        return new ChangeOptions
        {
            RealmPointId = said["realmPointId"].Text,
            Reason = said["reason"].Text,
            Reference = said["reference"].Text,
            Metadata = said["metadata"].IsNull
                ? null
                : said["metadata"].Fields.ToDictionary(field => field.Key, field => (object)field.Value),
            ActorId = said["actorId"].Text,
            IdempotencyKey = request["idempotencyKey"].Text,
        };
    }

    /// <summary>Keeps the last response unchanged.</summary>
    private sealed class Recorder : DelegatingHandler
    {
        public Recorder()
            : base(new HttpClientHandler { AllowAutoRedirect = false })
        {
        }

        public object Wire { get; private set; }

        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancel)
        {
            HttpResponseMessage response = await base.SendAsync(request, cancel);
            byte[] bytes = await response.Content.ReadAsByteArrayAsync();
            var headers = response.Headers.Concat(response.Content.Headers)
                .ToDictionary(one => one.Key, one => (object)string.Join(", ", one.Value));
            Wire = new Dictionary<string, object>
            {
                { "status", (int)response.StatusCode },
                { "headers", headers },
                { "text", Encoding.UTF8.GetString(bytes) },
            };
            return response;
        }
    }
}
