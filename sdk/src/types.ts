// Made by gen.ts from the server's openapi.json. Do not edit.

/** What each route under /api/v4/realms/{realmID} takes and answers. */
export interface RealmOperations {
  /** Read a member. */
  'GET /members/{memberID}': {
    readonly query: {
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Balances as they were then. */
      readonly at?: string
    }
    readonly body: undefined
    readonly answer: {
      /** A member id; always a string. */
      readonly id: string
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly realmId: string
      readonly username: string | null
      readonly displayName: string | null
      /** By kind of points, the default first; 0 where there is none. */
      readonly balances: Readonly<Record<string, number>>
      readonly tokenBalance: number
      /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
      readonly held: Readonly<Record<string, number>>
      readonly joinedAt: string | null
      readonly updatedAt: string | null
      /** Nothing of it can be spent. */
      readonly frozen: boolean
      /** It is on no leaderboard. */
      readonly hidden: boolean
      /** The moment, where one was asked for. */
      readonly at?: string
    }
  }
  /** Create or change a member. */
  'PUT /members/{memberID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
      readonly username?: string | null
      /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
      readonly displayName?: string | null
      /** A JSON object, at most 2 KiB as JSON. Null clears it. */
      readonly metadata?: object | null
      /** Text of at most 2000 characters, none of them NUL: what managers should know. Null clears it. */
      readonly note?: string | null
      /** True or false: whether nothing of it can be spent, from the next change on. */
      readonly frozen?: boolean
      /** True or false: whether it is on no leaderboard. */
      readonly hidden?: boolean
    }
    readonly answer: {
      /** A member id; always a string. */
      readonly id: string
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly realmId: string
      readonly username: string | null
      readonly displayName: string | null
      /** By kind of points, the default first; 0 where there is none. */
      readonly balances: Readonly<Record<string, number>>
      readonly tokenBalance: number
      /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
      readonly held: Readonly<Record<string, number>>
      readonly joinedAt: string | null
      readonly updatedAt: string | null
      /** Nothing of it can be spent. */
      readonly frozen: boolean
      /** It is on no leaderboard. */
      readonly hidden: boolean
      readonly metadata: object | null
      readonly note: string | null
    }
  }
  /** Remove a member. */
  'DELETE /members/{memberID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Read a member’s web3 data. */
  'GET /web3/members/{memberID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A member id; always a string. */
      readonly id: string
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly realmId: string
      readonly wallets: readonly ({
        /** EVM addresses in EIP-55 form, others as they are. */
        readonly address: string
        /** A CAIP-2 namespace or id. */
        readonly chain: string
        /** Linked by the member’s own signature. */
        readonly verified: boolean
        readonly verifiedAt: string | null
        readonly linkedAt: string
      })[]
      /** Of each collection of the realm, as it was last read: no chain is waited for. */
      readonly holdings: readonly ({
        /** A collection: up to 40 small letters, digits and -. */
        readonly collection: string
        readonly name: string
        /** A CAIP-2 id. */
        readonly chain: string
        /** native, erc20, erc721 or erc1155. */
        readonly standard: string
        readonly address: string | null
        readonly tokenId: string | null
        readonly block: string | null
        readonly blockHash: string | null
        readonly seenAt: string | null
        /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
        readonly stale: boolean
        /** In the token’s smallest unit. */
        readonly amount: string
        /** Of the wallets that are proved. */
        readonly provedAmount: string
        /** An amount is null for a wallet that was linked after the chain was read. */
        readonly wallets: readonly ({
          readonly address: string
          readonly verified: boolean
          readonly amount: string | null
        })[]
      })[]
    }
  }
  /** Check whether wallets belong to members. */
  'GET /members/includes': {
    readonly query: {
      /** Wallets, parted by commas; may repeat. Instead of a body. */
      readonly wallets?: string
    }
    readonly body: undefined
    readonly answer: {
      /** Every wallet belongs to a member. */
      readonly includes: boolean
      /** In the order sent, duplicates kept. */
      readonly wallets: readonly ({
        /** As sent. */
        readonly wallet: string
        readonly included: boolean
        readonly memberId: string | null
      })[]
    }
  }
  /** Check whether wallets belong to members. */
  'POST /members/includes': {
    readonly query: {
      /** Wallets, parted by commas; may repeat. Instead of a body. */
      readonly wallets?: string
    }
    readonly body: {
      /** A list of 1 to 1000 wallets, each a string of 1 to 128 characters. */
      readonly wallets: readonly (string)[]
    }
    readonly answer: {
      /** Every wallet belongs to a member. */
      readonly includes: boolean
      /** In the order sent, duplicates kept. */
      readonly wallets: readonly ({
        /** As sent. */
        readonly wallet: string
        readonly included: boolean
        readonly memberId: string | null
      })[]
    }
  }
  /** Add or subtract points. */
  'PATCH /members/{memberID}/tokenBalance': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
      readonly tokens: number
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      readonly newBalance: number
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Transfer points between members. */
  'PATCH /members/{memberID}/transfer': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** The member that receives the points, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly recipientId: number | string
      /** A whole number from 1 to 9007199254740991. */
      readonly tokens: number
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      readonly message: 'Ok'
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      readonly newBalance: number
      readonly recipientBalance: number
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Read the realm. */
  'GET /': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly logo: string | null
      readonly colours: Readonly<Record<string, string>> | null
      readonly timeZone: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard: boolean
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      readonly createdAt: string
    }
  }
  /** Change the realm’s settings. */
  'PATCH /': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers?: 'refuse' | 'create'
      /** An https URL of at most 500 characters; empty takes it away. Null clears it. */
      readonly logo?: string | null
      /** A JSON object of at most 20 names, a letter and up to 31 letters, digits, _ or -, each with a colour such as #1a2b3c; an empty one takes them away. Null clears it. */
      readonly colours?: object | null
      /** A name of the IANA time zone database, such as Europe/Berlin. */
      readonly timeZone?: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard?: boolean
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId?: string
    }
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly logo: string | null
      readonly colours: Readonly<Record<string, string>> | null
      readonly timeZone: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard: boolean
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      readonly createdAt: string
    }
  }
  /** List kinds of points. */
  'GET /points': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Add a kind of points. */
  'POST /points': {
    readonly query: object
    readonly body: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly id?: string
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** Text of at most 64 characters, none of them NUL: an emoji, or the name of one. Null clears it. */
      readonly emoji?: string | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may have at most. */
      readonly maxBalance?: number | 'none' | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what can be transferred at once. */
      readonly maxPerTransfer?: number | 'none' | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may transfer from midnight to midnight in the realm’s time zone. */
      readonly maxPerDay?: number | 'none' | null
      /** True or false: whether members can transfer it to each other. */
      readonly transferable?: boolean
    }
    readonly answer: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly emoji: string | null
      /** What a request means that names no kind of points. */
      readonly default: boolean
      /** Nobody is shown it or can change it; what there is of it stays. */
      readonly archived: boolean
      readonly transferable: boolean
      readonly maxBalance: number | null
      readonly maxPerTransfer: number | null
      readonly maxPerDay: number | null
    }
  }
  /** Read a kind of points. */
  'GET /points/{realmPointId}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly emoji: string | null
      /** What a request means that names no kind of points. */
      readonly default: boolean
      /** Nobody is shown it or can change it; what there is of it stays. */
      readonly archived: boolean
      readonly transferable: boolean
      readonly maxBalance: number | null
      readonly maxPerTransfer: number | null
      readonly maxPerDay: number | null
    }
  }
  /** Change, archive or take back a kind of points. */
  'PATCH /points/{realmPointId}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** Text of at most 64 characters, none of them NUL: an emoji, or the name of one. Null clears it. */
      readonly emoji?: string | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may have at most. */
      readonly maxBalance?: number | 'none' | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what can be transferred at once. */
      readonly maxPerTransfer?: number | 'none' | null
      /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may transfer from midnight to midnight in the realm’s time zone. */
      readonly maxPerDay?: number | 'none' | null
      /** True or false: whether members can transfer it to each other. */
      readonly transferable?: boolean
      /** True to archive it, false to take it back. */
      readonly archived?: boolean
      /** True, to make it the realm’s default. */
      readonly default?: true
    }
    readonly answer: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly emoji: string | null
      /** What a request means that names no kind of points. */
      readonly default: boolean
      /** Nobody is shown it or can change it; what there is of it stays. */
      readonly archived: boolean
      readonly transferable: boolean
      readonly maxBalance: number | null
      readonly maxPerTransfer: number | null
      readonly maxPerDay: number | null
    }
  }
  /** List and find members. */
  'GET /members': {
    readonly query: {
      /** Text of at most 100 characters, none of them NUL: how a username or a displayName begins, in any case. */
      readonly search?: string
      /** A member id: a whole number from 1 to 9223372036854775807, in decimal digits. */
      readonly id?: string
      /** A wallet address. */
      readonly wallet?: string
      /** A collection and an amount, as founders:1: who holds at least that in proved wallets. */
      readonly holding?: string
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A member id; always a string. */
        readonly id: string
        /** A realm id: 1 to 64 letters, digits, _ or -. */
        readonly realmId: string
        readonly username: string | null
        readonly displayName: string | null
        /** By kind of points, the default first; 0 where there is none. */
        readonly balances: Readonly<Record<string, number>>
        readonly tokenBalance: number
        /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
        readonly held: Readonly<Record<string, number>>
        readonly joinedAt: string | null
        readonly updatedAt: string | null
        /** Nothing of it can be spent. */
        readonly frozen: boolean
        /** It is on no leaderboard. */
        readonly hidden: boolean
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
      readonly at?: {
        /** A collection: up to 40 small letters, digits and -. */
        readonly id: string
        readonly name: string
        /** A CAIP-2 id. */
        readonly chain: string
        /** native, erc20, erc721 or erc1155. */
        readonly standard: string
        readonly address: string | null
        readonly tokenId: string | null
        readonly block: string | null
        readonly blockHash: string | null
        readonly seenAt: string | null
        /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
        readonly stale: boolean
      }
    }
  }
  /** Make or change many members. */
  'POST /members': {
    readonly query: object
    readonly body: {
      /** A list of 1 to 1000 members, each with an id. */
      readonly members: readonly ({
        /** A member, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly id: number | string
        /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
        readonly username?: string | null
        /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
        readonly displayName?: string | null
        /** A JSON object, at most 2 KiB as JSON. Null clears it. */
        readonly metadata?: object | null
        /** Text of at most 2000 characters, none of them NUL: what managers should know. Null clears it. */
        readonly note?: string | null
        /** True or false: whether nothing of it can be spent, from the next change on. */
        readonly frozen?: boolean
        /** True or false: whether it is on no leaderboard. */
        readonly hidden?: boolean
      })[]
    }
    readonly answer: {
      readonly created: number
      readonly updated: number
    }
  }
  /** Read a member with its note and metadata. */
  'GET /members/{memberID}/profile': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A member id; always a string. */
      readonly id: string
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly realmId: string
      readonly username: string | null
      readonly displayName: string | null
      /** By kind of points, the default first; 0 where there is none. */
      readonly balances: Readonly<Record<string, number>>
      readonly tokenBalance: number
      /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
      readonly held: Readonly<Record<string, number>>
      readonly joinedAt: string | null
      readonly updatedAt: string | null
      /** Nothing of it can be spent. */
      readonly frozen: boolean
      /** It is on no leaderboard. */
      readonly hidden: boolean
      readonly metadata: object | null
      readonly note: string | null
    }
  }
  /** Erase a member. */
  'POST /members/{memberID}/erasure': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly erased: true
      readonly details: number
    }
  }
  /** Link a wallet, with its owner’s proof or without. */
  'POST /members/{memberID}/wallets': {
    readonly query: object
    readonly body: {
      /** A wallet address. */
      readonly address: string
      /** A CAIP-2 namespace or id. */
      readonly chain?: string
      /** The text of a challenge, as it was handed out, at most 2000 characters. */
      readonly message?: string
      /** What the wallet answered, at most 16384 characters: 0x and hex digits for EVM (ERC-191, ERC-1271, ERC-6492), base58 or base64 for Solana. */
      readonly signature?: string
    }
    readonly answer: {
      /** EVM addresses in EIP-55 form, others as they are. */
      readonly address: string
      /** A CAIP-2 namespace or id. */
      readonly chain: string
      /** Linked by the member’s own signature. */
      readonly verified: boolean
      readonly verifiedAt: string | null
      readonly linkedAt: string
    }
  }
  /** A member’s wallets, and who linked and unlinked what when. */
  'GET /members/{memberID}/wallets': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** EVM addresses in EIP-55 form, others as they are. */
        readonly address: string
        /** A CAIP-2 namespace or id. */
        readonly chain: string
        /** Linked by the member’s own signature. */
        readonly verified: boolean
        readonly verifiedAt: string | null
        readonly linkedAt: string
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
      /** The last hundred, the newest first. */
      readonly acts: readonly ({
        readonly at: string
        /** `taken`: another member has proved that it is theirs. */
        readonly act: 'linked' | 'proved' | 'taken' | 'unlinked'
        readonly address: string
        readonly chain: string
        /** The operator, a key, or the member. */
        readonly by: string
      })[]
    }
  }
  /** Read one of a member’s wallets. */
  'GET /members/{memberID}/wallets/{address}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** EVM addresses in EIP-55 form, others as they are. */
      readonly address: string
      /** A CAIP-2 namespace or id. */
      readonly chain: string
      /** Linked by the member’s own signature. */
      readonly verified: boolean
      readonly verifiedAt: string | null
      readonly linkedAt: string
    }
  }
  /** Unlink a wallet. */
  'DELETE /members/{memberID}/wallets/{address}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Ask for a text that a wallet’s owner signs. */
  'POST /members/{memberID}/wallets/challenges': {
    readonly query: object
    readonly body: {
      /** A wallet address. */
      readonly address: string
      /** A CAIP-2 namespace or id. */
      readonly chain?: string
    }
    readonly answer: {
      readonly address: string
      /** A CAIP-2 id. */
      readonly chain: string
      /** What the wallet’s owner signs, to the byte. */
      readonly message: string
      readonly expiresAt: string
    }
  }
  /** Make a link to a page where the member signs. */
  'POST /members/{memberID}/wallets/links': {
    readonly query: object
    readonly body: {
      /** Where the page leads when it is done: https://… */
      readonly returnUrl?: string
    }
    readonly answer: {
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly url: string | null
      readonly expiresAt: string
    }
  }
  /** Read a member’s history. */
  'GET /members/{memberID}/history': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Entries from then on. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Entries before it. */
      readonly to?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z. The same as `to`. */
      readonly until?: string
      /** `in` for what raised the balance, `out` for what lowered it; all when left out. */
      readonly direction?: 'in' | 'out'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
        /** What kind of change it is. */
        readonly kind: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
        /** When, to the microsecond. */
        readonly at: string
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        /** What it did to what the member can spend; 0 for a capture, which spends held points. */
        readonly tokens: number
        readonly newBalance: number | null
        /** What it did to what is held of the member. */
        readonly heldTokens: number
        readonly held: number | null
        readonly counterpartyId: string | null
        readonly reason: string | null
        readonly reference: string | null
        readonly metadata: object | null
        readonly actorId: string | null
        readonly keyId: string | null
        readonly keyName: string | null
        readonly person: {
          readonly id: string
          readonly name: string | null
        } | null
        readonly reverses: string | null
        readonly reversedBy: string | null
        readonly holdId: string | null
        readonly batchId: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read an entry. */
  'GET /entries/{transactionID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** What kind of change it is. */
      readonly kind: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
      /** When, to the microsecond. */
      readonly at: string
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      readonly tokens: number
      readonly fromId: string | null
      readonly fromBalance: number | null
      readonly toId: string | null
      readonly toBalance: number | null
      readonly reason: string | null
      readonly reference: string | null
      readonly metadata: object | null
      readonly actorId: string | null
      readonly keyId: string | null
      readonly keyName: string | null
      readonly person: {
        readonly id: string
        readonly name: string | null
      } | null
      readonly reverses: string | null
      readonly reversedBy: string | null
      readonly holdId: string | null
      readonly batchId: string | null
      /** As docs/journal.md says, 64 hex digits. */
      readonly hash: string
    }
  }
  /** Read the realm’s journal. */
  'GET /journal': {
    readonly query: {
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Entries from then on, where `cursor` does not mean later ones. */
      readonly from?: string
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The last seq that you have: entries after it. A whole number from 0 to 9223372036854775807; 0 when left out. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** Its number in the realm’s journal. */
        readonly seq: string
        /** When, in microseconds since 1970. */
        readonly atUs: string
        readonly kind: number
        /** What kind of change it is. */
        readonly kindName: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
        /** The key that made it; 0 for the operator. */
        readonly keyId: string
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        /** An account’s number: 0 for the realm, below zero for what is held of a member. */
        readonly from: number
        /** An account’s number: 0 for the realm, below zero for what is held of a member. */
        readonly to: number
        readonly amount: number
        readonly fromBalance: number | null
        readonly toBalance: number | null
        readonly request: string | null
        readonly fingerprint: string | null
        readonly detailsHash: string | null
        readonly link: string | null
        readonly encoding: number
        /** 64 hex digits. */
        readonly hash: string
        readonly fromId: string | null
        readonly toId: string | null
        readonly details: {
          /** In hex. */
          readonly salt: string
          /** A JSON object as text, as `detailsHash` covers it. */
          readonly text: string
        } | null
        /** What was said of the whole batch, a JSON object as text, where the member of its first entry was erased. Otherwise it is the `details` of that entry, which `link` names. */
        readonly batchDetails?: string
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
      readonly head: {
        /** 0 before the first entry. */
        readonly seq: string
        /** 64 hex digits. */
        readonly hash: string
      }
      /** 64 hex digits. */
      readonly origin: string
    }
  }
  /** Add or subtract points of many members, all or none. */
  'PATCH /members/tokenBalance': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 500 characters, none of them NUL: the same as `reason`, as the old service called it. */
      readonly description?: string
      /** A list of 1 to 1000 entries, each with memberId and tokens. */
      readonly entries: readonly ({
        /** The member whose points change, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly memberId: number | string
        /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
        readonly tokens: number
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId?: string
        /** Text of at most 500 characters, none of them NUL: why, in words; instead of `description` for this one. */
        readonly reason?: string
      })[]
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      readonly message: 'Ok'
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** In the order of the entries. */
      readonly balances: readonly ({
        /** A member id; always a string. */
        readonly memberId: string
        readonly newBalance: number
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
      })[]
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Award points to all who hold enough of a collection. */
  'POST /web3/awards': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A collection: up to 40 small letters, digits and -. */
      readonly collection: string
      /** How much of it, in its smallest unit, in decimal digits. */
      readonly atLeast: string
      /** A whole number from 1 to 9007199254740991. */
      readonly tokens: number
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** The block that a dry run was told at; only a dry run may leave out both. */
      readonly block?: string
      /** Its hash, besides or instead: a chain may replace a block by another of the same number. */
      readonly blockHash?: string
      /** The `next` of the call before. */
      readonly after?: string
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      readonly message: 'Ok'
      /** How many members. */
      readonly awarded: number
      readonly transactionId: string | null
      readonly next: string | null
      readonly at?: {
        /** A collection: up to 40 small letters, digits and -. */
        readonly id: string
        readonly name: string
        /** A CAIP-2 id. */
        readonly chain: string
        /** native, erc20, erc721 or erc1155. */
        readonly standard: string
        readonly address: string | null
        readonly tokenId: string | null
        readonly block: string | null
        readonly blockHash: string | null
        readonly seenAt: string | null
        /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
        readonly stale: boolean
      }
      /** Of a dry run: whom it would be. */
      readonly memberIds?: readonly (string)[]
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Many changes and transfers. */
  'POST /changes': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A list of 1 to 1000 changes, each with memberId and tokens. */
      readonly changes: readonly ({
        /** The member whose points change, or who gives, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly memberId: number | string
        /** With it the change is a transfer: who receives, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly recipientId?: number | string
        /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
        readonly tokens: number
        /** 1 to 255 visible ASCII characters. */
        readonly idempotencyKey?: string
        /** As the header `If-Match`: the `ETag` of the member, or `*`. */
        readonly ifMatch?: string
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId?: string
        /** Text of at most 500 characters, none of them NUL: why, in words. */
        readonly reason?: string
        /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
        readonly reference?: string
        /** A JSON object, at most 2 KiB as JSON. */
        readonly metadata?: object
        /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly actorId?: number | string
      })[]
      /** True: all of them or none. False when left out: each by itself. */
      readonly atomic?: boolean
    }
    readonly answer: {
      /** In the order of the changes. */
      readonly data: readonly ({
        /** As the change would be answered alone. */
        readonly status: number
        /** Whether it was done before, under its Idempotency-Key. */
        readonly replayed?: boolean
        /** The entry's number in the realm's journal. */
        readonly transactionId?: string
        readonly newBalance?: number
        readonly recipientBalance?: number
        /** Of a change that was refused: the problem, as it would be answered alone. */
        readonly error?: {
          readonly code: string
          readonly detail: string
          readonly status: number
        }
      })[]
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Undo an entry. */
  'POST /entries/{transactionID}/reverse': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** The entry's number in the realm's journal. */
      readonly reverses: string
      readonly tokens: number
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      readonly balances: readonly ({
        /** A member id; always a string. */
        readonly memberId: string
        readonly newBalance: number
      })[]
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Undo many entries. */
  'POST /reversals': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A JSON object with at least one of reference, actorId, keyId, from and to. */
      readonly filter: {
        /** Text of at most 255 characters, none of them NUL: the reference of the entries. */
        readonly reference?: string
        /** The member who caused them, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly actorId?: number | string
        /** The id of the key that made them. */
        readonly keyId?: string
        /** A time with its zone, such as 2030-01-31T12:00:00Z. */
        readonly from?: string
        /** A time with its zone, such as 2030-01-31T12:00:00Z. */
        readonly to?: string
        /** A time with its zone, such as 2030-01-31T12:00:00Z. */
        readonly until?: string
      }
      /** A transaction id: the number of an entry in the realm’s journal. */
      readonly before?: string
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      readonly matched: number
      /** Each entry, the one that undoes it, and how many points went back. */
      readonly reversed: readonly ({
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
        /** The entry's number in the realm's journal. */
        readonly reversal: string
        readonly tokens: number
      })[]
      /** Entries that had been undone before. */
      readonly already: number
      readonly refused: readonly ({
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
        readonly code: string
        readonly detail: string
      })[]
      readonly next: string | null
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Hold points. */
  'POST /members/{memberID}/holds': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A whole number from 1 to 9007199254740991. */
      readonly tokens: number
      /** Seconds, from 1 to 2678400; 900 when left out. */
      readonly expiresIn?: number
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly holdId: string
      readonly memberId: string | null
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      readonly tokens: number
      readonly expiresAt: string
      /** Whether the points are still held, or how the hold ended. */
      readonly status: 'open' | 'captured' | 'released' | 'expired'
      readonly endedBy: string | null
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      readonly newBalance: number
      readonly held: number
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** List a member’s open holds. */
  'GET /members/{memberID}/holds': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** The entry's number in the realm's journal. */
        readonly holdId: string
        readonly memberId: string | null
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        readonly tokens: number
        readonly expiresAt: string
        /** Whether the points are still held, or how the hold ended. */
        readonly status: 'open' | 'captured' | 'released' | 'expired'
        readonly endedBy: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Spend what is held. */
  'POST /holds/{holdID}/capture': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A whole number from 1 to 9007199254740991. */
      readonly tokens?: number
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** The entry's number in the realm's journal. */
      readonly holdId: string
      readonly status: 'captured'
      readonly captured: number
      readonly released: number
      readonly newBalance: number
      readonly held: number
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Release what is held. */
  'POST /holds/{holdID}/release': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly reason?: string
      /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
      readonly reference?: string
      /** A JSON object, at most 2 KiB as JSON. */
      readonly metadata?: object
      /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
      readonly actorId?: number | string
    }
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      /** The entry's number in the realm's journal. */
      readonly holdId: string
      readonly status: 'released'
      readonly released: number
      readonly newBalance: number
      readonly held: number
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** Read a hold. */
  'GET /holds/{holdID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** The entry's number in the realm's journal. */
      readonly holdId: string
      readonly memberId: string | null
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      readonly tokens: number
      readonly expiresAt: string
      /** Whether the points are still held, or how the hold ended. */
      readonly status: 'open' | 'captured' | 'released' | 'expired'
      readonly endedBy: string | null
    }
  }
  /** List the open holds of a realm. */
  'GET /holds': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** The entry's number in the realm's journal. */
        readonly holdId: string
        readonly memberId: string | null
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        readonly tokens: number
        readonly expiresAt: string
        /** Whether the points are still held, or how the hold ended. */
        readonly status: 'open' | 'captured' | 'released' | 'expired'
        readonly endedBy: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a leaderboard. */
  'GET /leaderboard': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
      readonly period?: 'all' | 'week' | 'month' | 'range'
      /** The first day of a range: YYYY-MM-DD. */
      readonly from?: string
      /** The last day of a range: YYYY-MM-DD. */
      readonly to?: string
      /** Member ids parted by commas, at most 100: left out, and not counted in ranks. */
      readonly exclude?: string
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A member id; always a string. */
        readonly id: string
        readonly username: string | null
        readonly displayName: string | null
        readonly rank: number | null
        readonly balance: number
        /** What ranks: the score. */
        readonly tokens: number
        readonly updatedAt: string | null
        /** The same as `updatedAt`, for clients of the old service. */
        readonly last_updated: string | null
        readonly wallet?: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
      /** `seq` of the first page. */
      readonly firstSeq: string
      /** The same as `data`, for clients of the old service. */
      readonly members: readonly ({
        /** A member id; always a string. */
        readonly id: string
        readonly username: string | null
        readonly displayName: string | null
        readonly rank: number | null
        readonly balance: number
        /** What ranks: the score. */
        readonly tokens: number
        readonly updatedAt: string | null
        /** The same as `updatedAt`, for clients of the old service. */
        readonly last_updated: string | null
        readonly wallet?: string | null
      })[]
      readonly next: string | null
      /** How many members are ranked. */
      readonly total: number
      /** The entry that it is true at. */
      readonly seq: string
      readonly period: {
        /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
        readonly name: 'all' | 'week' | 'month' | 'range'
        readonly from: string | null
        readonly to: string | null
      }
    }
  }
  /** Read a member’s rank. */
  'GET /leaderboard/{memberID}': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
      readonly period?: 'all' | 'week' | 'month' | 'range'
      /** The first day of a range: YYYY-MM-DD. */
      readonly from?: string
      /** The last day of a range: YYYY-MM-DD. */
      readonly to?: string
      /** Member ids parted by commas, at most 100: left out, and not counted in ranks. */
      readonly exclude?: string
      /** How many to list above, and below: 0 to 50, 0 when absent. */
      readonly neighbours?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly member: {
        /** A member id; always a string. */
        readonly id: string
        readonly username: string | null
        readonly displayName: string | null
        readonly rank: number | null
        readonly balance: number
        /** What ranks: the score. */
        readonly tokens: number
        readonly updatedAt: string | null
        /** The same as `updatedAt`, for clients of the old service. */
        readonly last_updated: string | null
        readonly wallet?: string | null
      }
      /** The best first. */
      readonly above: readonly ({
        /** A member id; always a string. */
        readonly id: string
        readonly username: string | null
        readonly displayName: string | null
        readonly rank: number | null
        readonly balance: number
        /** What ranks: the score. */
        readonly tokens: number
        readonly updatedAt: string | null
        /** The same as `updatedAt`, for clients of the old service. */
        readonly last_updated: string | null
        readonly wallet?: string | null
      })[]
      readonly below: readonly ({
        /** A member id; always a string. */
        readonly id: string
        readonly username: string | null
        readonly displayName: string | null
        readonly rank: number | null
        readonly balance: number
        /** What ranks: the score. */
        readonly tokens: number
        readonly updatedAt: string | null
        /** The same as `updatedAt`, for clients of the old service. */
        readonly last_updated: string | null
        readonly wallet?: string | null
      })[]
      /** How many members are ranked. */
      readonly total: number
      /** The entry that it is true at. */
      readonly seq: string
      readonly period: {
        /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
        readonly name: 'all' | 'week' | 'month' | 'range'
        readonly from: string | null
        readonly to: string | null
      }
    }
  }
  /** The realm at a glance. */
  'GET /statistics': {
    readonly query: {
      /** How many days: 1 to 366, 30 when absent. */
      readonly days?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly seq: string
      readonly timeZone: string
      readonly members: number
      /** Members active today, in the last 7 days, in the last 30. */
      readonly active: {
        readonly today: number
        readonly week: number
        readonly month: number
      }
      readonly supply: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        /** Points, in decimal digits. */
        readonly issued: string
        /** Points, in decimal digits. */
        readonly spent: string
        /** Points, in decimal digits. */
        readonly held: string
        /** Points, in decimal digits. */
        readonly claimed: string
        /** Points, in decimal digits. */
        readonly circulation: string
      })[]
      readonly days: readonly ({
        readonly day: string
        readonly active: number
        readonly entries: readonly ({
          /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
          readonly realmPointId: string
          readonly kind: string
          readonly entries: number
          /** Points, in decimal digits. */
          readonly amount: string
        })[]
        /** What the day changed: what was issued, spent and claimed, and by how much what is held grew. */
        readonly supply: readonly ({
          /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
          readonly realmPointId: string
          /** Points, in decimal digits. */
          readonly issued: string
          /** Points, in decimal digits. */
          readonly spent: string
          /** Points, in decimal digits. */
          readonly held: string
          /** Points, in decimal digits. */
          readonly claimed: string
        })[]
      })[]
    }
  }
  /** The collections that a realm cares about. */
  'GET /web3/collections': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A collection: up to 40 small letters, digits and -. */
        readonly id: string
        readonly name: string
        /** A CAIP-2 id. */
        readonly chain: string
        /** native, erc20, erc721 or erc1155. */
        readonly standard: string
        readonly address: string | null
        readonly tokenId: string | null
        readonly block: string | null
        readonly blockHash: string | null
        readonly seenAt: string | null
        /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
        readonly stale: boolean
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a collection. */
  'GET /web3/collections/{collectionID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A collection: up to 40 small letters, digits and -. */
      readonly id: string
      readonly name: string
      /** A CAIP-2 id. */
      readonly chain: string
      /** native, erc20, erc721 or erc1155. */
      readonly standard: string
      readonly address: string | null
      readonly tokenId: string | null
      readonly block: string | null
      readonly blockHash: string | null
      readonly seenAt: string | null
      /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
      readonly stale: boolean
    }
  }
  /** Create a collection, or rename it. */
  'PUT /web3/collections/{collectionID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A chain that the operator allows, as eip155:1. */
      readonly chain?: string
      /** native, the chain’s own coin, or erc20, erc721, erc1155. */
      readonly standard?: 'native' | 'erc20' | 'erc721' | 'erc1155'
      /** The contract’s address. Null clears it. */
      readonly address?: string | null
      /** For erc1155, in decimal digits. Null clears it. */
      readonly tokenId?: string | null
    }
    readonly answer: {
      /** A collection: up to 40 small letters, digits and -. */
      readonly id: string
      readonly name: string
      /** A CAIP-2 id. */
      readonly chain: string
      /** native, erc20, erc721 or erc1155. */
      readonly standard: string
      readonly address: string | null
      readonly tokenId: string | null
      readonly block: string | null
      readonly blockHash: string | null
      readonly seenAt: string | null
      /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
      readonly stale: boolean
    }
  }
  /** Remove a collection, and what was read of it. */
  'DELETE /web3/collections/{collectionID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Take a snapshot. */
  'POST /snapshots': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A snapshot: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
      readonly chain: string
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** true or false; false when left out. */
      readonly claimable?: boolean
      /** A transaction id: the number of an entry in the realm’s journal. */
      readonly seq?: string
    }
    readonly answer: {
      /** A snapshot: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
      readonly chain: string
      readonly claimable: boolean
      /** The entry that it is of; of a claimable one the last of its own. */
      readonly seq: string
      /** The hash of that entry. */
      readonly hash: string
      readonly firstSeq: string | null
      readonly takenAt: string
      readonly root: string | null
      /** Members in the tree. */
      readonly members: number
      /** Points, in decimal digits. */
      readonly tokens: string
      /** Members with points who are not in the tree, and keep them. */
      readonly apart: {
        readonly withoutWallet: {
          readonly members: number
          /** Points, in decimal digits. */
          readonly tokens: string
        }
        readonly frozen: {
          readonly members: number
          /** Points, in decimal digits. */
          readonly tokens: string
        }
      }
      /** Of a dry run, whose answer has no `transactionId`. */
      readonly dryRun?: true
    }
  }
  /** List snapshots. */
  'GET /snapshots': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A snapshot: 1 to 64 letters, digits, _ or -. */
        readonly id: string
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
        readonly chain: string
        readonly claimable: boolean
        /** The entry that it is of; of a claimable one the last of its own. */
        readonly seq: string
        /** The hash of that entry. */
        readonly hash: string
        readonly firstSeq: string | null
        readonly takenAt: string
        readonly root: string | null
        /** Members in the tree. */
        readonly members: number
        /** Points, in decimal digits. */
        readonly tokens: string
        /** Members with points who are not in the tree, and keep them. */
        readonly apart: {
          readonly withoutWallet: {
            readonly members: number
            /** Points, in decimal digits. */
            readonly tokens: string
          }
          readonly frozen: {
            readonly members: number
            /** Points, in decimal digits. */
            readonly tokens: string
          }
        }
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a snapshot. */
  'GET /snapshots/{snapshotID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A snapshot: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId: string
      /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
      readonly chain: string
      readonly claimable: boolean
      /** The entry that it is of; of a claimable one the last of its own. */
      readonly seq: string
      /** The hash of that entry. */
      readonly hash: string
      readonly firstSeq: string | null
      readonly takenAt: string
      readonly root: string | null
      /** Members in the tree. */
      readonly members: number
      /** Points, in decimal digits. */
      readonly tokens: string
      /** Members with points who are not in the tree, and keep them. */
      readonly apart: {
        readonly withoutWallet: {
          readonly members: number
          /** Points, in decimal digits. */
          readonly tokens: string
        }
        readonly frozen: {
          readonly members: number
          /** Points, in decimal digits. */
          readonly tokens: string
        }
      }
    }
  }
  /** Delete a snapshot. */
  'DELETE /snapshots/{snapshotID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** The whole tree of a snapshot. */
  'GET /snapshots/{snapshotID}/tree.json': {
    readonly query: object
    readonly body: undefined
    readonly answer: object
  }
  /** List the members of a snapshot. */
  'GET /snapshots/{snapshotID}/members': {
    readonly query: {
      /** `true`: only those who are not in the tree; `false`: only those who are. */
      readonly apart?: 'true' | 'false'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string | null
        readonly wallet: string | null
        /** Points, in decimal digits. */
        readonly amount: string
        readonly apart: 'no_wallet' | 'frozen' | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** A member’s own proof. */
  'GET /snapshots/{snapshotID}/members/{memberID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string | null
      readonly wallet: string | null
      /** Points, in decimal digits. */
      readonly amount: string
      readonly apart: 'no_wallet' | 'frozen' | null
      readonly root: string
      readonly proof: readonly (string)[] | null
    }
  }
  /** Issue a key. */
  'POST /keys': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A list of scopes: members:read, members:write, wallets:read, wallets:write, points:write, journal:read, realm:admin. */
      readonly scopes?: readonly ('members:read' | 'members:write' | 'wallets:read' | 'wallets:write' | 'points:write' | 'journal:read' | 'realm:admin')[]
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** Seconds from now, 1 to 316224000; instead of expiresAt. */
      readonly expiresIn?: number
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly key: string | null
    }
  }
  /** List a realm’s keys. */
  'GET /keys': {
    readonly query: {
      /** `live`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'live' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a key. */
  'GET /keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
  }
  /** Rename a key, set or clear its expiry. */
  'PATCH /keys/{keyID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Or null, or "never": it does not expire. */
      readonly expiresAt?: string | null
      /** Seconds from now, 1 to 316224000; instead of expiresAt. */
      readonly expiresIn?: number
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
  }
  /** Revoke a key. */
  'DELETE /keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Replace a key. */
  'POST /keys/{keyID}/rotate': {
    readonly query: object
    readonly body: {
      /** Whole seconds, 0 to 2592000; 86400 unless given. */
      readonly overlapSeconds?: number
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly key: string | null
      readonly replaced: {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      }
    }
  }
  /** List who looks after a realm. */
  'GET /people': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string | null
        readonly email: string | null
        readonly signsInBy: 'provider' | 'link'
        readonly addedAt: string
        readonly lastSeenAt: string | null
        readonly role: 'owner' | 'manager' | 'viewer'
        /** What the journal names this person by. */
        readonly keyId: string
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read one person who looks after a realm. */
  'GET /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string | null
      readonly email: string | null
      readonly signsInBy: 'provider' | 'link'
      readonly addedAt: string
      readonly lastSeenAt: string | null
      readonly role: 'owner' | 'manager' | 'viewer'
      /** What the journal names this person by. */
      readonly keyId: string
    }
  }
  /** Change a person’s role. */
  'PATCH /people/{personID}': {
    readonly query: object
    readonly body: {
      /** A role: owner, manager, viewer. */
      readonly role: 'owner' | 'manager' | 'viewer'
    }
    readonly answer: {
      readonly id: string
      readonly name: string | null
      readonly email: string | null
      readonly signsInBy: 'provider' | 'link'
      readonly addedAt: string
      readonly lastSeenAt: string | null
      readonly role: 'owner' | 'manager' | 'viewer'
      /** What the journal names this person by. */
      readonly keyId: string
      /** The keys that they issued here and that still work: revoke those that you don’t know. */
      readonly issuedKeys: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      })[]
    }
  }
  /** Take a person’s role away. */
  'DELETE /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** List the keys of people who may not issue keys any more. */
  'GET /keys/orphaned': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
        readonly issuer: {
          readonly id: string
          readonly name: string | null
          readonly role: 'owner' | 'manager' | 'viewer' | null
        }
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Make a link for a person to sign in again. */
  'POST /people/{personID}/link': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
      readonly link: string | null
      readonly expiresAt: string
    }
  }
  /** Invite somebody to look after a realm. */
  'POST /invitations': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: what they are called here. */
      readonly name: string
      /** An e-mail address. A person who signs in at the OpenID provider with it can accept without the link, if the provider vouches for the address. Until they accept, the realm learns nothing about them. */
      readonly email?: string
      /** A role: owner, manager, viewer. */
      readonly role: 'owner' | 'manager' | 'viewer'
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly email: string | null
      readonly createdAt: string
      readonly expiresAt: string
      readonly madeBy: string
      readonly role: 'owner' | 'manager' | 'viewer'
      /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
      readonly link: string | null
    }
  }
  /** List open invitations to a realm. */
  'GET /invitations': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly email: string | null
        readonly createdAt: string
        readonly expiresAt: string
        readonly madeBy: string
        readonly role: 'owner' | 'manager' | 'viewer'
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read an open invitation to a realm. */
  'GET /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly email: string | null
      readonly createdAt: string
      readonly expiresAt: string
      readonly madeBy: string
      readonly role: 'owner' | 'manager' | 'viewer'
    }
  }
  /** Take an invitation back. */
  'DELETE /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Read the realm’s audit log. */
  'GET /audit': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly person: {
          readonly id: string
          readonly name: string | null
        } | null
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Import members, wallets and opening balances. */
  'POST /import': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
      /** A name of the import, 1 to 100 characters: under one name a member is opened once. */
      readonly name?: string
      /** The line in the whole file that the first row of this piece is on. */
      readonly firstLine?: string
      /** `allow`: ids that look as if a spreadsheet had rounded them are right as they are. */
      readonly roundedIds?: 'allow' | 'refuse'
      /** For members who already have points, a hold or an opening balance: `add` adds to what they have, `refuse` refuses the piece and counts them. `refuse` when omitted. */
      readonly onTop?: 'add' | 'refuse'
    }
    readonly body: undefined
    readonly answer: {
      readonly dryRun: boolean
      readonly rows: number
      readonly members: {
        readonly created: number
        readonly updated: number
      }
      readonly wallets: {
        readonly linked: number
      }
      readonly openings: {
        readonly made: number
        readonly alreadyThere: number
        /** Of those made: how many came on top of points, a hold or an opening balance of the same point type that the member already had. */
        readonly onTop: number
      }
      /** The opening balances of all rows together, by kind of points, in decimal digits. */
      readonly totals: Readonly<Record<string, string>>
      /** With `dryRun`: what is wrong, at most 100. Without it, that is a 400. A piece is read no further once 1000 are found; the counts are of what was read. */
      readonly faults: readonly ({
        readonly line: number
        readonly detail: string
      })[]
    }
  }
  /** Export members as CSV. */
  'GET /export/members.csv': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Export balances as CSV. */
  'GET /export/balances.csv': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Export entries as CSV. */
  'GET /export/entries.csv': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Export the whole realm as NDJSON. */
  'GET /export/realm.ndjson': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
}

/** What each route under /operator/v1 takes and answers. */
export interface OperatorOperations {
  /** Make a realm. */
  'POST /realms': {
    readonly query: object
    readonly body: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id?: string
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers?: 'refuse' | 'create'
      /** A JSON object with id and name. */
      readonly point?: {
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id?: string
        /** Text of at most 100 characters, none of them NUL: a name. */
        readonly name?: string
      }
    }
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly logo: string | null
      readonly colours: Readonly<Record<string, string>> | null
      readonly timeZone: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard: boolean
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      readonly createdAt: string
    }
  }
  /** List realms. */
  'GET /realms': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        /** A realm id: 1 to 64 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly logo: string | null
        readonly colours: Readonly<Record<string, string>> | null
        readonly timeZone: string
        /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
        readonly publicBoard: boolean
        /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
        readonly unknownMembers: 'refuse' | 'create'
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly defaultPointId: string
        readonly points: readonly ({
          /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
          readonly id: string
          readonly name: string
          readonly emoji: string | null
          /** What a request means that names no kind of points. */
          readonly default: boolean
          /** Nobody is shown it or can change it; what there is of it stays. */
          readonly archived: boolean
          readonly transferable: boolean
          readonly maxBalance: number | null
          readonly maxPerTransfer: number | null
          readonly maxPerDay: number | null
        })[]
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
        readonly createdAt: string
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a realm. */
  'GET /realms/{realmID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly logo: string | null
      readonly colours: Readonly<Record<string, string>> | null
      readonly timeZone: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard: boolean
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      readonly createdAt: string
    }
  }
  /** Change a realm’s rate limit. */
  'PATCH /realms/{realmID}': {
    readonly query: object
    readonly body: {
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      readonly logo: string | null
      readonly colours: Readonly<Record<string, string>> | null
      readonly timeZone: string
      /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
      readonly publicBoard: boolean
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly ({
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly emoji: string | null
        /** What a request means that names no kind of points. */
        readonly default: boolean
        /** Nobody is shown it or can change it; what there is of it stays. */
        readonly archived: boolean
        readonly transferable: boolean
        readonly maxBalance: number | null
        readonly maxPerTransfer: number | null
        readonly maxPerDay: number | null
      })[]
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      readonly createdAt: string
    }
  }
  /** Issue a key. */
  'POST /realms/{realmID}/keys': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A list of scopes: members:read, members:write, wallets:read, wallets:write, points:write, journal:read, realm:admin. */
      readonly scopes?: readonly ('members:read' | 'members:write' | 'wallets:read' | 'wallets:write' | 'points:write' | 'journal:read' | 'realm:admin')[]
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** Seconds from now, 1 to 316224000; instead of expiresAt. */
      readonly expiresIn?: number
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly key: string | null
    }
  }
  /** List a realm’s keys. */
  'GET /realms/{realmID}/keys': {
    readonly query: {
      /** `live`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'live' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a key. */
  'GET /realms/{realmID}/keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
  }
  /** Rename a key, set or clear its expiry. */
  'PATCH /realms/{realmID}/keys/{keyID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Or null, or "never": it does not expire. */
      readonly expiresAt?: string | null
      /** Seconds from now, 1 to 316224000; instead of expiresAt. */
      readonly expiresIn?: number
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
    }
  }
  /** Revoke a key. */
  'DELETE /realms/{realmID}/keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Replace a key. */
  'POST /realms/{realmID}/keys/{keyID}/rotate': {
    readonly query: object
    readonly body: {
      /** Whole seconds, 0 to 2592000; 86400 unless given. */
      readonly overlapSeconds?: number
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      readonly scopes: readonly (string)[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit: 'default' | 'off' | {
        readonly rate: number
        readonly burst: number
      }
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly key: string | null
      readonly replaced: {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      }
    }
  }
  /** Issue an operator token. */
  'POST /tokens': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: whose it is. */
      readonly name: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** Seconds from now, 1 to 316224000; instead of expiresAt. */
      readonly expiresIn?: number
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
      /** It is in this answer and nowhere else. Null in a replay. */
      readonly token: string | null
    }
  }
  /** List operator tokens. */
  'GET /tokens': {
    readonly query: {
      /** `live`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'live' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read an operator token. */
  'GET /tokens/{tokenID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly prefix: string
      readonly lastFour: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly lastUsedAt: string | null
      readonly revokedAt: string | null
      readonly status: 'active' | 'expired' | 'revoked'
      readonly madeBy: string | null
    }
  }
  /** Revoke an operator token. */
  'DELETE /tokens/{tokenID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** List the operators who sign in. */
  'GET /people': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string | null
        readonly email: string | null
        readonly signsInBy: 'provider' | 'link'
        readonly addedAt: string
        readonly lastSeenAt: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read one person. */
  'GET /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string | null
      readonly email: string | null
      readonly signsInBy: 'provider' | 'link'
      readonly addedAt: string
      readonly lastSeenAt: string | null
    }
  }
  /** Forget a person. */
  'DELETE /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** List the keys and tokens that a person issued and that still work. */
  'GET /people/{personID}/issued': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly keys: readonly ({
        /** A realm id: 1 to 64 letters, digits, _ or -. */
        readonly realmId: string
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
        readonly scopes: readonly (string)[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit: 'default' | 'off' | {
          readonly rate: number
          readonly burst: number
        }
      })[]
      readonly tokens: readonly ({
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly status: 'active' | 'expired' | 'revoked'
        readonly madeBy: string | null
      })[]
    }
  }
  /** Make a link for a person to sign in again. */
  'POST /people/{personID}/link': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
      readonly link: string | null
      readonly expiresAt: string
    }
  }
  /** Invite an operator. */
  'POST /invitations': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: what they are called here. */
      readonly name: string
      /** An e-mail address. A person who signs in at the OpenID provider with it can accept without the link, if the provider vouches for the address. Until they accept, the realm learns nothing about them. */
      readonly email?: string
    }
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly email: string | null
      readonly createdAt: string
      readonly expiresAt: string
      readonly madeBy: string
      /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
      readonly link: string | null
    }
  }
  /** List open invitations to operators. */
  'GET /invitations': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly email: string | null
        readonly createdAt: string
        readonly expiresAt: string
        readonly madeBy: string
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read an open invitation to an operator. */
  'GET /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly id: string
      readonly name: string
      readonly email: string | null
      readonly createdAt: string
      readonly expiresAt: string
      readonly madeBy: string
    }
  }
  /** Take an operator’s invitation back. */
  'DELETE /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: undefined
  }
  /** Read the audit log of the installation. */
  'GET /audit': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly person: {
          readonly id: string
          readonly name: string | null
        } | null
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** Read a realm’s audit log. */
  'GET /realms/{realmID}/audit': {
    readonly query: {
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly person: {
          readonly id: string
          readonly name: string | null
        } | null
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      })[]
      /** The `cursor` of the next page; null when the list is complete. */
      readonly nextCursor: string | null
    }
  }
  /** How the installation is. */
  'GET /health': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly version: string
      readonly startedAt: string
      /** Whether it serves requests, as `/readyz` says it. */
      readonly ready: boolean
      readonly why: string | null
      /** What is asked of PostgreSQL, as `DURABILITY` sets it. */
      readonly durability: 'database' | 'storage' | 'strict'
      readonly database: {
        /** Whether PostgreSQL answered just now. */
        readonly up: boolean
        readonly standbyNeeded: boolean | null
        readonly standbys: number | null
      }
      readonly standings: {
        /** How long ago the oldest change was made that leaderboards do not show yet. */
        readonly lagMs: number
        readonly realmsBehind: number
      }
      readonly writes: {
        readonly waiting: number
      }
      readonly connections: number
      readonly verified: {
        readonly at: string
        readonly ok: boolean
      } | null
    }
  }
}
