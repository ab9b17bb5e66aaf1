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
    readonly answer: GetMemberResponse
  }
  /** Create or change a member. */
  'PUT /members/{memberID}': {
    readonly query: object
    readonly body: PutMemberRequest
    readonly answer: Profile
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
    readonly answer: GetWeb3MemberResponse
  }
  /** Check whether wallets belong to members. */
  'GET /members/includes': {
    readonly query: {
      /** Wallets, parted by commas; may repeat. Instead of a body. */
      readonly wallets?: string
    }
    readonly body: undefined
    readonly answer: FindMembersByWalletResponse
  }
  /** Check whether wallets belong to members. */
  'POST /members/includes': {
    readonly query: {
      /** Wallets, parted by commas; may repeat. Instead of a body. */
      readonly wallets?: string
    }
    readonly body: SearchMembersByWalletRequest
    readonly answer: FindMembersByWalletResponse
  }
  /** Add or subtract points. */
  'PATCH /members/{memberID}/tokenBalance': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: AdjustPointsRequest
    readonly answer: AdjustPointsResponse
  }
  /** Transfer points between members. */
  'PATCH /members/{memberID}/transfer': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: TransferPointsRequest
    readonly answer: TransferPointsResponse
  }
  /** Read the realm. */
  'GET /': {
    readonly query: object
    readonly body: undefined
    readonly answer: Realm
  }
  /** Change the realm’s settings. */
  'PATCH /': {
    readonly query: object
    readonly body: UpdateRealmRequest
    readonly answer: Realm
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
    readonly answer: PointTypeList
  }
  /** Add a kind of points. */
  'POST /points': {
    readonly query: object
    readonly body: CreatePointRequest
    readonly answer: PointType
  }
  /** Read a kind of points. */
  'GET /points/{realmPointId}': {
    readonly query: object
    readonly body: undefined
    readonly answer: PointType
  }
  /** Change, archive or take back a kind of points. */
  'PATCH /points/{realmPointId}': {
    readonly query: object
    readonly body: UpdatePointRequest
    readonly answer: PointType
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
    readonly answer: MemberList
  }
  /** Make or change many members. */
  'POST /members': {
    readonly query: object
    readonly body: UpsertMembersRequest
    readonly answer: UpsertMembersResponse
  }
  /** Read a member with its note and metadata. */
  'GET /members/{memberID}/profile': {
    readonly query: object
    readonly body: undefined
    readonly answer: Profile
  }
  /** Erase a member. */
  'POST /members/{memberID}/erasure': {
    readonly query: object
    readonly body: undefined
    readonly answer: EraseMemberResponse
  }
  /** Link a wallet, with its owner’s proof or without. */
  'POST /members/{memberID}/wallets': {
    readonly query: object
    readonly body: LinkWalletRequest
    readonly answer: Wallet
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
    readonly answer: WalletList
  }
  /** Read one of a member’s wallets. */
  'GET /members/{memberID}/wallets/{address}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Wallet
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
    readonly body: CreateWalletChallengeRequest
    readonly answer: CreateWalletChallengeResponse
  }
  /** Make a link to a page where the member signs. */
  'POST /members/{memberID}/wallets/links': {
    readonly query: object
    readonly body: CreateWalletLinkRequest
    readonly answer: CreateWalletLinkResponse
  }
  /** Read a member’s history. */
  'GET /members/{memberID}/history': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was then and later counts. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was before it counts: it is the first day, or moment, that does not. */
      readonly to?: string
      /** `in` for what raised the balance, `out` for what lowered it; all when left out. */
      readonly direction?: 'in' | 'out'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: MemberEntryList
  }
  /** Read an entry. */
  'GET /entries/{transactionID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: GetEntryResponse
  }
  /** Read the realm’s journal. */
  'GET /journal': {
    readonly query: {
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was then and later counts. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was before it counts: it is the first day, or moment, that does not. */
      readonly to?: string
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The last seq that you have: entries after it. A whole number from 0 to 9223372036854775807; 0 when left out. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: JournalEntryList
  }
  /** Add or subtract points of many members, all or none. */
  'PATCH /members/tokenBalance': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: AdjustManyPointsRequest
    readonly answer: AdjustManyPointsResponse
  }
  /** Award points to all who hold enough of a collection. */
  'POST /web3/awards': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: AwardHoldersRequest
    readonly answer: AwardHoldersResponse
  }
  /** Many changes and transfers. */
  'POST /changes': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: ApplyChangesRequest
    readonly answer: ApplyChangesResponse
  }
  /** Undo an entry. */
  'POST /entries/{transactionID}/reverse': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: ReverseEntryRequest
    readonly answer: ReverseEntryResponse
  }
  /** Undo many entries. */
  'POST /reversals': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: ReverseEntriesRequest
    readonly answer: ReverseEntriesResponse
  }
  /** Hold points. */
  'POST /members/{memberID}/holds': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: CreateHoldRequest
    readonly answer: CreateHoldResponse
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
    readonly answer: HoldList
  }
  /** Spend what is held. */
  'POST /holds/{holdID}/capture': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: CaptureHoldRequest
    readonly answer: CaptureHoldResponse
  }
  /** Release what is held. */
  'POST /holds/{holdID}/release': {
    readonly query: {
      /** `true`: the same checks, an answer with what would be, and nothing is changed. */
      readonly dryRun?: 'true' | 'false'
    }
    readonly body: ReverseEntryRequest
    readonly answer: ReleaseHoldResponse
  }
  /** Read a hold. */
  'GET /holds/{holdID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Hold
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
    readonly answer: HoldList
  }
  /** Read a leaderboard. */
  'GET /leaderboard': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
      readonly period?: 'all' | 'week' | 'month' | 'range'
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that counts. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that does not count. */
      readonly to?: string
      /** Member ids parted by commas, at most 100: left out, and not counted in ranks. */
      readonly exclude?: string
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: StandingList
  }
  /** Read a member’s rank. */
  'GET /leaderboard/{memberID}': {
    readonly query: {
      /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
      readonly realmPointId?: string
      /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
      readonly period?: 'all' | 'week' | 'month' | 'range'
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that counts. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that does not count. */
      readonly to?: string
      /** Member ids parted by commas, at most 100: left out, and not counted in ranks. */
      readonly exclude?: string
      /** How many to list above, and below: 0 to 50, 0 when absent. */
      readonly neighbours?: string
    }
    readonly body: undefined
    readonly answer: GetRankResponse
  }
  /** The realm at a glance. */
  'GET /statistics': {
    readonly query: {
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that counts. */
      readonly from?: string
      /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. The first day that does not count. */
      readonly to?: string
    }
    readonly body: undefined
    readonly answer: GetStatisticsResponse
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
    readonly answer: CollectionList
  }
  /** Read a collection. */
  'GET /web3/collections/{collectionID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Collection
  }
  /** Create a collection, or rename it. */
  'PUT /web3/collections/{collectionID}': {
    readonly query: object
    readonly body: PutCollectionRequest
    readonly answer: Collection
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
    readonly body: CreateSnapshotRequest
    readonly answer: TakenSnapshot
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
    readonly answer: SnapshotList
  }
  /** Read a snapshot. */
  'GET /snapshots/{snapshotID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Snapshot
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
    readonly answer: GetSnapshotTreeResponse
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
    readonly answer: SnapshotMemberList
  }
  /** A member’s own proof. */
  'GET /snapshots/{snapshotID}/members/{memberID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: GetSnapshotMemberResponse
  }
  /** Issue a key. */
  'POST /keys': {
    readonly query: object
    readonly body: CreateKeyRequest
    readonly answer: IssuedKey
  }
  /** List a realm’s keys. */
  'GET /keys': {
    readonly query: {
      /** `active`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'active' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: KeyList
  }
  /** Read a key. */
  'GET /keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Key
  }
  /** Rename a key, set or clear its expiry. */
  'PATCH /keys/{keyID}': {
    readonly query: object
    readonly body: UpdateKeyRequest
    readonly answer: Key
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
    readonly body: RotateKeyRequest
    readonly answer: RotateKeyResponse
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
    readonly answer: PersonList
  }
  /** Read one person who looks after a realm. */
  'GET /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Person
  }
  /** Change a person’s role. */
  'PATCH /people/{personID}': {
    readonly query: object
    readonly body: UpdatePersonRequest
    readonly answer: UpdatePersonResponse
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
    readonly answer: OrphanedKeyList
  }
  /** Make a link for a person to sign in again. */
  'POST /people/{personID}/link': {
    readonly query: object
    readonly body: undefined
    readonly answer: CreatePersonLinkResponse
  }
  /** Invite somebody to look after a realm. */
  'POST /invitations': {
    readonly query: object
    readonly body: CreateInvitationRequest
    readonly answer: CreateInvitationResponse
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
    readonly answer: InvitationList
  }
  /** Read an open invitation to a realm. */
  'GET /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Invitation
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
    readonly answer: AuditRowList
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
    readonly answer: ImportRowsResponse
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
    readonly body: CreateRealmRequest
    readonly answer: Realm
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
    readonly answer: RealmList
  }
  /** Read a realm. */
  'GET /realms/{realmID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Realm
  }
  /** Change a realm’s rate limit. */
  'PATCH /realms/{realmID}': {
    readonly query: object
    readonly body: UpdateInstalledRealmRequest
    readonly answer: Realm
  }
  /** Issue a key. */
  'POST /realms/{realmID}/keys': {
    readonly query: object
    readonly body: CreateKeyRequest
    readonly answer: IssuedKey
  }
  /** List a realm’s keys. */
  'GET /realms/{realmID}/keys': {
    readonly query: {
      /** `active`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'active' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: KeyList
  }
  /** Read a key. */
  'GET /realms/{realmID}/keys/{keyID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Key
  }
  /** Rename a key, set or clear its expiry. */
  'PATCH /realms/{realmID}/keys/{keyID}': {
    readonly query: object
    readonly body: UpdateKeyRequest
    readonly answer: Key
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
    readonly body: RotateKeyRequest
    readonly answer: RotateKeyResponse
  }
  /** Issue an operator token. */
  'POST /tokens': {
    readonly query: object
    readonly body: CreateOperatorTokenRequest
    readonly answer: CreateOperatorTokenResponse
  }
  /** List operator tokens. */
  'GET /tokens': {
    readonly query: {
      /** `active`: those that still work, in the order they were issued; so it is when left out. `revoked`: those that were revoked or have expired, the newest first. */
      readonly status?: 'active' | 'revoked'
      /** How many at most: a whole number from 1 to 1000; 50 when left out. */
      readonly limit?: string
      /** The `nextCursor` of the page before, with the same filters. */
      readonly cursor?: string
    }
    readonly body: undefined
    readonly answer: OperatorTokenList
  }
  /** Read an operator token. */
  'GET /tokens/{tokenID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: OperatorToken
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
    readonly answer: OperatorList
  }
  /** Read one person. */
  'GET /people/{personID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: Operator
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
    readonly answer: ListIssuedCredentialsResponse
  }
  /** Make a link for a person to sign in again. */
  'POST /people/{personID}/link': {
    readonly query: object
    readonly body: undefined
    readonly answer: CreatePersonLinkResponse
  }
  /** Invite an operator. */
  'POST /invitations': {
    readonly query: object
    readonly body: InviteOperatorRequest
    readonly answer: InviteOperatorResponse
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
    readonly answer: OperatorInvitationList
  }
  /** Read an open invitation to an operator. */
  'GET /invitations/{invitationID}': {
    readonly query: object
    readonly body: undefined
    readonly answer: OperatorInvitation
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
    readonly answer: AuditRowList
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
    readonly answer: AuditRowList
  }
  /** How the installation is. */
  'GET /health': {
    readonly query: object
    readonly body: undefined
    readonly answer: GetHealthResponse
  }
}

/** What goes wrong, as a code. */
export type ProblemCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_scope'
  | 'link_not_valid'
  | 'member_not_found'
  | 'recipient_not_found'
  | 'point_not_found'
  | 'realm_not_found'
  | 'key_not_found'
  | 'token_not_found'
  | 'person_not_found'
  | 'invitation_not_found'
  | 'not_set_up'
  | 'entry_not_found'
  | 'hold_not_found'
  | 'wallet_not_found'
  | 'collection_not_found'
  | 'snapshot_not_found'
  | 'link_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'request_in_progress'
  | 'already_exists'
  | 'precondition_failed'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'insufficient_points'
  | 'balance_limit'
  | 'changes_refused'
  | 'same_member'
  | 'member_frozen'
  | 'not_transferable'
  | 'transfer_limit'
  | 'daily_limit'
  | 'member_has_points'
  | 'default_point'
  | 'point_limit'
  | 'already_reversed'
  | 'not_reversible'
  | 'hold_ended'
  | 'key_limit'
  | 'invitation_limit'
  | 'empty_snapshot'
  | 'snapshot_limit'
  | 'snapshot_claimable'
  | 'proof_refused'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'overloaded'
  | 'unavailable'
  | 'chain_unavailable'
  | 'outcome_unknown'
export type GetMemberResponse = {
  /** A member id; always a string. */
  readonly id: string
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly realmId: string
  /** The user name; null when none is known. */
  readonly username: string | null
  /** The name to show; null when none is known. */
  readonly displayName: string | null
  /** Balances after the change. */
  readonly balances: Balances
  /** The balance of the default point type. */
  readonly tokenBalance: number
  /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
  readonly held: Balances
  /** When the member joined; null when not known. */
  readonly joinedAt: string | null
  /** When it was last changed; null when never. */
  readonly updatedAt: string | null
  /** Nothing of it can be spent. */
  readonly frozen: boolean
  /** It is on no leaderboard. */
  readonly hidden: boolean
  /** The moment, where one was asked for. */
  readonly at?: string
}

/** By kind of points, the default first; 0 where there is none. */
export type Balances = Readonly<Record<string, number>>

/** A JSON object, which may be empty. */
export type PutMemberRequest = {
  /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
  readonly username?: string | null
  /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
  readonly displayName?: string | null
  /** A JSON object, at most 2 KiB as JSON. Null clears it. */
  readonly metadata?: Metadata | null
  /** Text of at most 2000 characters, none of them NUL: what managers should know. Null clears it. */
  readonly note?: string | null
  /** True or false: whether nothing of it can be spent, from the next change on. */
  readonly frozen?: boolean
  /** True or false: whether it is on no leaderboard. */
  readonly hidden?: boolean
}

/** A JSON object, at most 2 KiB as JSON. */
export type Metadata = object

export type Profile = {
  /** A member id; always a string. */
  readonly id: string
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly realmId: string
  /** The user name; null when none is known. */
  readonly username: string | null
  /** The name to show; null when none is known. */
  readonly displayName: string | null
  /** Balances after the change. */
  readonly balances: Balances
  /** The balance of the default point type. */
  readonly tokenBalance: number
  /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
  readonly held: Balances
  /** When the member joined; null when not known. */
  readonly joinedAt: string | null
  /** When it was last changed; null when never. */
  readonly updatedAt: string | null
  /** Nothing of it can be spent. */
  readonly frozen: boolean
  /** It is on no leaderboard. */
  readonly hidden: boolean
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata: Metadata | null
  /** A note for people who manage the realm; null when none is set. */
  readonly note: string | null
}

export type GetWeb3MemberResponse = {
  /** A member id; always a string. */
  readonly id: string
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly realmId: string
  /** The wallets. */
  readonly wallets: readonly (Wallet)[]
  /** Of each collection of the realm, as it was last read: no chain is waited for. */
  readonly holdings: readonly (Holding)[]
}

export type Wallet = {
  /** EVM addresses in EIP-55 form, others as they are. */
  readonly address: string
  /** A CAIP-2 namespace or id. */
  readonly chain: string
  /** Linked by the member’s own signature. */
  readonly verified: boolean
  /** When the wallet was proved; null when it was not. */
  readonly verifiedAt: string | null
  /** When the wallet was linked. */
  readonly linkedAt: string
}

export type Holding = {
  /** A collection: up to 40 small letters, digits and -. */
  readonly collection: string
  /** Its name. */
  readonly name: string
  /** A CAIP-2 id. */
  readonly chain: string
  /** native, erc20, erc721 or erc1155. */
  readonly standard: string
  /** A wallet’s or contract’s address; null for a chain’s own coin. */
  readonly address: string | null
  /** The token’s id within the contract; null when the whole contract counts. */
  readonly tokenId: string | null
  /** The block that all of it was read at; null before that. */
  readonly block: string | null
  /** The hash of that block; null before the chain was read. */
  readonly blockHash: string | null
  /** When the chain was last read; null before that. */
  readonly seenAt: string | null
  /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
  readonly stale: boolean
  /** In the token’s smallest unit. */
  readonly amount: string
  /** Of the wallets that are proved. */
  readonly provedAmount: string
  /** An amount is null for a wallet that was linked after the chain was read. */
  readonly wallets: readonly (HoldingOfWallet)[]
}

export type HoldingOfWallet = {
  /** A wallet’s or contract’s address; null for a chain’s own coin. */
  readonly address: string
  /** Whether the wallet’s owner has proved it by a signature. */
  readonly verified: boolean
  /** In the token’s smallest unit. */
  readonly amount: string | null
}

export type FindMembersByWalletResponse = {
  /** Every wallet belongs to a member. */
  readonly includes: boolean
  /** In the order sent, duplicates kept. */
  readonly wallets: readonly (IncludedWallet)[]
}

export type IncludedWallet = {
  /** As sent. */
  readonly wallet: string
  /** Whether the wallet belongs to a member. */
  readonly included: boolean
  /** A member id; always a string. */
  readonly memberId: string | null
}

/** A JSON object with wallets. */
export type SearchMembersByWalletRequest = {
  /** A list of 1 to 1000 wallets, each a string of 1 to 128 characters. */
  readonly wallets: readonly (string)[]
}

/** A JSON object with tokens. */
export type AdjustPointsRequest = {
  /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
  readonly tokens: number
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId?: string
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type AdjustPointsResponse = {
  /** The balance after the change. */
  readonly newBalance: number
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

/** A JSON object with recipientId and tokens. */
export type TransferPointsRequest = {
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
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type TransferPointsResponse = {
  /** Always `Ok`, as the old service answered. */
  readonly message: 'Ok'
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The balance after the change. */
  readonly newBalance: number
  /** The recipient’s balance after the change. */
  readonly recipientBalance: number
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type Realm = {
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** The URL of a logo; null when none is set. */
  readonly logo: string | null
  /** Colours by name, as pages of the realm use them; null when none are set. */
  readonly colours: Colours | null
  /** A name of the IANA time zone database, in which days begin. */
  readonly timeZone: string
  /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
  readonly publicBoard: boolean
  /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
  readonly unknownMembers: 'refuse' | 'create'
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly defaultPointId: string
  /** The point types of the realm. */
  readonly points: readonly (PointType)[]
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
  /** When it was created. */
  readonly createdAt: string
}

export type Colours = Readonly<Record<string, string>>

export type PointType = {
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** An emoji to show it with; null when none is set. */
  readonly emoji: string | null
  /** What a request means that names no kind of points. */
  readonly default: boolean
  /** Nobody is shown it or can change it; what there is of it stays. */
  readonly archived: boolean
  /** Whether members can transfer it to each other. */
  readonly transferable: boolean
  /** The highest balance a member can reach; null for no limit. */
  readonly maxBalance: number | null
  /** The most one transfer can move; null for no limit. */
  readonly maxPerTransfer: number | null
  /** The most a member can be given in a day; null for no limit. */
  readonly maxPerDay: number | null
}

export type RateLimit = {
  /** Requests a second. */
  readonly rate: number
  /** Requests at once. */
  readonly burst: number
}

/** A JSON object with what is to change. */
export type UpdateRealmRequest = {
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
  readonly unknownMembers?: 'refuse' | 'create'
  /** An https URL of at most 500 characters; empty takes it away. Null clears it. */
  readonly logo?: string | null
  /** A JSON object of at most 20 names, a letter and up to 31 letters, digits, _ or -, each with a colour such as #1a2b3c; an empty one takes them away. Null clears it. */
  readonly colours?: NewColours | null
  /** A name of the IANA time zone database, such as Europe/Berlin. */
  readonly timeZone?: string
  /** Whether anyone may read the leaderboard at `/boards/{realmID}`, without a key. */
  readonly publicBoard?: boolean
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly defaultPointId?: string
}

/** A JSON object of at most 20 names, a letter and up to 31 letters, digits, _ or -, each with a colour such as #1a2b3c; an empty one takes them away. */
export type NewColours = object

export type PointTypeList = {
  /** The items of this page. */
  readonly data: readonly (PointType)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

/** A JSON object, which may be empty. */
export type CreatePointRequest = {
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly id?: string
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** Text of at most 64 characters, none of them NUL: an emoji, or the name of one. Null clears it. */
  readonly emoji?: string | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may have at most. */
  readonly maxBalance?: 'none' | number | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what can be transferred at once. */
  readonly maxPerTransfer?: 'none' | number | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may transfer from midnight to midnight in the realm’s time zone. */
  readonly maxPerDay?: 'none' | number | null
  /** True or false: whether members can transfer it to each other. */
  readonly transferable?: boolean
}

/** A JSON object with what is to change. */
export type UpdatePointRequest = {
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** Text of at most 64 characters, none of them NUL: an emoji, or the name of one. Null clears it. */
  readonly emoji?: string | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may have at most. */
  readonly maxBalance?: 'none' | number | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what can be transferred at once. */
  readonly maxPerTransfer?: 'none' | number | null
  /** A whole number from 1 to 9007199254740991, or null or "none" for no limit: what a member may transfer from midnight to midnight in the realm’s time zone. */
  readonly maxPerDay?: 'none' | number | null
  /** True or false: whether members can transfer it to each other. */
  readonly transferable?: boolean
  /** True to archive it, false to take it back. */
  readonly archived?: boolean
  /** True, to make it the realm’s default. */
  readonly default?: true
}

export type MemberList = {
  /** The items of this page. */
  readonly data: readonly (Member)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
  /** The collection, and the block that its holders were read at. */
  readonly at?: Collection
}

export type Member = {
  /** A member id; always a string. */
  readonly id: string
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly realmId: string
  /** The user name; null when none is known. */
  readonly username: string | null
  /** The name to show; null when none is known. */
  readonly displayName: string | null
  /** Balances after the change. */
  readonly balances: Balances
  /** The balance of the default point type. */
  readonly tokenBalance: number
  /** What is reserved and can’t be spent, beside the balances; only kinds that any is of. */
  readonly held: Balances
  /** When the member joined; null when not known. */
  readonly joinedAt: string | null
  /** When it was last changed; null when never. */
  readonly updatedAt: string | null
  /** Nothing of it can be spent. */
  readonly frozen: boolean
  /** It is on no leaderboard. */
  readonly hidden: boolean
}

export type Collection = {
  /** A collection: up to 40 small letters, digits and -. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** A CAIP-2 id. */
  readonly chain: string
  /** native, erc20, erc721 or erc1155. */
  readonly standard: string
  /** A wallet’s or contract’s address; null for a chain’s own coin. */
  readonly address: string | null
  /** The token’s id within the contract; null when the whole contract counts. */
  readonly tokenId: string | null
  /** The block that all of it was read at; null before that. */
  readonly block: string | null
  /** The hash of that block; null before the chain was read. */
  readonly blockHash: string | null
  /** When the chain was last read; null before that. */
  readonly seenAt: string | null
  /** Whether it could not be read lately, or not all of it yet, or the block is an old one. */
  readonly stale: boolean
}

/** A JSON object with members. */
export type UpsertMembersRequest = {
  /** A list of 1 to 1000 members, each with an id. */
  readonly members: readonly (MemberInput)[]
}

export type MemberInput = {
  /** A member, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly id: number | string
  /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
  readonly username?: string | null
  /** Text of at most 100 characters, none of them NUL: a name. Null clears it. */
  readonly displayName?: string | null
  /** A JSON object, at most 2 KiB as JSON. Null clears it. */
  readonly metadata?: Metadata | null
  /** Text of at most 2000 characters, none of them NUL: what managers should know. Null clears it. */
  readonly note?: string | null
  /** True or false: whether nothing of it can be spent, from the next change on. */
  readonly frozen?: boolean
  /** True or false: whether it is on no leaderboard. */
  readonly hidden?: boolean
}

export type UpsertMembersResponse = {
  /** How many were created. */
  readonly created: number
  /** How many were updated. */
  readonly updated: number
}

export type EraseMemberResponse = {
  /** Always true. */
  readonly erased: true
  /** Of how many entries the details were erased. */
  readonly details: number
}

/** A JSON object with address. */
export type LinkWalletRequest = {
  /** A wallet address. */
  readonly address: string
  /** A CAIP-2 namespace or id. */
  readonly chain?: string
  /** The text of a challenge, as it was handed out, at most 2000 characters. */
  readonly message?: string
  /** What the wallet answered, at most 16384 characters: 0x and hex digits for EVM (ERC-191, ERC-1271, ERC-6492), base58 or base64 for Solana. */
  readonly signature?: string
}

export type WalletList = {
  /** The items of this page. */
  readonly data: readonly (Wallet)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
  /** The last hundred, the newest first. */
  readonly acts: readonly (WalletAct)[]
}

export type WalletAct = {
  /** When it happened. */
  readonly at: string
  /** `taken`: another member has proved that it is theirs. */
  readonly act: 'linked' | 'proved' | 'taken' | 'unlinked'
  /** A wallet’s or contract’s address; null for a chain’s own coin. */
  readonly address: string
  /** A chain, as a CAIP-2 namespace or id. */
  readonly chain: string
  /** The operator, a key, or the member. */
  readonly by: string
}

/** A JSON object with address. */
export type CreateWalletChallengeRequest = {
  /** A wallet address. */
  readonly address: string
  /** A CAIP-2 namespace or id. */
  readonly chain?: string
}

export type CreateWalletChallengeResponse = {
  /** A wallet’s or contract’s address; null for a chain’s own coin. */
  readonly address: string
  /** A CAIP-2 id. */
  readonly chain: string
  /** What the wallet’s owner signs, to the byte. */
  readonly message: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string
}

/** A JSON object, which may be empty. */
export type CreateWalletLinkRequest = {
  /** Where the page leads when it is done: https://… */
  readonly returnUrl?: string
}

export type CreateWalletLinkResponse = {
  /** It is in this answer and nowhere else. Null in a replay. */
  readonly url: string | null
  /** When it expires; null when it does not. */
  readonly expiresAt: string
}

export type MemberEntryList = {
  /** The items of this page. */
  readonly data: readonly (MemberEntry)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
  /** The first moment that counts; null when left out. */
  readonly from: string | null
  /** The first moment that does not count; null when left out. */
  readonly to: string | null
}

export type MemberEntry = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** What change it is. */
  readonly type: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
  /** When, to the microsecond. */
  readonly at: string
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** What it did to what the member can spend; 0 for a capture, which spends held points. */
  readonly tokens: number
  /** The balance after the change. */
  readonly newBalance: number | null
  /** What it did to what is held of the member. */
  readonly heldTokens: number
  /** How many points of this type are held after it; null when it changed none. */
  readonly newHeld: number | null
  /** A member id; always a string. */
  readonly counterpartyId: string | null
  /** Why, in words; null when nothing was said. */
  readonly reason: string | null
  /** The caller’s own number of the thing; null when none was given. */
  readonly reference: string | null
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata: Metadata | null
  /** A member id; always a string. */
  readonly actorId: string | null
  /** The key that made it; null for the operator. */
  readonly keyId: string | null
  /** The name of that key, for people who signed in and keys with `realm:admin`; else null. */
  readonly keyName: string | null
  /** The person who was signed in; null when none was. */
  readonly person: PersonName | null
  /** The entry that this one undoes. */
  readonly reverses: string | null
  /** The entry that undid this one. */
  readonly reversedBy: string | null
  /** The hold that it made or ended. */
  readonly holdId: string | null
  /** The first entry of its batch; what was said of all stands with that one and is told here. */
  readonly batchId: string | null
}

/** The person who had signed in; the name is null once it is forgotten. */
export type PersonName = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
}

export type GetEntryResponse = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** What change it is. */
  readonly type: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
  /** When, to the microsecond. */
  readonly at: string
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** How many points. */
  readonly tokens: number
  /** A member id; always a string. */
  readonly fromId: string | null
  /** The balance of the account that the points came from, after it; null for the realm. */
  readonly fromBalance: number | null
  /** A member id; always a string. */
  readonly toId: string | null
  /** The balance of the account that the points went to, after it; null for the realm. */
  readonly toBalance: number | null
  /** Why, in words; null when nothing was said. */
  readonly reason: string | null
  /** The caller’s own number of the thing; null when none was given. */
  readonly reference: string | null
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata: Metadata | null
  /** A member id; always a string. */
  readonly actorId: string | null
  /** The key that made it; null for the operator. */
  readonly keyId: string | null
  /** The name of that key, for people who signed in and keys with `realm:admin`; else null. */
  readonly keyName: string | null
  /** The person who was signed in; null when none was. */
  readonly person: PersonName | null
  /** The entry that this one undoes. */
  readonly reverses: string | null
  /** The entry that undid this one. */
  readonly reversedBy: string | null
  /** The hold that it made or ended. */
  readonly holdId: string | null
  /** The first entry of its batch; what was said of all stands with that one and is told here. */
  readonly batchId: string | null
  /** As docs/journal.md says, 64 hex digits. */
  readonly hash: string
}

export type JournalEntryList = {
  /** The items of this page. */
  readonly data: readonly (JournalEntry)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
  /** The last entry of the journal. */
  readonly head: JournalHead
  /** 64 hex digits. */
  readonly origin: string
  /** The first moment that counts; null when left out. */
  readonly from: string | null
  /** The first moment that does not count; null when left out. */
  readonly to: string | null
}

export type JournalEntry = {
  /** Its number in the realm’s journal. */
  readonly seq: string
  /** When, in microseconds since 1970. */
  readonly atUs: string
  /** What change it is. */
  readonly type: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
  /** The key that made it; 0 for the operator. */
  readonly keyId: string
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** An account’s number: 0 for the realm, below zero for what is held of a member. */
  readonly fromAccount: number
  /** An account’s number: 0 for the realm, below zero for what is held of a member. */
  readonly toAccount: number
  /** How many points. */
  readonly tokens: number
  /** The balance of the account that the points came from, after it; null for the realm. */
  readonly fromBalance: number | null
  /** The balance of the account that the points went to, after it; null for the realm. */
  readonly toBalance: number | null
  /** A digest of the idempotency key; null when there was none. */
  readonly request: string | null
  /** A digest of what was asked under that key; null when there was none. */
  readonly fingerprint: string | null
  /** 64 hex digits. */
  readonly detailsHash: string | null
  /** The entry that it is about. */
  readonly link: string | null
  /** How the hashed text is written. */
  readonly encoding: number
  /** 64 hex digits. */
  readonly hash: string
  /** A member id; always a string. */
  readonly fromId: string | null
  /** A member id; always a string. */
  readonly toId: string | null
  /** What was said of it, and the salt of its hash; null when nothing is kept. */
  readonly details: EntryDetails | null
  /** What was said of the whole batch, a JSON object as text, where the member of its first entry was erased. Otherwise it is the `details` of that entry, which `link` names. */
  readonly batchDetails?: string
}

export type EntryDetails = {
  /** In hex. */
  readonly salt: string
  /** A JSON object as text, as `detailsHash` covers it. */
  readonly text: string
}

export type JournalHead = {
  /** 0 before the first entry. */
  readonly seq: string
  /** 64 hex digits. */
  readonly hash: string
}

/** A JSON object with entries. */
export type AdjustManyPointsRequest = {
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 500 characters, none of them NUL: the same as `reason`, as the old service called it. */
  readonly description?: string
  /** A list of 1 to 1000 entries, each with memberId and tokens. */
  readonly entries: readonly (BatchEntry)[]
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

/** A JSON object with memberId and tokens. */
export type BatchEntry = {
  /** The member whose points change, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly memberId: number | string
  /** A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts. */
  readonly tokens: number
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId?: string
  /** Text of at most 500 characters, none of them NUL: why, in words; instead of `description` for this one. */
  readonly reason?: string
}

export type AdjustManyPointsResponse = {
  /** Always `Ok`, as the old service answered. */
  readonly message: 'Ok'
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** In the order of the entries. */
  readonly balances: readonly (BatchBalance)[]
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type BatchBalance = {
  /** A member id; always a string. */
  readonly memberId: string
  /** The balance after the change. */
  readonly newBalance: number
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
}

/** A JSON object with collection, atLeast, tokens and block or blockHash. */
export type AwardHoldersRequest = {
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
  /** The `nextCursor` of the call before. */
  readonly cursor?: string
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type AwardHoldersResponse = {
  /** Always `Ok`, as the old service answered. */
  readonly message: 'Ok'
  /** How many members. */
  readonly awarded: number
  /** The entry's number in the realm's journal. */
  readonly transactionId: string | null
  /** The `cursor` of the next call; null when all were awarded. */
  readonly nextCursor: string | null
  /** The collection, and the block that its holders were read at. */
  readonly at?: Collection
  /** Of a dry run: whom it would be. */
  readonly memberIds?: readonly (string)[]
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

/** A JSON object with changes. What is said beside them is said of each that does not say its own. */
export type ApplyChangesRequest = {
  /** A list of 1 to 1000 changes, each with memberId and tokens. */
  readonly changes: readonly (Change)[]
  /** True: all of them or none. False when left out: each by itself. */
  readonly atomic?: boolean
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

/** A JSON object with memberId and tokens; with recipientId it is a transfer. */
export type Change = {
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
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type ApplyChangesResponse = {
  /** In the order of the changes. */
  readonly data: readonly (ChangeOutcome)[]
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

/** A status, and what was done or why it was not. */
export type ChangeOutcome = {
  /** As the change would be answered alone. */
  readonly status: number
  /** Whether it was done before, under its Idempotency-Key. */
  readonly replayed?: boolean
  /** The entry's number in the realm's journal. */
  readonly transactionId?: string
  /** The balance after the change. */
  readonly newBalance?: number
  /** The recipient’s balance after the change. */
  readonly recipientBalance?: number
  readonly error?: ChangeError
}

/** Of a change that was refused: the problem, as it would be answered alone. */
export type ChangeError = {
  /** What went wrong, as a code that programs can compare. */
  readonly code: string
  /** What is wrong and what to do. */
  readonly detail: string
  /** The HTTP status. */
  readonly status: number
}

/** A JSON object, which may be empty. */
export type ReverseEntryRequest = {
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type ReverseEntryResponse = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The entry's number in the realm's journal. */
  readonly reverses: string
  /** How many points. */
  readonly tokens: number
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** Balances after the change. */
  readonly balances: readonly (ReversedBalance)[]
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type ReversedBalance = {
  /** A member id; always a string. */
  readonly memberId: string
  /** The balance after the change. */
  readonly newBalance: number
}

/** A JSON object with filter. */
export type ReverseEntriesRequest = {
  readonly filter: EntryFilter
  /** The `nextCursor` of the call before, with the same filter. */
  readonly cursor?: string
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

/** A JSON object with at least one of reference, actorId, keyId, from and to. */
export type EntryFilter = {
  /** Text of at most 255 characters, none of them NUL: the reference of the entries. */
  readonly reference?: string
  /** The member who caused them, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
  /** The id of the key that made them. */
  readonly keyId?: string
  /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was then and later counts. */
  readonly from?: string
  /** A time with its zone, such as 2030-01-31T12:00:00Z, or a date in the realm’s time zone: 2030-01-31. What was before it counts: it is the first day, or moment, that does not. */
  readonly to?: string
}

export type ReverseEntriesResponse = {
  /** How many entries the filter means. */
  readonly matched: number
  /** Each entry, the one that undoes it, and how many points went back. */
  readonly reversed: readonly (ReversedEntry)[]
  /** Entries that had been undone before. */
  readonly already: number
  /** Entries that can’t be reversed, and why. */
  readonly refused: readonly (RefusedReversal)[]
  /** The `cursor` of the next call; null when all was looked at. */
  readonly nextCursor: string | null
  /** The first moment that counts; null when left out. */
  readonly from: string | null
  /** The first moment that does not count; null when left out. */
  readonly to: string | null
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type ReversedEntry = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The entry's number in the realm's journal. */
  readonly reversal: string
  /** How many points. */
  readonly tokens: number
}

export type RefusedReversal = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** What went wrong, as a code that programs can compare. */
  readonly code: string
  /** What is wrong and what to do. */
  readonly detail: string
}

/** A JSON object with tokens. */
export type CreateHoldRequest = {
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
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type CreateHoldResponse = {
  /** The entry's number in the realm's journal. */
  readonly holdId: string
  /** A member id; always a string. */
  readonly memberId: string | null
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** How many points. */
  readonly tokens: number
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Whether the points are still held, or how the hold ended. */
  readonly status: 'open' | 'captured' | 'released' | 'expired'
  /** The entry's number in the realm's journal. */
  readonly endedBy: string | null
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The balance after the change. */
  readonly newBalance: number
  /** How many points of this type the member has on hold after it, by point type. */
  readonly held: Balances
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type HoldList = {
  /** The items of this page. */
  readonly data: readonly (Hold)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Hold = {
  /** The entry's number in the realm's journal. */
  readonly holdId: string
  /** A member id; always a string. */
  readonly memberId: string | null
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** How many points. */
  readonly tokens: number
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Whether the points are still held, or how the hold ended. */
  readonly status: 'open' | 'captured' | 'released' | 'expired'
  /** The entry's number in the realm's journal. */
  readonly endedBy: string | null
}

/** A JSON object, which may be empty. */
export type CaptureHoldRequest = {
  /** A whole number from 1 to 9007199254740991. */
  readonly tokens?: number
  /** Text of at most 500 characters, none of them NUL: why, in words. */
  readonly reason?: string
  /** Text of at most 255 characters, none of them NUL: the caller’s own number of the thing. */
  readonly reference?: string
  /** A JSON object that the caller keeps with it; null when none is set. */
  readonly metadata?: Metadata
  /** The member who caused it, by id: a whole number from 1 to 9223372036854775807, or a string of its digits. */
  readonly actorId?: number | string
}

export type CaptureHoldResponse = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The entry's number in the realm's journal. */
  readonly holdId: string
  /** How the hold ended. */
  readonly status: 'captured'
  /** How many points were charged. */
  readonly captured: number
  /** How many points became the member’s again. */
  readonly released: number
  /** The balance after the change. */
  readonly newBalance: number
  /** How many points of this type the member has on hold after it, by point type. */
  readonly held: Balances
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type ReleaseHoldResponse = {
  /** The entry's number in the realm's journal. */
  readonly transactionId: string
  /** The entry's number in the realm's journal. */
  readonly holdId: string
  /** How the hold ended. */
  readonly status: 'released'
  /** How many points became the member’s again. */
  readonly released: number
  /** The balance after the change. */
  readonly newBalance: number
  /** How many points of this type the member has on hold after it, by point type. */
  readonly held: Balances
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

export type StandingList = {
  /** The items of this page. */
  readonly data: readonly (Standing)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
  /** `seq` of the first page. */
  readonly firstSeq: string
  /** The same as `data`, for clients of the old service. */
  readonly members: readonly (Standing)[]
  /** The same as `nextCursor`, for clients of the old service. */
  readonly next: string | null
  /** How many members are ranked. */
  readonly total: number
  /** The entry that it is true at. */
  readonly seq: string
  /** The time that counts. */
  readonly period: Period
}

export type Standing = {
  /** A member id; always a string. */
  readonly id: string
  /** The user name; null when none is known. */
  readonly username: string | null
  /** The name to show; null when none is known. */
  readonly displayName: string | null
  /** The rank, 1 being first; members with the same score share one. Null when not ranked. */
  readonly rank: number | null
  /** The balance. */
  readonly balance: number
  /** What ranks: the score. */
  readonly tokens: number
  /** When it was last changed; null when never. */
  readonly updatedAt: string | null
  /** The same as `updatedAt`, for clients of the old service. */
  readonly last_updated: string | null
  /** The first that was linked. Left out without the scope `wallets:read`. */
  readonly wallet?: string | null
}

export type Period = {
  /** `all`, by balance; or by what was gained: `week` from Monday, `month`, or `range` with `from` and `to`, in the realm’s time zone. Days without a period are a range. */
  readonly name: 'all' | 'week' | 'month' | 'range'
  /** The first day that counts; null for all time. */
  readonly from: string | null
  /** The first day that does not count; null for all time. */
  readonly to: string | null
}

export type GetRankResponse = {
  /** The member. */
  readonly member: Standing
  /** The best first. */
  readonly above: readonly (Standing)[]
  /** Members ranked right below. */
  readonly below: readonly (Standing)[]
  /** How many members are ranked. */
  readonly total: number
  /** The entry that it is true at. */
  readonly seq: string
  /** The time that counts. */
  readonly period: Period
}

export type GetStatisticsResponse = {
  /** The number of the last entry that it covers. */
  readonly seq: string
  /** A name of the IANA time zone database, in which days begin. */
  readonly timeZone: string
  /** The first day that counts. */
  readonly from: string
  /** The first day that does not count. */
  readonly to: string
  /** How many members the realm has. */
  readonly members: number
  /** How many members were active. */
  readonly active: ActiveMembers
  /** By point type. */
  readonly supply: readonly (Supply)[]
  /** Each day, the newest last. */
  readonly days: readonly (Day)[]
}

/** Members active today, in the last 7 days, in the last 30. */
export type ActiveMembers = {
  /** Today. */
  readonly today: number
  /** In the last 7 days. */
  readonly week: number
  /** In the last 30 days. */
  readonly month: number
}

export type Supply = {
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
}

export type Day = {
  /** The day, in the realm’s time zone. */
  readonly day: string
  /** How many members were active. */
  readonly active: number
  /** Entries of the day, by point type and type of entry. */
  readonly entries: readonly (DayEntries)[]
  /** What the day changed: what was issued, spent and claimed, and by how much what is held grew. */
  readonly supply: readonly (DaySupply)[]
}

export type DayEntries = {
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** What change it is. */
  readonly type: 'adjust' | 'transfer' | 'reversal' | 'hold' | 'capture' | 'release' | 'expiry' | 'opening' | 'claim'
  /** How many entries. */
  readonly entries: number
  /** Points, in decimal digits. */
  readonly tokens: string
}

export type DaySupply = {
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
}

export type CollectionList = {
  /** The items of this page. */
  readonly data: readonly (Collection)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

/** A JSON object; with chain and standard, where the collection does not exist yet. */
export type PutCollectionRequest = {
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

/** A JSON object with the snapshot’s id and chain. */
export type CreateSnapshotRequest = {
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

export type TakenSnapshot = {
  /** A snapshot: 1 to 64 letters, digits, _ or -. */
  readonly id: string
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
  readonly chain: string
  /** Whether its points were taken out, to be claimed on chain. */
  readonly claimable: boolean
  /** The entry that it is of; of a claimable one the last of its own. */
  readonly seq: string
  /** The hash of that entry. */
  readonly hash: string
  /** The entry's number in the realm's journal. */
  readonly firstSeq: string | null
  /** When it was taken. */
  readonly takenAt: string
  /** The root of the Merkle tree; null when it has no members. */
  readonly root: string | null
  /** Members in the tree. */
  readonly members: number
  /** Points, in decimal digits. */
  readonly tokens: string
  readonly apart: SnapshotRest
  /** Of a dry run, whose answer has no `transactionId`. */
  readonly dryRun?: true
}

/** Members with points who are not in the tree, and keep them. */
export type SnapshotRest = {
  /** Members without a proved wallet. */
  readonly withoutWallet: SnapshotPart
  /** Members that are frozen. */
  readonly frozen: SnapshotPart
}

export type SnapshotPart = {
  /** How many members. */
  readonly members: number
  /** Points, in decimal digits. */
  readonly tokens: string
}

export type SnapshotList = {
  /** The items of this page. */
  readonly data: readonly (Snapshot)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Snapshot = {
  /** A snapshot: 1 to 64 letters, digits, _ or -. */
  readonly id: string
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly realmPointId: string
  /** The EVM chain where it will be claimed, in CAIP-2: `eip155:` and its id. */
  readonly chain: string
  /** Whether its points were taken out, to be claimed on chain. */
  readonly claimable: boolean
  /** The entry that it is of; of a claimable one the last of its own. */
  readonly seq: string
  /** The hash of that entry. */
  readonly hash: string
  /** The entry's number in the realm's journal. */
  readonly firstSeq: string | null
  /** When it was taken. */
  readonly takenAt: string
  /** The root of the Merkle tree; null when it has no members. */
  readonly root: string | null
  /** Members in the tree. */
  readonly members: number
  /** Points, in decimal digits. */
  readonly tokens: string
  readonly apart: SnapshotRest
}

export type GetSnapshotTreeResponse = object

export type SnapshotMemberList = {
  /** The items of this page. */
  readonly data: readonly (SnapshotMember)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type SnapshotMember = {
  /** A member id; always a string. */
  readonly id: string | null
  /** A wallet’s address; null when there is none. */
  readonly wallet: string | null
  /** How many points. */
  readonly tokens: number
  /** Why a member is not in the tree; null when it is. */
  readonly apart: 'no_wallet' | 'frozen' | null
}

export type GetSnapshotMemberResponse = {
  /** A member id; always a string. */
  readonly id: string | null
  /** A wallet’s address; null when there is none. */
  readonly wallet: string | null
  /** How many points. */
  readonly tokens: number
  /** Why a member is not in the tree; null when it is. */
  readonly apart: 'no_wallet' | 'frozen' | null
  /** The root of the Merkle tree; null when it has no members. */
  readonly root: string
  /** The Merkle proof of the member’s leaf; null when not in the tree. */
  readonly proof: readonly (string)[] | null
}

/** A JSON object, which may be empty. */
export type CreateKeyRequest = {
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** A list of scopes: members:read, members:write, wallets:read, wallets:write, points:write, journal:read, realm:admin. */
  readonly scopes?: readonly ('members:read' | 'members:write' | 'wallets:read' | 'wallets:write' | 'points:write' | 'journal:read' | 'realm:admin')[]
  /** A time with its zone, such as 2030-01-31T12:00:00Z. */
  readonly expiresAt?: string
  /** Seconds from now, 1 to 316224000; instead of expiresAt. */
  readonly expiresIn?: number
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit?: 'default' | 'off' | RateLimit
}

export type IssuedKey = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** Null for a key made without: it may read members and wallets, and change points. */
  readonly scopes: readonly (string)[] | null
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
  /** It is in this answer and nowhere else. Null in a replay. */
  readonly key: string | null
}

export type KeyList = {
  /** The items of this page. */
  readonly data: readonly (Key)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Key = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** Null for a key made without: it may read members and wallets, and change points. */
  readonly scopes: readonly (string)[] | null
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
}

/** A JSON object with what is to change. */
export type UpdateKeyRequest = {
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit?: 'default' | 'off' | RateLimit
  /** A time with its zone, such as 2030-01-31T12:00:00Z. Or null, or "never": it does not expire. */
  readonly expiresAt?: string | null
  /** Seconds from now, 1 to 316224000; instead of expiresAt. */
  readonly expiresIn?: number
}

/** A JSON object, which may be empty. */
export type RotateKeyRequest = {
  /** Whole seconds, 0 to 2592000; 86400 unless given. */
  readonly overlapSeconds?: number
}

export type RotateKeyResponse = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** Null for a key made without: it may read members and wallets, and change points. */
  readonly scopes: readonly (string)[] | null
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
  /** It is in this answer and nowhere else. Null in a replay. */
  readonly key: string | null
  /** The key that it replaces. */
  readonly replaced: Key
}

export type PersonList = {
  /** The items of this page. */
  readonly data: readonly (Person)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Person = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** How the person signs in: through the OpenID provider, or with a link. */
  readonly signsInBy: 'provider' | 'link'
  /** When the person was added. */
  readonly addedAt: string
  /** When the person was last signed in; null when never. */
  readonly lastSeenAt: string | null
  /** What the person may do; null when nothing. */
  readonly role: 'owner' | 'manager' | 'viewer'
  /** What the journal names this person by. */
  readonly keyId: string
}

/** A JSON object with role. */
export type UpdatePersonRequest = {
  /** A role: owner, manager, viewer. */
  readonly role: 'owner' | 'manager' | 'viewer'
}

export type UpdatePersonResponse = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** How the person signs in: through the OpenID provider, or with a link. */
  readonly signsInBy: 'provider' | 'link'
  /** When the person was added. */
  readonly addedAt: string
  /** When the person was last signed in; null when never. */
  readonly lastSeenAt: string | null
  /** What the person may do; null when nothing. */
  readonly role: 'owner' | 'manager' | 'viewer'
  /** What the journal names this person by. */
  readonly keyId: string
  /** The keys that they issued here and that still work: revoke those that you don’t know. */
  readonly issuedKeys: readonly (Key)[]
}

export type OrphanedKeyList = {
  /** The items of this page. */
  readonly data: readonly (OrphanedKey)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type OrphanedKey = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** Null for a key made without: it may read members and wallets, and change points. */
  readonly scopes: readonly (string)[] | null
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
  /** Who issued the key; the role is null when the person has none any more. */
  readonly issuer: KeyIssuer
}

export type KeyIssuer = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
  /** What the person may do; null when nothing. */
  readonly role: 'owner' | 'manager' | 'viewer' | null
}

export type CreatePersonLinkResponse = {
  /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
  readonly link: string | null
  /** When it expires; null when it does not. */
  readonly expiresAt: string
}

/** A JSON object with name and role. */
export type CreateInvitationRequest = {
  /** Text of at most 100 characters, none of them NUL: what they are called here. */
  readonly name: string
  /** An e-mail address. A person who signs in at the OpenID provider with it can accept without the link, if the provider vouches for the address. Until they accept, the realm learns nothing about them. */
  readonly email?: string
  /** A role: owner, manager, viewer. */
  readonly role: 'owner' | 'manager' | 'viewer'
}

export type CreateInvitationResponse = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Who made it: the operator, a token, a key or a person. */
  readonly madeBy: string
  /** What the person may do; null when nothing. */
  readonly role: 'owner' | 'manager' | 'viewer'
  /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
  readonly link: string | null
}

export type InvitationList = {
  /** The items of this page. */
  readonly data: readonly (Invitation)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Invitation = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Who made it: the operator, a token, a key or a person. */
  readonly madeBy: string
  /** What the person may do; null when nothing. */
  readonly role: 'owner' | 'manager' | 'viewer'
}

export type AuditRowList = {
  /** The items of this page. */
  readonly data: readonly (AuditRow)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type AuditRow = {
  /** Its id. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** Who did it: the operator, a token, a key or a person. */
  readonly actor: string
  /** The person who was signed in; null when none was. */
  readonly person: PersonName | null
  /** What was done, such as `key.created`. */
  readonly action: string
  /** What it was done to. */
  readonly subject: string
  /** The network address it came from; null when not kept. */
  readonly address: string | null
  /** The id of the request that did it; null for a command. */
  readonly requestId: string | null
}

export type ImportRowsResponse = {
  /** Whether nothing was changed. */
  readonly dryRun: boolean
  /** How many rows were read. */
  readonly rows: number
  /** What became of members. */
  readonly members: ImportedMembers
  /** What became of wallets. */
  readonly wallets: ImportedWallets
  /** What became of opening balances. */
  readonly openings: ImportedOpenings
  readonly totals: ImportTotals
  /** With `dryRun`: what is wrong, at most 100. Without it, that is a 400. A piece is read no further once 1000 are found; the counts are of what was read. */
  readonly faults: readonly (ImportFault)[]
}

export type ImportedMembers = {
  /** How many were created. */
  readonly created: number
  /** How many were updated. */
  readonly updated: number
}

export type ImportedWallets = {
  /** How many wallets were linked. */
  readonly linked: number
}

export type ImportedOpenings = {
  /** How many opening balances were made. */
  readonly made: number
  /** How many had been imported before. */
  readonly alreadyThere: number
  /** Of those made: how many came on top of points, a hold or an opening balance of the same point type that the member already had. */
  readonly onTop: number
}

/** The opening balances of all rows together, by kind of points, in decimal digits. */
export type ImportTotals = Readonly<Record<string, string>>

export type ImportFault = {
  /** The line of the file, the first being 1. */
  readonly line: number
  /** What is wrong and what to do. */
  readonly detail: string
}

/** A JSON object, which may be empty. */
export type CreateRealmRequest = {
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly id?: string
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
  /** `refuse`: an unknown member is 404. `create`: every valid id is a member with 0 points. */
  readonly unknownMembers?: 'refuse' | 'create'
  /** The point type. */
  readonly point?: FirstPoint
}

/** A JSON object with id and name. */
export type FirstPoint = {
  /** A kind of points: 24 hex digits, or a letter and up to 63 letters, digits, _ or -. */
  readonly id?: string
  /** Text of at most 100 characters, none of them NUL: a name. */
  readonly name?: string
}

export type RealmList = {
  /** The items of this page. */
  readonly data: readonly (Realm)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

/** A JSON object with what is to change. */
export type UpdateInstalledRealmRequest = {
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit?: 'default' | 'off' | RateLimit
}

/** A JSON object with name. */
export type CreateOperatorTokenRequest = {
  /** Text of at most 100 characters, none of them NUL: whose it is. */
  readonly name: string
  /** A time with its zone, such as 2030-01-31T12:00:00Z. */
  readonly expiresAt?: string
  /** Seconds from now, 1 to 316224000; instead of expiresAt. */
  readonly expiresIn?: number
}

export type CreateOperatorTokenResponse = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** It is in this answer and nowhere else. Null in a replay. */
  readonly token: string | null
}

export type OperatorTokenList = {
  /** The items of this page. */
  readonly data: readonly (OperatorToken)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type OperatorToken = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
}

export type OperatorList = {
  /** The items of this page. */
  readonly data: readonly (Operator)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type Operator = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** How the person signs in: through the OpenID provider, or with a link. */
  readonly signsInBy: 'provider' | 'link'
  /** When the person was added. */
  readonly addedAt: string
  /** When the person was last signed in; null when never. */
  readonly lastSeenAt: string | null
}

export type ListIssuedCredentialsResponse = {
  /** The keys. */
  readonly keys: readonly (KeyOfRealm)[]
  /** Operator tokens. */
  readonly tokens: readonly (OperatorToken)[]
}

export type KeyOfRealm = {
  /** A realm id: 1 to 64 letters, digits, _ or -. */
  readonly realmId: string
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** Its last four characters. */
  readonly lastFour: string
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string | null
  /** When it was last used, to within a minute; null when never. */
  readonly lastUsedAt: string | null
  /** When it was revoked; null while it was not. */
  readonly revokedAt: string | null
  /** Whether it works: only an active one does. */
  readonly status: 'active' | 'expired' | 'revoked'
  /** The operator, a token, a key or a person; null where it was not kept. */
  readonly madeBy: string | null
  /** Null for a key made without: it may read members and wallets, and change points. */
  readonly scopes: readonly (string)[] | null
  /** A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 to 1000000; or `off`; or `default`, what is set for all. It holds within half a minute. */
  readonly rateLimit: 'default' | 'off' | RateLimit
}

/** A JSON object with name. */
export type InviteOperatorRequest = {
  /** Text of at most 100 characters, none of them NUL: what they are called here. */
  readonly name: string
  /** An e-mail address. A person who signs in at the OpenID provider with it can accept without the link, if the provider vouches for the address. Until they accept, the realm learns nothing about them. */
  readonly email?: string
}

export type InviteOperatorResponse = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Who made it: the operator, a token, a key or a person. */
  readonly madeBy: string
  /** Opens the console, once. It is in this answer and nowhere else. Null in a replay. */
  readonly link: string | null
}

export type OperatorInvitationList = {
  /** The items of this page. */
  readonly data: readonly (OperatorInvitation)[]
  /** The `cursor` of the next page; null when the list is complete. */
  readonly nextCursor: string | null
}

export type OperatorInvitation = {
  /** Its id. */
  readonly id: string
  /** Its name. */
  readonly name: string
  /** The e-mail address; null when none is known. */
  readonly email: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it expires; null when it does not. */
  readonly expiresAt: string
  /** Who made it: the operator, a token, a key or a person. */
  readonly madeBy: string
}

export type GetHealthResponse = {
  /** The release that runs. */
  readonly version: string
  /** When this process started. */
  readonly startedAt: string
  /** Whether it serves requests, as `/readyz` says it. */
  readonly ready: boolean
  /** Why it does not, and what to do. */
  readonly why: string | null
  /** What is asked of PostgreSQL, as `DURABILITY` sets it. */
  readonly durability: 'database' | 'storage' | 'strict'
  /** How PostgreSQL is. */
  readonly database: DatabaseHealth
  /** How far leaderboards are behind. */
  readonly standings: LeaderboardHealth
  /** Changes that wait to be written. */
  readonly writes: WriteQueue
  /** Connections that are open. */
  readonly connections: number
  /** Whether the wallet’s owner has proved it by a signature. */
  readonly verified: Verification | null
}

export type DatabaseHealth = {
  /** Whether PostgreSQL answered just now. */
  readonly up: boolean
  /** Whether a commit waits for a standby. */
  readonly standbyNeeded: boolean | null
  /** Standbys that confirm commits. */
  readonly standbys: number | null
}

export type LeaderboardHealth = {
  /** How long ago the oldest change was made that leaderboards do not show yet. */
  readonly lagMs: number
  /** How many realms have changes that leaderboards do not show yet. */
  readonly realmsBehind: number
}

export type WriteQueue = {
  /** How many. */
  readonly waiting: number
}

/** When all books were last verified, or some were found wrong; of the last 35 days. */
export type Verification = {
  /** When it happened. */
  readonly at: string
  /** Whether all entries were as their hashes say. */
  readonly ok: boolean
}

/** With changes_refused: why that change was refused, as it would be alone. */
export type RefusedChange = {
  /** The HTTP status. */
  readonly status: number
  /** What went wrong, as a code that programs can compare. */
  readonly code: string
  /** What is wrong and what to do. */
  readonly detail: string
}
