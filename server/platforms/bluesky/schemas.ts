import { z } from 'zod'
import { codeWord } from '../quotes.ts'
import { DpopKey } from './dpop.ts'

/** Responses of the AT Protocol, as far as we read them (lexicons com.atproto.*, app.bsky.actor.getProfile). */

export const XrpcError = z.object({ error: z.string().transform(codeWord), message: z.string().optional() })

export const Did = z.string().regex(/^did:[a-z]+:[a-zA-Z0-9._:%-]+$/)

export const Session = z.object({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  handle: z.string(),
  did: Did,
  didDoc: z.unknown(),
  active: z.boolean().optional(),
  status: z.string().optional(),
})
export type Session = z.infer<typeof Session>

/** com.atproto.server.getSession: whose session it is. */
export const CurrentSession = z.object({
  handle: z.string(),
  did: Did,
  active: z.boolean().optional(),
  status: z.string().optional(),
})

/** The part of a DID document that names the account's own server. */
export const DidDocument = z.object({
  id: z.string(),
  service: z.array(z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.unknown() })).default([]),
})

export const Profile = z.object({
  displayName: z.string().optional(),
  avatar: z.url({ protocol: /^https?$/ }).optional(),
})

/** app.bsky.actor.searchActorsTypeahead. */
export const FoundActors = z.object({
  actors: z.array(
    z.object({
      did: Did,
      handle: z.string(),
      displayName: z.string().optional(),
      avatar: z
        .url({ protocol: /^https?$/ })
        .optional()
        .catch(undefined),
    }),
  ),
})

/** A reference to an uploaded file, passed on unchanged to the record. */
export const Blob = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string() }),
  mimeType: z.string(),
  size: z.int(),
})
export type Blob = z.infer<typeof Blob>

export const UploadedBlob = z.object({ blob: Blob })
export const ResolvedHandle = z.object({ did: Did })
export const CreatedRecord = z.object({ uri: z.string().startsWith('at://'), cid: z.string() })
export const FoundRecord = z.object({
  uri: z.string().startsWith('at://'),
  cid: z.string().optional(),
  value: z.object({ $type: z.literal('app.bsky.feed.post') }),
})
/** A page of com.atproto.repo.listRecords. Records can contain anything, so each is parsed separately. */
const Count = z.int().nonnegative().nullable().catch(null)
/** A post's metrics (lexicon app.bsky.feed.defs, postView). An app view may leave counts out. */
export const PostView = z.object({
  uri: z.string().startsWith('at://'),
  likeCount: Count,
  replyCount: Count,
  repostCount: Count,
  quoteCount: Count,
  bookmarkCount: Count,
})
export type PostView = z.infer<typeof PostView>
export const PostViews = z.object({ posts: z.array(PostView) })
/** deleteRecord returns the commit, or nothing if the record was already deleted. */
export const Anything = z.unknown()

/**
 * What is encrypted for a channel that uses an app password. The password is kept to open a new session when this one
 * ends; see the docs.
 */
const PasswordSecret = z.object({
  accessJwt: z.string(),
  refreshJwt: z.string(),
  did: Did,
  pds: z.string(),
  appPassword: z.string().optional(),
})

/** The account's authorization server, as far as an open session needs it. */
export const AuthorizationServer = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string().optional(),
})

/**
 * What is encrypted for a channel that used its server's sign-in page: tokens that are bound to a key of this channel.
 */
const PageSecret = z.object({
  accessJwt: z.string(),
  did: Did,
  pds: z.string(),
  oauth: z.object({
    server: AuthorizationServer,
    clientId: z.string(),
    /** Whether we authenticated with our own key, which later calls then need too. */ proven: z.boolean(),
    refreshToken: z.string(),
    key: DpopKey,
    /** Seconds since 1970; null if the server sets no end. */ endsAt: z.number().nullable(),
  }),
})
export type PasswordSecret = z.infer<typeof PasswordSecret>
export type PageSecret = z.infer<typeof PageSecret>

export const BlueskySecret = z.union([PageSecret, PasswordSecret])
export type BlueskySecret = z.infer<typeof BlueskySecret>

export const ServiceToken = z.object({ token: z.string().min(1) })

/** app.bsky.video.getUploadLimits. */
export const UploadLimits = z.object({
  canUpload: z.boolean(),
  remainingDailyVideos: z.int().optional(),
  remainingDailyBytes: z.int().optional(),
  message: z.string().optional(),
  error: z.string().transform(codeWord).optional(),
})

const JobStatus = z.object({
  jobId: z.string(),
  state: z.string().default(''),
  blob: Blob.optional(),
  error: z.string().transform(codeWord).optional(),
  failureCode: z.string().transform(codeWord).optional(),
  message: z.string().optional(),
})
/**
 * The state of a video at the video service. uploadVideo returns it unwrapped although its lexicon wraps it
 * (bluesky-social/atproto issue 3026).
 */
export const JobReply = z.union([z.object({ jobStatus: JobStatus }).transform(({ jobStatus }) => jobStatus), JobStatus])
export type JobReply = z.infer<typeof JobReply>

/** A video at the video service: its job after the upload, how often we checked, and how many jobs failed. */
export const VideoJob = z.object({ id: z.string().nullable(), looks: z.int(), failed: z.int() })
export type VideoJob = z.infer<typeof VideoJob>

/** What `prepare` stores: files by asset ID, and the account of each mentioned handle, null if there is none. */
export const Prepared = z.object({
  blobs: z.record(z.string(), Blob).default({}),
  dids: z.record(z.string(), Did.nullable()).default({}),
  /** Videos that the video service is processing, by asset ID. */
  jobs: z.record(z.string(), VideoJob).default({}),
  /** Content hashes of files that the account's server has dropped. */
  dropped: z.array(z.string()).default([]),
  /** Whether something is still in progress, so that the next preparation continues it. */
  unfinished: z.boolean().default(false),
})
export type Prepared = z.infer<typeof Prepared>

/** What is stored for a post or follow-up; empty if it's something else. */
export const preparedIn = (progress: Record<string, unknown>): Prepared =>
  Prepared.safeParse(progress).data ?? Prepared.parse({})

const Address = z
  .url({ protocol: /^https?$/ })
  .optional()
  .catch(undefined)
const Uri = z.string().startsWith('at://')
const When = z
  .string()
  .transform((text) => new Date(text))
  .refine((at) => !Number.isNaN(at.getTime()))

/** The author of a post or message (app.bsky.actor.defs, chat.bsky.actor.defs, profileViewBasic). */
const Author = z.object({ did: Did, handle: z.string().catch(''), displayName: z.string().catch(''), avatar: Address })
export type Author = z.infer<typeof Author>

const Facets = z
  .array(z.object({ features: z.array(z.object({ $type: z.string(), did: z.string().optional() })) }))
  .catch([])
const Reference = z.object({ uri: Uri })
/** A post's record, as far as a conversation needs it. Its author can have put anything in it. */
const SpokenRecord = z.object({
  text: z.string().catch(''),
  createdAt: When.nullable().catch(null),
  reply: z.object({ root: Reference, parent: Reference }).nullable().catch(null),
  facets: Facets,
  embed: z
    .union([
      z.object({ record: Reference }).transform(({ record }) => record.uri),
      z.object({ record: z.object({ record: Reference }) }).transform(({ record }) => record.record.uri),
    ])
    .nullable()
    .catch(null),
})
const Shown = z.object({
  images: z
    .array(z.object({ fullsize: Address, alt: z.string().catch('') }))
    .optional()
    .catch(undefined),
  external: z
    .object({ uri: Address, title: z.string().catch('') })
    .optional()
    .catch(undefined),
  thumbnail: Address,
})
/** A post as displayed (app.bsky.feed.defs, postView). */
const SpokenView = z.object({
  uri: Uri,
  author: Author,
  record: SpokenRecord,
  embed: Shown.and(z.object({ media: Shown.optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  indexedAt: When,
})
export type SpokenView = z.infer<typeof SpokenView>
/** Posts that can't be parsed are left out. */
export const SpokenViews = z.object({
  posts: z.array(z.unknown()).transform((posts) => posts.flatMap((post) => SpokenView.safeParse(post).data ?? [])),
})
const Pinned = z.object({ uri: Uri, cid: z.string() })
/** What replies need to know about a post: its version, and where its thread begins. */
export const Answerable = z.object({
  posts: z.array(
    Pinned.extend({
      record: z.object({ reply: z.object({ root: Pinned }).optional().catch(undefined) }).catch({}),
    }),
  ),
})
const Notification = z.object({ uri: Uri, reason: z.string(), indexedAt: When })
export const Notified = z.object({
  cursor: z.string().optional(),
  notifications: z
    .array(z.unknown())
    .transform((list) => list.flatMap((one) => Notification.safeParse(one).data ?? [])),
})
type ThreadNode = { post: SpokenView; parent?: ThreadNode | undefined }
const ThreadNode: z.ZodType<ThreadNode> = z.object({
  post: SpokenView,
  // a parent that is gone or blocked ends what can be seen
  get parent() {
    return ThreadNode.optional().catch(undefined)
  },
})
/** app.bsky.feed.getPostThread, upwards. */
export const Thread = z.object({ thread: ThreadNode.nullable().catch(null) })
/** Own posts with what they answer. */
export const OwnPosts = z.object({
  records: z.array(
    z.object({ uri: Uri, value: z.object({ reply: z.object({ parent: Reference }).optional().catch(undefined) }) }),
  ),
})

const Message = z.object({ id: z.string(), text: z.string().optional(), sender: z.object({ did: Did }), sentAt: When })
export type Message = z.infer<typeof Message>
const Convo = z.object({ id: z.string(), rev: z.string(), members: z.array(Author) })
export type Convo = z.infer<typeof Convo>
export const Convos = z.object({
  convos: z.array(z.unknown()).transform((list) => list.flatMap((one) => Convo.safeParse(one).data ?? [])),
  cursor: z.string().optional(),
})
export const OneConvo = z.object({ convo: Convo })
/** chat.bsky.convo.sendMessage. */
export const SentMessage = z.object({ id: z.string() })
const messagesOf = (list: readonly unknown[]): Message[] => list.flatMap((one) => Message.safeParse(one).data ?? [])
/** What isn't someone's message, such as that someone joined, is left out. */
export const Messages = z.object({
  messages: z.array(z.unknown()).transform(messagesOf),
  cursor: z.string().optional(),
})
const ChatEvent = z.object({ $type: z.string(), convoId: z.string(), message: Message })
/** chat.bsky.convo.getLog: what was written and deleted since. */
export const ChatLog = z.object({
  cursor: z.string().optional(),
  logs: z.array(z.unknown()).transform((logs) => logs.flatMap((log) => ChatEvent.safeParse(log).data ?? [])),
})
