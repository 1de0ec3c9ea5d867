import type { ConversationKind, EntityType, ReactionKind } from '#contract/inbox/terms.ts'
import type { Reason } from '#contract/failures/catalog.ts'
import type { AccountRef, MediaFile, Reach, Refusal, Secret, Sent } from './calls.ts'

/*
 * What an adapter can do for the inbox. What it may do (which kinds, how much, how long after) are rules as data:
 * contract/platforms/inboxRules.ts. Everything that reads is told as changes, in any order and as often as it comes: the
 * inbox keeps one row per remote id, and an older version of it changes nothing.
 */

/** Someone on the platform. */
export type RemotePerson = {
  remoteId: string
  name: string
  handle: string
  pictureUrl: string | null
  url: string | null
}

export type RemoteMedia = {
  kind: 'image' | 'video' | 'audio' | 'file' | 'link'
  url: string | null
  name: string | null
  altText: string | null
}

/** The post that a conversation is about. `isOurs`: written by the account itself. */
export type RemoteSubject = {
  remoteId: string
  text: string
  at: Date | null
  url: string | null
  isOurs: boolean
  person: RemotePerson | null
}

/** Something that was written. */
export type RemoteItem = {
  change: 'item'
  remoteId: string
  /** The same for everything in one conversation: the root comment, the other person or the platform's own conversation, the post that mentions, the review. */
  threadKey: string
  conversation: ConversationKind
  type: EntityType
  /** What it answers, where the platform says so. */
  parentRemoteId: string | null
  /** Null where the platform withholds it. */
  author: RemotePerson | null
  /** The account itself wrote it: by us, or on the platform. */
  isOurs: boolean
  /** The other side of a conversation of two. */
  counterpart: RemotePerson | null
  text: string
  /** The content warning that the text begins with. */
  warning?: string
  media: readonly RemoteMedia[]
  at: Date
  /** Orders the versions of one item: the time of the edit in ms, or the platform's own number. The first is the lowest. */
  version: number
  editedAt: Date | null
  hidden: boolean
  /** Hidden until someone decides: it opens its conversation all the same. */
  held?: boolean
  url: string | null
  /** 1 to 5. */
  rating: number | null
  subject: RemoteSubject | null
}
/** Something is gone. A late `item` doesn't bring it back. */
type RemoteDeletion = { change: 'deleted'; remoteId: string; at: Date }
export type InboxChange = RemoteItem | RemoteDeletion

/** Where reading continues: the adapter's own shape, as JSON. */
export type Cursor = Record<string, unknown>

export type ReadAsk = {
  kind: ConversationKind
  /** Null at the first reading. */
  cursor: Cursor | null
  /** The first reading goes back to here. */
  since: Date
  now: Date
  /** Where the platform charges for what is read: no more items than this. */
  most?: number
  /** Our newest published posts, newest first: for platforms whose comments are read post by post. */
  posts: readonly { remoteId: string; publishedAt: Date }[]
}
/** `more`: there is more to read at once. `closed`: this channel's kind can't be read, with the reason for people. */
export type ReadAnswer =
  | {
      kind: 'read'
      changes: readonly InboxChange[]
      cursor: Cursor
      more: boolean
      /** Items that the platform charges for; absent where it charges nothing. */
      charged?: number
    }
  | { kind: 'closed'; reason: Reason; reconnect: boolean }

export type OutgoingReply = {
  replyId: string
  conversation: ConversationKind
  threadKey: string
  /** What is answered; null for a message into a conversation as such. */
  parent: { remoteId: string; type: EntityType; at: Date } | null
  /** What the conversation is about. */
  subjectRemoteId: string | null
  counterpart: RemotePerson | null
  text: string
  media: readonly MediaFile[]
  sendKey: string
  /** When it was written; with `distinctTimes` of its platform when it was first tried. */
  createdAt: Date
  /** The window that it is sent in, where the platform distinguishes them (`windows` of the rules). */
  window: string | null
  /** Remote ids of other things that we wrote in the conversation: what reconciling finds is none of them. */
  others: readonly string[]
  /** What `prepare` left. */
  progress: Record<string, unknown>
}

export type InboxReplies = {
  /** A key by which the reply can be recognized afterwards. Unique per call. */
  chooseSendKey: (now: Date) => string
  /** True where the platform's own key makes a second send of the same key harmless. */
  sendIsRepeatable: boolean | ((reply: Pick<OutgoingReply, 'conversation'>) => boolean)
  /** Uploads what the reply shows, before it is sent; asked only where it has files. What it keeps comes back as `progress`. */
  prepare?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    reply: OutgoingReply,
  ) => Promise<
    | { kind: 'prepared'; progress: Record<string, unknown> }
    | { kind: 'preparing'; progress: Record<string, unknown>; checkAfterSeconds: number }
    | Refusal
  >
  /**
   * The irreversible call, once. `unknown` where it may have been sent. Its requests end within 30 seconds together, or a
   * short lease withholds them.
   */
  send: (reach: Reach, secret: Secret, account: AccountRef, reply: OutgoingReply) => Promise<Sent | Refusal>
  /** After a lost answer: whether it is there. `absent` is believed when read twice, 60 s apart. */
  reconcile: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    reply: OutgoingReply,
  ) => Promise<Sent | { kind: 'absent' } | Refusal>
  /** Deletes what was sent. Deleting what is gone succeeds. Absent where the platform doesn't. */
  remove?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    remoteId: string,
  ) => Promise<{ kind: 'removed' } | Refusal>
  /** Changes what was sent; may be repeated. Absent where the platform doesn't. */
  edit?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    remoteId: string,
    text: string,
  ) => Promise<{ kind: 'edited'; remoteId: string } | Refusal>
}

/** Idempotent: the last wish wins. */
export type InboxActions = {
  react?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    item: { remoteId: string; type: EntityType; threadKey: string },
    reaction: ReactionKind | null,
  ) => Promise<{ kind: 'done' } | Refusal>
  hide?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    item: { remoteId: string; type: EntityType },
    hidden: boolean,
  ) => Promise<{ kind: 'done' } | Refusal>
  /** Deletes what someone else wrote. */
  remove?: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    item: { remoteId: string; type: EntityType },
  ) => Promise<{ kind: 'done' } | Refusal>
}

/** What a platform sends us without being asked. */
export type InboxPush = {
  /** What the platform wants to read when it checks our address; null where the request is none of its own. */
  challenge: (
    query: Readonly<Partial<Record<string, string>>>,
    app: { clientSecret: string; verifyToken: string },
  ) => { text: string; contentType: string } | null
  /** Whether the app's secret signed these bytes. */
  isSigned: (headers: Readonly<Partial<Record<string, string>>>, raw: string, clientSecret: string) => boolean
  /** The accounts that it is about, by remote id, and what is worth reading now. Throws for what makes no sense. */
  parse: (raw: string) => readonly { accountRemoteId: string; kinds: readonly ConversationKind[] }[]
  /** It asks for a word of ours beside the address, by which it checks it. */
  asksForToken?: true
  /** Asks to be notified of this account; may be repeated. Absent where the app is notified of all its accounts. */
  subscribe?: (reach: Reach, secret: Secret, account: AccountRef) => Promise<{ kind: 'subscribed' } | Refusal>
  /** Ends that, for all channels that are this account. Ending what has ended succeeds. */
  unsubscribe?: (reach: Reach, secret: Secret, account: AccountRef) => Promise<{ kind: 'unsubscribed' } | Refusal>
  /**
   * The person whose data is to be deleted, from what the platform posts: null where it names nobody. Null in all where
   * this app's secret didn't sign it.
   */
  deletionOf?: (body: string, clientSecret: string) => { userId: string | null } | null
}

/** Where and how a server sends notifications by Web Push: an address of ours, our public key and a secret, in base64url. */
export type PushTarget = { endpoint: string; publicKey: string; auth: string }

/** What a platform sends us by Web Push, for one account at a time (server/inbox/webPush.ts). */
export type InboxWebPush = {
  /** Subscribes the account's sign-in, instead of where it was subscribed before. `serverKey`: by which the server signs, in base64url. */
  subscribe: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    target: PushTarget,
  ) => Promise<{ kind: 'subscribed'; serverKey: string } | Refusal>
  /** Ends that. Ending what has ended succeeds. */
  unsubscribe: (reach: Reach, secret: Secret, account: AccountRef) => Promise<{ kind: 'unsubscribed' } | Refusal>
  /** What is worth reading after this notification, none if it's about something else. Never throws. */
  kindsOf: (text: string) => readonly ConversationKind[]
}

export type Inbox = {
  /**
   * The kinds that are read, in groups that one reading brings together: the first names the group when it is asked for,
   * and what comes may be of any of them.
   */
  reads: readonly (readonly [ConversationKind, ...ConversationKind[]])[]
  /** Readings of one channel are at least so far apart, to the minute, where the platform takes few calls. */
  leastMinutes?: number
  /** Where the platform charges for what is read: items of one page, and the fewest that it can be asked for. */
  pays?: { most: number; least: number }
  read: (reach: Reach, secret: Secret, account: AccountRef, ask: ReadAsk) => Promise<ReadAnswer | Refusal>
  /**
   * Where the platform's terms let us keep texts for a short time only: the cursor with which the next reading also brings this
   * conversation again. Undefined if the platform can't be asked for it. Pure.
   */
  again?: (
    cursor: Cursor,
    conversation: {
      conversation: ConversationKind
      threadKey: string
      subjectRemoteId: string | null
      subjectText: string
    },
    now: Date,
  ) => Cursor | undefined
  /** Absent: it is read, and answered on the platform. */
  replies?: InboxReplies
  actions?: InboxActions
}
