export type Settings = {
    /** Where the server is: `https://points.example.com`. */
    readonly url: string;
    /** A realm's key, or an operator's token. */
    readonly key: string;
    /** How often a request is sent again that had no answer or may pass later; 5 when left out. */
    readonly retries?: number;
    /** How long one attempt may take, in milliseconds; 10,000 when left out. */
    readonly timeoutMs?: number;
    /** The longest wait between two attempts, in milliseconds; 20,000 when left out. */
    readonly longestWaitMs?: number;
    /** Instead of the runtime's own. */
    readonly fetch?: typeof fetch;
};
export type Call = {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    /** A change: sent with a key that stays the same over all attempts. */
    readonly idempotencyKey?: string;
    /** Whether sending it twice is the same as once. */
    readonly repeatable?: boolean;
    readonly signal?: AbortSignal;
};
export type Answer<T> = {
    readonly value: T;
    readonly headers: Headers;
};
/** Sends requests, and sends again what may be. */
export declare class Transport {
    #private;
    constructor(settings: Settings);
    send<T>(call: Call): Promise<T>;
    answer<T>(call: Call): Promise<Answer<T>>;
}
