import type { Reason } from '#contract/failures/catalog.ts'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import type { LookupAccount, LookupItem, LookupKind, PlatformKey, PostType } from '#contract/platforms/rules.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import type { AccountFigures } from './account.ts'
import type { AccountRef, AppCredentials, MediaFile, Reach, Refusal, Secret, Sent } from './calls.ts'
import type { Competitors } from './competitor.ts'
import type { HashtagSearch } from './hashtagSearch.ts'
import type { Inbox, InboxPush, InboxWebPush } from './inbox.ts'
import type { OwnPosts } from './ownPosts.ts'
import type { Promotion } from './promotion.ts'

export { reported, type AccountFigures, type FigureDay, type Figures } from './account.ts'
export type { FigureName } from '#contract/analytics/catalog/names.ts'
export type { AccountRef, AppCredentials, MediaFile, Reach, Refusal, Secret, Sent }

/**
 * What an adapter is. Each platform has a folder that implements it, and every difference between platforms goes
 * through these types. Adapters return outcomes instead of throwing; they use neither the database nor the clock, and
 * reach the network only through safeFetch.
 */
export type Platform = {
  key: PlatformKey
  connect: Connect
  publish: Publish
  /** What the composer can look up at the platform, such as boards; an absent kind can't be looked up. */
  lookups?: Partial<Record<LookupKind, Lookup>>
  /** Why a kind of lookup that people expect is missing. */
  closedLookups?: Partial<Record<LookupKind, Reason>>
  /** What can be added at the platform from here, such as a playlist; an absent kind has to be added there. */
  additions?: Partial<Record<LookupKind, Addition>>
  /** What can be changed at the platform from here, such as a board. */
  changes?: Partial<Record<LookupKind, Change>>
  /** The account's own published posts, wherever they were published; absent if no app may list them. */
  ownPosts?: OwnPosts
  /** Metrics of published posts; absent if the platform has none. */
  metrics?: Metrics
  /** Figures of the account itself; absent where the platform tells none. */
  account?: AccountFigures
  /** Reading accounts of others; absent where the catalog says that it isn't possible. */
  competitors?: Competitors
  /** Public posts of others by hashtag; absent if no app may read them. */
  hashtags?: HashtagSearch
  /** Paid promotions of published posts; absent if they aren't available from here. */
  boost?: Promotion
  /** Reading and answering what people write to the account; absent if no app may read it. */
  inbox?: Inbox
  /** The platform's webhooks about what was written; absent if it has none. */
  push?: InboxPush
  /** What it sends by Web Push, to an address of ours for each account. */
  webPush?: InboxWebPush
  budgets: readonly Budget[]
  /** Every host that the adapter calls or sends a browser to. The servers of federated accounts aren't included. */
  hosts: readonly string[]
  /**
   * For a federation: the servers that its makers run, where most accounts are. They get the platform's rate limits,
   * not those for a server that anyone can set up.
   */
  mainServers?: readonly string[]
}

/**
 * What is counted: a publishing step, one reading of metrics (of as many posts as a call takes), of conversations or of
 * the account's own posts (one page), of an account of others with its posts, a lookup, adding something, a reply. Searching for a lost reply counts as `reconcile`, its files as
 * `prepare`.
 */
export type BudgetUse = PublishStep | 'metrics' | 'ownPosts' | 'competitor' | 'inbox' | 'lookup' | 'addition' | 'reply'

/**
 * How many calls a platform accepts in a window: per account, per app credentials, or per server of a federation, which
 * counts by the caller's IP address (nothing is counted for accounts without one). Costs are in tokens per use. A use
 * that costs nothing here is neither counted nor stopped by the budget: where a platform limits each endpoint
 * separately, readings aren't part of the budget for posts.
 */
export type Budget = {
  name: string
  per: 'channel' | 'credentials' | 'server'
  windowSeconds: number
  tokens: number
  cost: Partial<Record<BudgetUse, number>>
  /** A token is a call, and costs are the most that a use can need: what a lookup didn't need is given back. */
  countsCalls?: true
}

export type Account = {
  /** The platform's own ID, such as a DID. */
  remoteId: string
  name: string
  handle: string
  pictureUrl: string | null
  /** The server of a federated account. */
  service: string | null
}

/** Apps that this installation registered at servers of a federated platform, by the server's origin. */
export type InstanceApps = {
  /** `isFresh`: the server confirmed it within minutes. `isRecent`: it was registered within a day. */
  find: (origin: string) => Promise<{ app: AppCredentials; isFresh: boolean; isRecent: boolean } | undefined>
  /** Stores a new app, unless another one was stored in the meantime. Returns the stored one. */
  keep: (origin: string, app: AppCredentials) => Promise<AppCredentials>
  /** The server knows the app now. */
  confirm: (origin: string, app: AppCredentials) => Promise<void>
  /** The server no longer knows the app. If another one was stored in the meantime, that one stays. */
  forget: (origin: string, app: AppCredentials) => Promise<void>
}

/** The account that was signed in to, and the secret to act for it. */
export type SignedIn = {
  account: Account
  secret: Secret
  expiresAt: Date | null
  /** When the sign-in expires, if the platform says so. */
  endsAt?: Date | null
  /** The kind of account, for choosing among several: 'Page', 'Organization', 'Location'. */
  kind?: string
  /** Permissions that were requested and not granted, in the platform's words: calls that need them will be refused. */
  missing?: readonly string[]
  /** How this account's limits differ from the rules, if the platform says so. */
  limits?: ChannelLimits
}

export type Connect = {
  /** How people sign in: with fields entered here, or on the platform's own page. */
  method: 'credentials' | 'oauth'
  /** Signs in with the entered fields and returns the account. */
  withCredentials?: (
    reach: Reach,
    fields: Record<string, string>,
  ) => Promise<({ kind: 'connected' } & SignedIn) | Refusal>
  /** Sign-in on the platform's own page (OAuth); absent if unavailable, such as without an app's credentials. */
  withPage?: ConnectByPage
  /** Ends the sign-in at the platform. Succeeds if it has already ended, so it can be repeated. */
  revoke?: (reach: Reach, secret: Secret, account: AccountRef) => Promise<{ kind: 'revoked' } | Refusal>
  /**
   * Checks whether the sign-in still works, cheaply enough to do daily. Returns when it expires if known, the account's
   * limits, and its picture's URL; if `limits` or `pictureUrl` are absent, they stay as they were.
   */
  check?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
  ) => Promise<{ kind: 'works'; endsAt: Date | null; limits?: ChannelLimits; pictureUrl?: string | null } | Refusal>
  /**
   * Renews the secret. This uses up rotating tokens: the caller has a lease, journals the start, and stores the new
   * secret before using it.
   */
  refresh: (reach: Reach, secret: Secret, account: AccountRef) => Promise<RenewAnswer>
  /** Whether the secret should be renewed before it's used at `now`. */
  needsRefresh: (secret: Secret, expiresAt: Date | null, now: Date) => boolean
}

export type SignInAnswer = { kind: 'accounts'; accounts: SignedIn[] } | Refusal
export type RenewAnswer = { kind: 'refreshed'; secret: Secret; expiresAt: Date | null } | Refusal

export type ConnectByPage = {
  /**
   * Starts a sign-in: returns where to send the browser, and what has to be stored until it returns (a verifier, keys).
   * `state` has to come back with the response; `domain` is the server of a federated account as the person typed it,
   * `login` the account that should sign in, `variant` one of the platform's ways to connect (`app.variants`).
   */
  begin: (
    reach: Reach,
    ask: { redirectUri: string; state: string; domain?: string; login?: string; variant?: string },
  ) => Promise<{ kind: 'begun'; url: string; keep: Secret } | Refusal>
  /** Handles the parameters that the browser returned with. Uses up the code: called once per `begin`. */
  answer: (reach: Reach, keep: Secret, params: Record<string, string>) => Promise<SignInAnswer>
  /** Our metadata, which the platform reads at `/oauth/{platform}/client-metadata.json` if its protocol needs it. */
  metadata?: () => Promise<Record<string, unknown>>
}

/** A private P-256 key as a JWK, by which an installation authenticates. */
export type ClientKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string }

/** The steps of publishing, in order; `followUp` and `reconcileFollowUp` are `send` and `reconcile` for a follow-up. */
type PublishStep = 'prepare' | 'send' | 'poll' | 'readback' | 'reconcile' | 'followUp' | 'reconcileFollowUp'

/** Everything an adapter may know about a post. */
export type Outgoing = {
  postId: string
  postType: PostType
  contents: readonly { title?: string; text: string; media: readonly MediaFile[] }[]
  details: Record<string, unknown>
  /** A comment that follows the post. */
  firstComment: string | null
  /** Files named in the details, such as the picture of a link card, by asset ID. */
  extraMedia: ReadonlyMap<string, MediaFile>
  /**
   * The planned time. With `distinctTimes` that of the first try of what is sent, the post or a follow-up. The same in
   * every try.
   */
  createdAt: Date
  /** The key chosen before the first irreversible call. */
  sendKey: string
  /** What earlier steps of this post stored. */
  progress: Record<string, unknown>
}

export type Publish = {
  /** The adapter's own key that identifies the post afterwards, such as a record key. Unique per call. */
  chooseSendKey: (now: Date) => string
  /** How long the irreversible call may take, in seconds; the lease lasts longer. */
  sendTimeoutSeconds: number
  /**
   * Uploads and other reversible work. Its progress is stored before the send. `preparing` means that the platform is
   * still processing: the progress is stored and prepare is called again with it.
   */
  prepare: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<PrepareAnswer>
  /** Whether `prepare` has anything to do for this post. */
  needsPrepare: (post: Pick<Outgoing, 'contents' | 'details'>) => boolean
  /**
   * How many sends of one account may be in progress at once, by the platform's rules; 1 if they say nothing. If our
   * key doesn't identify posts there, needs `findsByText`.
   */
  simultaneousSends?: number
  /** Lost posts are searched for by their text: no two that may be taken for each other are in progress at once. */
  findsByText?: true
  /**
   * Whether no two posts, follow-ups or replies of an account may have the same creation time. Each then gets its own
   * as `createdAt`: the moment of its first try, to the millisecond, and later than all before.
   */
  distinctTimes?: true
  /** The irreversible call. One attempt: the caller never repeats it without reconciling first. */
  send: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<SendAnswer>
  /** One check on a post that the platform is still processing. */
  poll?: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<SendAnswer>
  /** Reads the live post back from the platform. */
  readBack: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    remoteId: string,
  ) => Promise<{ kind: 'live'; permalink: string } | { kind: 'missing' } | Refusal>
  /**
   * After a lost response: whether the post with this send key exists. `absent` is believed only if read twice, 60 s
   * apart. `rejected` means that the platform will never show it to us: a person is asked right away, with the reason.
   * A lookup that was refused for any other reason is `unknown`, and repeated.
   */
  reconcile: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<ReconcileAnswer>
  /** Whether the platform's own key makes a repeated send harmless. */
  sendIsRepeatable: boolean
  /** A post's follow-ups in order: further thread items, its first comment, its place in a playlist. Pure. */
  followUps?: (post: Pick<Outgoing, 'postType' | 'contents' | 'details' | 'firstComment'>) => readonly FollowUp[]
  /**
   * A follow-up's key, if the platform needs a special format. It depends only on the post's key, so it's known even
   * after restoring a backup. If absent: `<key of the post>/<key of the follow-up>`.
   */
  followUpSendKey?: (sendKey: string, part: FollowUp) => string
  /**
   * The irreversible call for one follow-up, with its own send key, after everything before it was sent. May return
   * `preparing` as long as nothing irreversible was done.
   */
  sendFollowUp?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    part: FollowUpToSend,
  ) => Promise<FollowUpAnswer>
  /** After a lost response: whether the follow-up exists; results are those of `reconcile`. */
  reconcileFollowUp?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    part: FollowUpToSend,
  ) => Promise<ReconcileAnswer>
  /** Deletes a published post from the platform, with those follow-ups that aren't deleted with it. */
  remove?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    remoteId: string,
  ) => Promise<{ kind: 'removed' } | Refusal>
  /** Changes a published post to the content of `post`. Absent if the platform has no edits. */
  edit?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    remoteId: string,
  ) => Promise<{ kind: 'edited'; /** A new ID if an edit creates a new post. */ remoteId: string } | Refusal>
}

/** The platform accepted the post and is processing it: `poll` checks again after this many seconds. */
export type Processing = { kind: 'processing'; progress: Record<string, unknown>; checkAfterSeconds: number }

/** The platform is processing what it was given: check again after this many seconds. Nothing irreversible was done. */
export type Preparing = { kind: 'preparing'; progress: Record<string, unknown>; checkAfterSeconds: number }

export type PrepareAnswer = { kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal
export type SendAnswer = Sent | Processing | Refusal
export type FollowUpAnswer = Sent | Preparing | Refusal
export type ReconcileAnswer = Sent | { kind: 'absent' } | Refusal

/** One irreversible call after the post. `item` is a thread item's index in `contents`. */
export type FollowUp = { key: string } & ({ kind: 'item'; item: number } | { kind: 'comment' } | { kind: 'playlist' })

export type FollowUpToSend = FollowUp & {
  sendKey: string
  /** What earlier calls for this follow-up stored. */
  progress: Record<string, unknown>
  /** The post itself (key `post`) and the follow-ups before this one, oldest first. */
  sent: readonly { key: string; remoteId: string; progress: Record<string, unknown> }[]
}

/**
 * Finds what a person can choose from, most likely first, at most `limit`. An empty query asks for everything. `closed`
 * means that the platform doesn't let this channel look anything up, with the reason.
 */
export type Lookup = (
  reach: Reach,
  secret: Secret,
  account: AccountRef,
  ask: { query: string; limit: number },
) => Promise<LookupAnswer | Refusal>
export type LookupAnswer =
  | {
      kind: 'found'
      items: LookupItem[]
      /** The account that the response is about, if it has to be shown. */ account?: LookupAccount
    }
  | { kind: 'closed'; reason: Reason }

/** Adds something to choose from, such as a playlist. Called once: a repeat may add a second one. */
export type Addition = (
  reach: Reach,
  secret: Secret,
  account: AccountRef,
  thing: { name: string; description: string; isPublic: boolean },
) => Promise<{ kind: 'added'; item: LookupItem } | Refusal>

/** Changes something to choose from, such as a board; undefined fields stay as they are. Can be repeated. */
export type Change = (
  reach: Reach,
  secret: Secret,
  account: AccountRef,
  id: string,
  change: { name?: string | undefined; description?: string | undefined; privacy?: string | undefined },
) => Promise<{ kind: 'changed'; item: LookupItem } | Refusal>

export type Metrics = {
  /** How many posts one call can read. */
  most: number
  /** The metrics of published posts, by remote ID. Deleted posts are missing from the response. Only reads. */
  read: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    posts: readonly { remoteId: string; postType: PostType; publishedAt: Date }[],
  ) => Promise<{ kind: 'metrics'; of: ReadonlyMap<string, PostMetrics> } | Refusal>
  /** Permissions that reading needs beyond publishing, in the platform's words. */
  needs?: readonly string[]
}
