/** What each route under /api/v4/realms/{realmID} takes and answers. */
export interface RealmOperations {
  /** Read a member. */
  'GET /members/{memberID}': {
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
    }
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
      readonly wallets: readonly {
        /** EVM addresses in EIP-55 form, others as they are. */
        readonly address: string
        /** A CAIP-2 namespace or id. */
        readonly chain: string
        /** Linked by the member’s own signature. */
        readonly verified: boolean
        readonly verifiedAt: string | null
        readonly linkedAt: string
      }[]
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
      readonly wallets: readonly {
        /** As sent. */
        readonly wallet: string
        readonly included: boolean
        readonly memberId: string | null
      }[]
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
      readonly wallets: readonly string[]
    }
    readonly answer: {
      /** Every wallet belongs to a member. */
      readonly includes: boolean
      /** In the order sent, duplicates kept. */
      readonly wallets: readonly {
        /** As sent. */
        readonly wallet: string
        readonly included: boolean
        readonly memberId: string | null
      }[]
    }
  }
  /** Add or subtract points. */
  'PATCH /members/{memberID}/tokenBalance': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
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
    }
  }
  /** Transfer points between members. */
  'PATCH /members/{memberID}/transfer': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
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
    }
  }
  /** Add or subtract points of many members, all or none. */
  'PATCH /members/tokenBalance': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** Text of at most 500 characters, none of them NUL: why, in words. */
      readonly description?: string
      /** A list of 1 to 1000 entries, each with memberId and tokens. */
      readonly entries: readonly {
        /** The member whose points change, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly memberId: number | string
        /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
        readonly tokens: number
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId?: string
      }[]
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
      readonly balances: readonly {
        /** A member id; always a string. */
        readonly memberId: string
        readonly newBalance: number
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
      }[]
    }
  }
  /** Many changes and transfers, each by itself. */
  'POST /changes': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A list of 1 to 1000 changes, each with memberId and tokens. */
      readonly changes: readonly {
        /** The member whose points change, or who gives, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly memberId: number | string
        /** With it the change is a transfer: who receives, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly recipientId?: number | string
        /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
        readonly tokens: number
        /** 1 to 255 visible ASCII characters. */
        readonly idempotencyKey?: string
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
      }[]
    }
    readonly answer: {
      /** In the order of the changes. */
      readonly outcomes: readonly {
        readonly status: number
        readonly replayed?: boolean
        /** The entry's number in the realm's journal. */
        readonly transactionId?: string
        readonly newBalance?: number
        readonly recipientBalance?: number
        readonly code?: string
        readonly detail?: string
      }[]
    }
  }
  /** Undo an entry. */
  'POST /entries/{transactionID}/reversal': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
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
      readonly balances: readonly {
        /** A member id; always a string. */
        readonly memberId: string
        readonly newBalance: number
      }[]
    }
  }
  /** Undo many entries. */
  'POST /reversals': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A JSON object with at least one of reference, actorId, keyId, from and until. */
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
      readonly reversed: readonly {
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
        /** The entry's number in the realm's journal. */
        readonly reversal: string
        readonly tokens: number
      }[]
      /** Entries that had been undone before. */
      readonly already: number
      readonly refused: readonly {
        /** The entry's number in the realm's journal. */
        readonly transactionId: string
        readonly code: string
        readonly detail: string
      }[]
      readonly next: string | null
    }
  }
  /** Hold points. */
  'POST /members/{memberID}/holds': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: {
      /** A whole number from 1 to 9007199254740991. */
      readonly tokens: number
      /** Seconds, from 1 to 2678400; 900 when left out. */
      readonly expiresIn?: number
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
      /** The entry's number in the realm's journal. */
      readonly transactionId: string
      readonly tokens: number
      readonly expiresAt: string
      readonly newBalance: number
      readonly held: number
    }
  }
  /** List a member’s open holds. */
  'GET /members/{memberID}/holds': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly holds: readonly {
        /** The entry's number in the realm's journal. */
        readonly holdId: string
        readonly memberId: string | null
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly realmPointId: string
        readonly tokens: number
        readonly expiresAt: string
        readonly open: boolean
        readonly endedBy: string | null
      }[]
    }
  }
  /** Spend what is held. */
  'POST /holds/{holdID}/capture': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
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
      readonly captured: number
      readonly released: number
      readonly held: number
    }
  }
  /** Release what is held. */
  'POST /holds/{holdID}/release': {
    readonly query: {
      /** `true`: the same checks and the same answer, and nothing is changed. */
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
      readonly released: number
      readonly newBalance: number
      readonly held: number
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
      readonly open: boolean
      readonly endedBy: string | null
    }
  }
  /** Issue a key. */
  'POST /keys': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A list of scopes: members:read, members:write, wallets:read, wallets:write, points:write, journal:read, realm:admin. */
      readonly scopes?: readonly (
        | 'members:read'
        | 'members:write'
        | 'wallets:read'
        | 'wallets:write'
        | 'points:write'
        | 'journal:read'
        | 'realm:admin'
      )[]
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?:
        | 'default'
        | 'off'
        | {
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      readonly key: string
    }
  }
  /** List a realm’s keys. */
  'GET /keys': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly keys: readonly {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly scopes: readonly string[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit:
          | 'default'
          | 'off'
          | {
              readonly rate: number
              readonly burst: number
            }
      }[]
    }
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      readonly key: string
      readonly replaced: {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly scopes: readonly string[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit:
          | 'default'
          | 'off'
          | {
              readonly rate: number
              readonly burst: number
            }
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
      readonly rateLimit?:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Or "never". */
      readonly expiresAt?: 'never' | string
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Revoke a key. */
  'DELETE /keys/{keyID}': {
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Read the realm’s audit log. */
  'GET /audit': {
    readonly query: {
      /** The last id of the page before. */
      readonly before?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly acts: readonly {
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      }[]
    }
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
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly {
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly archived: boolean
      }[]
      readonly createdAt: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** List realms. */
  'GET /realms': {
    readonly query: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly after?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly realms: readonly {
        /** A realm id: 1 to 64 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
        readonly unknownMembers: 'refuse' | 'create'
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly defaultPointId: string
        readonly points: readonly {
          /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
          readonly id: string
          readonly name: string
          readonly archived: boolean
        }[]
        readonly createdAt: string
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit:
          | 'default'
          | 'off'
          | {
              readonly rate: number
              readonly burst: number
            }
      }[]
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
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly {
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly archived: boolean
      }[]
      readonly createdAt: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Change a realm’s settings. */
  'PATCH /realms/{realmID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers?: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPoint?: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly {
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly archived: boolean
      }[]
      readonly createdAt: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Add a kind of points. */
  'POST /realms/{realmID}/points': {
    readonly query: object
    readonly body: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly id?: string
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
    }
    readonly answer: {
      /** A realm id: 1 to 64 letters, digits, _ or -. */
      readonly id: string
      readonly name: string
      /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
      readonly unknownMembers: 'refuse' | 'create'
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly defaultPointId: string
      readonly points: readonly {
        /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
        readonly id: string
        readonly name: string
        readonly archived: boolean
      }[]
      readonly createdAt: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Make or rename a member. */
  'PUT /realms/{realmID}/members/{memberID}': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly username?: string
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly displayName?: string
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
    }
  }
  /** Make or rename many members. */
  'POST /realms/{realmID}/members': {
    readonly query: object
    readonly body: {
      /** A list of 1 to 1000 members, each with an id. */
      readonly members: readonly {
        /** A member, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
        readonly id: number | string
        /** Text of at most 100 characters, none of them NUL: a name. */
        readonly username?: string
        /** Text of at most 100 characters, none of them NUL: a name. */
        readonly displayName?: string
      }[]
    }
    readonly answer: {
      readonly created: number
      readonly updated: number
    }
  }
  /** Link a wallet, without proof. */
  'POST /realms/{realmID}/members/{memberID}/wallets': {
    readonly query: object
    readonly body: {
      /** A wallet address. */
      readonly address: string
      /** A CAIP-2 namespace or id. */
      readonly chain?: string
    }
    readonly answer: {
      readonly wallets: readonly {
        /** EVM addresses in EIP-55 form, others as they are. */
        readonly address: string
        /** A CAIP-2 namespace or id. */
        readonly chain: string
        /** Linked by the member’s own signature. */
        readonly verified: boolean
        readonly verifiedAt: string | null
        readonly linkedAt: string
      }[]
    }
  }
  /** Unlink a wallet. */
  'DELETE /realms/{realmID}/members/{memberID}/wallets/{address}': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly wallets: readonly {
        /** EVM addresses in EIP-55 form, others as they are. */
        readonly address: string
        /** A CAIP-2 namespace or id. */
        readonly chain: string
        /** Linked by the member’s own signature. */
        readonly verified: boolean
        readonly verifiedAt: string | null
        readonly linkedAt: string
      }[]
    }
  }
  /** Issue a key. */
  'POST /realms/{realmID}/keys': {
    readonly query: object
    readonly body: {
      /** Text of at most 100 characters, none of them NUL: a name. */
      readonly name?: string
      /** A list of scopes: members:read, members:write, wallets:read, wallets:write, points:write, journal:read, realm:admin. */
      readonly scopes?: readonly (
        | 'members:read'
        | 'members:write'
        | 'wallets:read'
        | 'wallets:write'
        | 'points:write'
        | 'journal:read'
        | 'realm:admin'
      )[]
      /** A time with its zone, such as 2030-01-31T12:00:00Z. */
      readonly expiresAt?: string
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit?:
        | 'default'
        | 'off'
        | {
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      readonly key: string
    }
  }
  /** List a realm’s keys. */
  'GET /realms/{realmID}/keys': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly keys: readonly {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly scopes: readonly string[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit:
          | 'default'
          | 'off'
          | {
              readonly rate: number
              readonly burst: number
            }
      }[]
    }
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      readonly key: string
      readonly replaced: {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
        readonly scopes: readonly string[] | null
        /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
        readonly rateLimit:
          | 'default'
          | 'off'
          | {
              readonly rate: number
              readonly burst: number
            }
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
      readonly rateLimit?:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
      /** A time with its zone, such as 2030-01-31T12:00:00Z. Or "never". */
      readonly expiresAt?: 'never' | string
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
          }
    }
  }
  /** Revoke a key. */
  'DELETE /realms/{realmID}/keys/{keyID}': {
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
      readonly scopes: readonly string[] | null
      /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
      readonly rateLimit:
        | 'default'
        | 'off'
        | {
            readonly rate: number
            readonly burst: number
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
      readonly token: string
    }
  }
  /** List operator tokens. */
  'GET /tokens': {
    readonly query: object
    readonly body: undefined
    readonly answer: {
      readonly tokens: readonly {
        readonly id: string
        readonly name: string
        readonly prefix: string
        readonly lastFour: string
        readonly createdAt: string
        readonly expiresAt: string | null
        readonly lastUsedAt: string | null
        readonly revokedAt: string | null
      }[]
    }
  }
  /** Revoke an operator token. */
  'DELETE /tokens/{tokenID}': {
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
    }
  }
  /** Read the audit log of the installation. */
  'GET /audit': {
    readonly query: {
      /** The last id of the page before. */
      readonly before?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly acts: readonly {
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      }[]
    }
  }
  /** Read a realm’s audit log. */
  'GET /realms/{realmID}/audit': {
    readonly query: {
      /** The last id of the page before. */
      readonly before?: string
    }
    readonly body: undefined
    readonly answer: {
      readonly acts: readonly {
        readonly id: string
        readonly at: string
        readonly actor: string
        readonly action: string
        readonly subject: string
        readonly address: string | null
        readonly requestId: string | null
      }[]
    }
  }
}
