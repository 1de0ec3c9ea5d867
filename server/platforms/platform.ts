import type { Reason } from '#contract/failures/catalog.ts'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import type { LookupAccount, LookupItem, LookupKind, PlatformKey, PostType } from '#contract/platforms/rules.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import type { AccountRef, AppCredentials, MediaFile, Reach, Refusal, Secret, Sent } from './calls.ts'
import type { Inbox, InboxPush } from './inbox.ts'
import type { Promotion } from './promotion.ts'

export type { AccountRef, AppCredentials, MediaFile, Reach, Refusal, Secret, Sent }

/**
 * What an adapter is. One folder per platform implements it; everything a platform needs to differ in goes through
 * these types. Adapters return outcomes, they do not throw for what a platform answers; they touch neither the
 * database nor the clock, and they reach the network only through the one safe fetch.
 */
export type Platform = {
  key: PlatformKey
  connect: Connect
  publish: Publish
  /** What can be learnt from the account; absent where the platform shows nothing. */
  read?: Read
  /** What a composer looks up at the platform, such as boards; a kind that is absent cannot be looked up. */
  lookups?: Partial<Record<LookupKind, Lookup>>
  /** Why a kind of look-up that people expect is missing, for them. */
  closedLookups?: Partial<Record<LookupKind, Reason>>
  /** What a person can add there from here, such as a playlist; a kind that is absent is added at the platform itself. */
  additions?: Partial<Record<LookupKind, Addition>>
  /** What a person can change there from here, such as a board. */
  changes?: Partial<Record<LookupKind, Change>>
  /** Figures of published posts; absent where the platform tells none. */
  metrics?: Metrics
  /** Promoting published posts for money; absent where it is not done from here. */
  boost?: Promotion
  /** What people write to the account, and answering it; absent where no tool may read it. */
  inbox?: Inbox
  /** What it sends by itself when something was written; absent where it tells nothing. */
  push?: InboxPush
  budgets: readonly Budget[]
  /** Every host that the adapter speaks to or sends a browser to, as in an address. A federated account's server is not among them. */
  hosts: readonly string[]
  /**
   * Of a federation: the addresses of the servers that its makers run, where most accounts are. They are held to the bounds of the
   * platform, not to those of a server that anyone can set up.
   */
  mainServers?: readonly string[]
}

/**
 * What is counted: a step of publishing, one reading of figures (of as many posts as a call takes) or of conversations (one page), a
 * look-up, adding something there, a reply. Looking for a lost reply counts as `reconcile`, its files as `prepare`.
 */
export type BudgetUse = PublishStep | 'metrics' | 'inbox' | 'lookup' | 'addition' | 'reply'

/**
 * How many calls a platform takes in a window, per account, per app credentials, or per server of a federation, which counts by the
 * address of the caller (nothing is counted of accounts that have none). Cost is in tokens per use. A use that costs
 * nothing here is neither counted nor closed by it: where a platform limits each call by itself, readings stand in no budget of posts.
 */
export type Budget = {
  name: string
  per: 'channel' | 'credentials' | 'server'
  windowSeconds: number
  tokens: number
  cost: Partial<Record<BudgetUse, number>>
}

export type Account = {
  /** The platform's own id, such as a DID. */
  remoteId: string
  name: string
  handle: string
  pictureUrl: string | null
  /** The server of a federated account. */
  service: string | null
}

/** Apps that this installation registered at single servers of a federated platform, by the server's origin. */
export type InstanceApps = {
  /** `isFresh`: the server was seen to know it within minutes. `isRecent`: it was registered within a day. */
  find: (origin: string) => Promise<{ app: AppCredentials; isFresh: boolean; isRecent: boolean } | undefined>
  /** Keeps a new app, unless another one was kept meanwhile. Returns the one that is kept. */
  keep: (origin: string, app: AppCredentials) => Promise<AppCredentials>
  /** The server knows the app now. */
  confirm: (origin: string, app: AppCredentials) => Promise<void>
  /** The server no longer knows the app. One that was kept instead of it stays. */
  forget: (origin: string, app: AppCredentials) => Promise<void>
}

/** An account that was signed in to: whose it is, and what lets us act for it. */
export type SignedIn = {
  account: Account
  secret: Secret
  expiresAt: Date | null
  /** When the sign-in ends by itself, where the platform says so. */
  endsAt?: Date | null
  /** What the account is, when a person chooses among several: 'Page', 'Organization', 'Location'. */
  kind?: string
  /** Rights that were asked for and not given, in the platform's words: what needs them will be refused. */
  missing?: readonly string[]
  /** What is taken of this account otherwise than the rules say, where the platform tells it. */
  limits?: ChannelLimits
}

export type Connect = {
  /** How a person signs in: fields asked for here, or the platform's own page. */
  method: 'credentials' | 'oauth'
  /** Signs in with what the person typed and says whose account it is. */
  withCredentials?: (
    reach: Reach,
    fields: Record<string, string>,
  ) => Promise<({ kind: 'connected' } & SignedIn) | Refusal>
  /** Signs in by the platform's own page (OAuth); absent where it cannot be used here, such as without credentials of an app. */
  withPage?: ConnectByPage
  /** Ends the sign-in at the platform. Ending what has ended already succeeds, so that this may be repeated. */
  revoke?: (reach: Reach, secret: Secret, account: AccountRef) => Promise<{ kind: 'revoked' } | Refusal>
  /** Asks whether the sign-in still works, at a price that can be paid daily, when it ends by itself where that is known, what is taken of the account, and where its picture is now; absent `limits` and `pictureUrl` stay what they were. */
  check?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
  ) => Promise<{ kind: 'works'; endsAt: Date | null; limits?: ChannelLimits; pictureUrl?: string | null } | Refusal>
  /**
   * Renews the secret. Rotating tokens are spent by this: the caller holds a lease, journals the start and stores the
   * new secret before it is used.
   */
  refresh: (reach: Reach, secret: Secret, account: AccountRef) => Promise<RenewAnswer>
  /** Whether the secret should be renewed before it is used at `now`. */
  needsRefresh: (secret: Secret, expiresAt: Date | null, now: Date) => boolean
}

export type SignInAnswer = { kind: 'accounts'; accounts: SignedIn[] } | Refusal
export type RenewAnswer = { kind: 'refreshed'; secret: Secret; expiresAt: Date | null } | Refusal

export type ConnectByPage = {
  /**
   * Prepares to leave for the platform: where to, and what has to be kept until the answer comes (a verifier, keys). `state`
   * has to come back with the answer; `domain` is the server of a federated account as a person typed it, `login` the
   * account that should sign in, `variant` one of the ways that the platform's rules offer (`app.variants`).
   */
  begin: (
    reach: Reach,
    ask: { redirectUri: string; state: string; domain?: string; login?: string; variant?: string },
  ) => Promise<{ kind: 'begun'; url: string; keep: Secret } | Refusal>
  /** Takes what the platform sent the browser back with. Spends the code: called once for each `begin`. */
  answer: (reach: Reach, keep: Secret, params: Record<string, string>) => Promise<SignInAnswer>
  /** What the platform reads of us at `/oauth/{platform}/client-metadata.json`, where its protocol asks for such a page. */
  metadata?: () => Promise<Record<string, unknown>>
}

/** A private key on P-256, as JWK, by which an installation proves who it is. */
export type ClientKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string; d: string }

export type Read = {
  /** The account's newest own posts that carry text, newest first, at most `limit`: no replies, no reposts. */
  recentPosts: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    limit: number,
  ) => Promise<{ kind: 'posts'; posts: RecentPost[] } | Refusal>
}

/** A post as anyone sees it on the platform. `createdAt` is the platform's word, null where it makes no sense. */
export type RecentPost = { text: string; createdAt: Date | null }

/** What the machine does with a post, in order; `part` and `reconcileFollowUp` are `send` and `reconcile` of one part that follows the post. */
type PublishStep = 'prepare' | 'send' | 'poll' | 'readback' | 'reconcile' | 'followUp' | 'reconcileFollowUp'

/** Everything an adapter may know of a post. */
export type Outgoing = {
  postId: string
  postType: PostType
  contents: readonly { title?: string; text: string; media: readonly MediaFile[] }[]
  details: Record<string, unknown>
  /** A comment that follows the post. */
  firstComment: string | null
  /** Files named in the details, such as the picture of a link card, by asset id. */
  extraMedia: ReadonlyMap<string, MediaFile>
  createdAt: Date
  /** The key chosen before the first irreversible call. */
  sendKey: string
  /** What earlier steps of this post left. */
  progress: Record<string, unknown>
}

export type Publish = {
  /** A key of the adapter's own that lets it recognize the post afterwards, such as a record key. Unique per call. */
  chooseSendKey: (now: Date) => string
  /** Seconds that the irreversible call may take; the lease outlasts it. */
  sendTimeoutSeconds: number
  /**
   * Uploads and other reversible work. Its progress is stored before the send. `preparing` says that the platform is still
   * working on what was given to it: the progress is stored and prepare is called again with it.
   */
  prepare: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<PrepareAnswer>
  /** Whether `prepare` has anything to do for this post. */
  needsPrepare: (post: Pick<Outgoing, 'contents' | 'details'>) => boolean
  /**
   * How many sends of one account may be on their way at once, by the platform's own rules; 1 where they say nothing. Only for
   * platforms on which a key of ours tells our posts apart: elsewhere a lost answer is looked for by its words and its time.
   */
  simultaneousSends?: number
  /** The irreversible call. One attempt: the caller never repeats it without settling first. */
  send: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<SendAnswer>
  /** One look at a post that the platform is still working on. */
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
   * After a lost answer: whether the post of this send key is there. `absent` is believed only when read twice, 60 s apart.
   * `rejected` says that the platform will never show it to us: a person is asked at once, with the reason and its advice. A look
   * that was refused for any other cause is `unknown`, and done again.
   */
  reconcile: (reach: Reach, secret: Secret, account: AccountRef, post: Outgoing) => Promise<ReconcileAnswer>
  /** True when the platform's own key makes a second send of the same key harmless. */
  sendIsRepeatable: boolean
  /** What follows the post, in order: the further items of a thread, its first comment, its place in a playlist. Pure. */
  followUps?: (post: Pick<Outgoing, 'postType' | 'contents' | 'details' | 'firstComment'>) => readonly FollowUp[]
  /**
   * The key of a part, where the platform wants it in a shape of its own. It follows from the post's key and nothing else, so
   * that whoever holds the post (after a restore, too) knows it. Absent: `<key of the post>/<key of the part>`.
   */
  followUpSendKey?: (sendKey: string, part: FollowUp) => string
  /**
   * The irreversible call of one part, with a send key of its own; everything before it was sent. May answer `preparing`
   * as long as nothing irreversible was done.
   */
  sendFollowUp?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    part: FollowUpToSend,
  ) => Promise<FollowUpAnswer>
  /** After a lost answer: whether the part is there; its answers mean what those of `reconcile` do. */
  reconcileFollowUp?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    part: FollowUpToSend,
  ) => Promise<ReconcileAnswer>
  /** Removes a published post from the platform, with what followed it where that does not go by itself. */
  remove?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    remoteId: string,
  ) => Promise<{ kind: 'removed' } | Refusal>
  /** Changes a published post at the platform to what `post` holds. Absent where it takes no changes. */
  edit?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    post: Outgoing,
    remoteId: string,
  ) => Promise<{ kind: 'edited'; /** Where a change makes a new one. */ remoteId: string } | Refusal>
}

/** The platform took the post and works on it: `poll` looks again after so many seconds. */
export type Processing = { kind: 'processing'; progress: Record<string, unknown>; checkAfterSeconds: number }

/** The platform works on what it was given: look again after so many seconds. Nothing irreversible was done. */
export type Preparing = { kind: 'preparing'; progress: Record<string, unknown>; checkAfterSeconds: number }

export type PrepareAnswer = { kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal
export type SendAnswer = Sent | Processing | Refusal
export type FollowUpAnswer = Sent | Preparing | Refusal
export type ReconcileAnswer = Sent | { kind: 'absent' } | Refusal

/** One irreversible call after the post. `item` is the index in `contents` of a thread's item. */
export type FollowUp = { key: string } & ({ kind: 'item'; item: number } | { kind: 'comment' } | { kind: 'playlist' })

export type FollowUpToSend = FollowUp & {
  sendKey: string
  /** What earlier calls for this part left. */
  progress: Record<string, unknown>
  /** The post itself (key `post`) and the parts before this one, oldest first. */
  sent: readonly { key: string; remoteId: string; progress: Record<string, unknown> }[]
}

/**
 * Finds what a person can choose from, most likely first, at most `limit`. An empty query asks for all. `closed` says that the platform
 * doesn't let this channel look anything up, with the reason for people.
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
      /** Whose the answer is, where it has to be shown. */ account?: LookupAccount
    }
  | { kind: 'closed'; reason: Reason }

/** Adds something to choose from, such as a playlist. Asked once: a repeat may add a second one. */
export type Addition = (
  reach: Reach,
  secret: Secret,
  account: AccountRef,
  thing: { name: string; description: string; isPublic: boolean },
) => Promise<{ kind: 'added'; item: LookupItem } | Refusal>

/** Changes something to choose from, such as a board; what is undefined stays as it is. May be repeated. */
export type Change = (
  reach: Reach,
  secret: Secret,
  account: AccountRef,
  id: string,
  change: { name?: string | undefined; description?: string | undefined; privacy?: string | undefined },
) => Promise<{ kind: 'changed'; item: LookupItem } | Refusal>

export type Metrics = {
  /** How many posts one call takes. */
  most: number
  /** The figures of published posts, by remote id. A post that is gone is missing from the answer. Only reads. */
  read: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    posts: readonly { remoteId: string; postType: PostType; publishedAt: Date }[],
  ) => Promise<{ kind: 'metrics'; of: ReadonlyMap<string, PostMetrics> } | Refusal>
  /** Rights that reading needs beyond publishing, in the platform's words. */
  needs?: readonly string[]
}
