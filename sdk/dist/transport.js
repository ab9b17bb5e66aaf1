import { errorOf } from './errors.js';
const firstWaitMs = 100;
/** What may pass when it is sent again, and changed nothing yet for sure. */
const harmless = new Set(['rate_limited', 'overloaded', 'unavailable', 'request_in_progress']);
/** Sends requests, and sends again what may be. */
export class Transport {
    #settings;
    #base;
    constructor(settings) {
        if (!settings.url || !settings.key)
            throw new TypeError('url and key are needed');
        this.#settings = settings;
        this.#base = settings.url.replace(/\/+$/, '');
    }
    async send(call) {
        return (await this.answer(call)).value;
    }
    async answer(call) {
        const { retries = 5 } = this.#settings;
        for (let attempt = 0;; attempt++) {
            const outcome = await this.#attempt(call);
            if ('value' in outcome)
                return outcome;
            const { error, retryAfterMs } = outcome;
            if (attempt >= retries || !mayRepeat(call, error))
                throw error;
            await this.#wait(attempt, retryAfterMs, call.signal);
        }
    }
    async #attempt(call) {
        const { timeoutMs = 10_000, fetch: send = globalThis.fetch } = this.#settings;
        const late = AbortSignal.timeout(timeoutMs);
        const signal = call.signal ? AbortSignal.any([late, call.signal]) : late;
        try {
            const response = await send(this.#urlOf(call), { ...this.#requestOf(call), signal });
            const text = await response.text();
            if (response.ok)
                return { value: JSON.parse(text), headers: response.headers };
            return {
                error: errorOf(problemOf(response.status, text)),
                retryAfterMs: retryAfterOf(response.headers),
            };
        }
        catch (cause) {
            call.signal?.throwIfAborted();
            const detail = late.aborted ? `No answer within ${timeoutMs} ms.` : 'The server could not be reached.';
            return { error: errorOf({ status: 0, code: 'no_answer', detail }, cause), retryAfterMs: 0 };
        }
    }
    #urlOf({ path, query = {} }) {
        const given = Object.entries(query).filter(([, value]) => value !== undefined);
        const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
        return `${this.#base}${path}${text ? `?${text}` : ''}`;
    }
    #requestOf({ method, body, headers, idempotencyKey }) {
        return {
            method,
            headers: {
                authorization: `Bearer ${this.#settings.key}`,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
                ...headers,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        };
    }
    /** Longer each time, by chance, so that many clients do not come back at once; as long as it is told. */
    async #wait(attempt, retryAfterMs, signal) {
        const { longestWaitMs = 20_000 } = this.#settings;
        const spread = firstWaitMs * 2 ** attempt * (0.5 + Math.random());
        const ms = Math.min(Math.max(spread, retryAfterMs), longestWaitMs);
        await new Promise((resolve, reject) => {
            const timer = setTimeout(resolve, ms);
            signal?.addEventListener('abort', () => {
                clearTimeout(timer);
                reject(signal.reason);
            });
        });
    }
}
/** What certainly changed nothing may be sent again; what may have, only under its key. */
function mayRepeat(call, { status, code }) {
    if (harmless.has(code))
        return true;
    if (status !== 0 && status !== 408 && status < 500)
        return false;
    return call.method === 'GET' || call.repeatable === true || call.idempotencyKey !== undefined;
}
/** A proxy between may answer something else than a problem. */
function problemOf(status, text) {
    try {
        const problem = JSON.parse(text);
        if (typeof problem.code === 'string')
            return { ...problem, status };
    }
    catch {
        // Told below.
    }
    return { status, code: `http_${status}`, detail: `The answer was ${status}, without a word why.` };
}
function retryAfterOf(headers) {
    const seconds = Number(headers.get('retry-after') ?? 0);
    return Number.isFinite(seconds) ? seconds * 1000 : 0;
}
