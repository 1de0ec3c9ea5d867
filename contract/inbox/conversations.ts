import { z } from 'zod'
import { Id, Instant, ProjectParams, WebAddress } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { StoredReason } from '../failures/define.ts'
import { LabelColor } from '../labels.ts'
import { ChannelLimits } from '../platforms/limits.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { listOf, PostFailure } from '../postLists.ts'
import { Editor } from '../presence.ts'
import {
  ConversationKind,
  ConversationStatus,
  Direction,
  EntityType,
  InboxSorting,
  ReactionKind,
  ReplyState,
  Sentiment,
  UnsentState,
} from './terms.ts'

/** The index of a name in its array next to the conversations, from 0. */
const Place = z.int().nonnegative()

export const ConversationParams = ProjectParams.extend({ conversationId: Id })
/** Everyone who may see the inbox. Which kinds of conversations they see is decided by `dm` and `comment`. */
export const inboxReaders = can('inbox', 'view')

/** Who wrote, as the platform shows them. The name is empty where the platform's terms let us keep none. */
export const InboxPerson = z.object({
  name: z.string(),
  handle: z.string(),
  pictureUrl: z.string().nullable(),
  /** Their profile on the platform. */
  url: WebAddress.nullable(),
})
export type InboxPerson = z.infer<typeof InboxPerson>

export const InboxChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  handle: z.string(),
  platformName: PlatformKey,
  profileUrl: z.string().nullable(),
  simulated: z.boolean(),
})
const InboxLabel = z.object({ labelId: Id, labelName: z.string(), color: LabelColor })

/** The newest item that holds every word of a search. */
const SearchHit = z.object({
  itemId: Id,
  /** The part of its text, or of the text of one of its pictures, that shows where, in one line. */
  text: z.string(),
  /** What was found: places of `text`, from and to, in their order. */
  marks: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

/**
 * A conversation of a list. Channels, members and labels are given once beside the conversations, and here by their places
 * there.
 */
export const ConversationItem = z.object({
  conversationId: Id,
  kind: ConversationKind,
  status: ConversationStatus,
  channel: Place,
  /** The other side; null where several people take part and none began it, or the platform withholds it. */
  person: InboxPerson.nullable(),
  /** The beginning of the last item, and who wrote that. */
  preview: z.string(),
  lastDirection: Direction,
  /** Who wrote the last item, if it's neither one of ours nor by `person`. */
  lastAuthor: z.string().nullable(),
  lastAt: Instant,
  /** Items that nobody here has answered. */
  unanswered: z.int(),
  /** Since when the other side waits for an answer. */
  waitingSince: Instant.nullable(),
  /** Items that the platform holds for review until someone approves them. */
  held: z.int(),
  /** It has a reply from here that wasn't sent, or that a person has to check; FAILED where it has both. */
  unsent: UnsentState.nullable(),
  /** Something was received that the caller hasn't seen. */
  unread: z.boolean(),
  /** The team's notes on it and replies to them, for those who may read them. */
  notes: z.int(),
  /** The day on which it comes back, of FOLLOWUP. */
  followUpOn: z.iso.date().nullable(),
  assignee: Place.nullable(),
  labels: z.array(Place),
  /** Null: not judged. */
  sentiment: Sentiment.nullable(),
  /** The last moment at which the platform takes an answer; null where there is no such moment. */
  answerUntil: Instant.nullable(),
  /** 1 to 5, of a review. */
  rating: z.int().nullable(),
  version: z.int(),
  /** Where a search found it; null without one, and if only a name or handle was found. */
  hit: SearchHit.nullable(),
})
export type ConversationItem = z.infer<typeof ConversationItem>

export const NamedConversations = z.object({
  conversations: z.array(ConversationItem),
  channels: z.array(InboxChannel),
  members: z.array(Editor),
  labels: z.array(InboxLabel),
})

const flag = z.stringbool().optional()
/** Filters of the inbox; those of one name widen, those of different names narrow. */
export const InboxFilter = z.object({
  channelId: listOf(Id).optional(),
  platform: listOf(PlatformKey).optional(),
  kind: listOf(ConversationKind).optional(),
  /** All of them, unless some are named. */
  status: listOf(ConversationStatus).optional(),
  /** Members' ids, `me` and `nobody`. */
  assignee: listOf(z.union([Id, z.enum(['me', 'nobody'])])).optional(),
  labels: listOf(Id).optional(),
  /** `unknown` is what nobody judged. */
  sentiment: listOf(z.union([Sentiment, z.literal('unknown')])).optional(),
  unread: flag,
  /** Whether someone here has answered it. */
  answered: flag,
  /** Whether it has a reply from here that wasn't sent, or that a person has to check. */
  unsent: flag,
  /** Conversations about this post of ours. */
  postId: Id.optional(),
  /** Whose last item is from this instant on, and from before the other. */
  from: Instant.optional(),
  to: Instant.optional(),
  /**
   * Conversations with an item in which each of these words begins a word of its text, or of its author's name or handle,
   * with or without accents; of any status, unless some are named.
   */
  q: z.string().trim().min(1).max(100).optional(),
})
export const listConversations = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox',
  summary: 'List conversations with filters (paginated)',
  access: inboxReaders,
  cost: 'list',
  reads: ['conversation', 'channel', 'taxonomy', 'member'],
  params: ProjectParams,
  query: InboxFilter.extend({
    sort: InboxSorting.default('newest'),
    /** `next` of the page before. */
    after: z
      .string()
      .regex(/^\d{1,17}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Not the end of a page')
      .optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  reply: NamedConversations.extend({
    /** Null after the last page. */
    next: z.string().nullable(),
  }),
  errors: ['BAD_INPUT'],
  audit: null,
})

/** What can be done with an item or a conversation; `reason` says in words why not, where people would look for it. */
const Possible = z.object({ possible: z.boolean(), reason: z.string().nullable() })

export const InboxMedia = z.object({
  kind: z.enum(['image', 'video', 'audio', 'file', 'link']),
  /** Through our own server: no platform learns who looks. Null where the platform doesn't give it away. */
  url: z.string().nullable(),
  name: z.string().nullable(),
  altText: z.string().nullable(),
})

/** A picture that a reply from here is sent with. */
const ReplyFile = z.object({
  assetId: Id,
  fileName: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  altText: z.string(),
})

/** One thing that someone wrote, oldest first in a conversation. */
export const InboxItem = z.object({
  itemId: Id,
  type: EntityType,
  direction: Direction,
  /** Who wrote it on the platform. */
  person: InboxPerson.nullable(),
  /** Who wrote it from here. */
  member: Editor.nullable(),
  /** Null where it was deleted, or may not be kept any longer; `expired` tells them apart. */
  text: z.string().nullable(),
  /** The content warning that the text begins with. Replies to it get it, too. */
  warning: z.string().nullable(),
  expired: z.boolean(),
  rating: z.int().nullable(),
  media: z.array(InboxMedia),
  /** The item that it answers, where it isn't the one before. */
  parentId: Id.nullable(),
  at: Instant,
  editedAt: Instant.nullable(),
  deletedAt: Instant.nullable(),
  hidden: z.boolean(),
  /** Hidden because the platform holds it for review. */
  held: z.boolean(),
  /** Ours, on it. */
  reaction: ReactionKind.nullable(),
  /** On the platform. */
  url: WebAddress.nullable(),
  /** Of what was written from here: its reply, how far it got, and why no further. `member` wrote it. */
  reply: z
    .object({
      replyId: Id,
      state: ReplyState,
      failure: PostFailure.nullable(),
      /** The item that it answers; null for a message into the conversation as such. */
      itemId: Id.nullable(),
      /** Its pictures, of one that isn't on the platform yet; `media` has them afterwards. */
      files: z.array(ReplyFile),
    })
    .nullable(),
  can: z.object({
    react: z.array(ReactionKind),
    hide: z.boolean(),
    /** It's held for review, and showing it (`hide` with `hidden: false`) publishes it. */
    approve: z.boolean(),
    /** Of a reply that wasn't sent: it can be withdrawn. */
    delete: z.boolean(),
    edit: z.boolean(),
    /** A reply that failed can be sent again. */
    retry: z.boolean(),
    /** It is unconfirmed, and the caller may say whether it was sent. */
    confirm: z.boolean(),
  }),
})
export type InboxItem = z.infer<typeof InboxItem>

/** What a conversation is about: a post of ours or of someone else's. */
export const InboxSubject = z.object({
  /** Of a post that was published from here. */
  postId: Id.nullable(),
  text: z.string(),
  at: Instant.nullable(),
  url: WebAddress.nullable(),
  /** Of a post on the channel that was published elsewhere: its first picture, as a small square. */
  pictureUrl: z.string().nullable(),
  person: InboxPerson.nullable(),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId',
  summary: 'Get a conversation with its latest items, its subject, and the actions it allows',
  access: inboxReaders,
  cost: 'light',
  reads: ['conversation', 'channel', 'taxonomy', 'member', 'post'],
  params: ConversationParams,
  query: z.object({
    /** Items before this one, instead of the latest. */
    before: Id.optional(),
    /** Items after this one. */
    after: Id.optional(),
    /** Items before and after this one, with it. */
    around: Id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  reply: NamedConversations.omit({ conversations: true }).extend({
    conversation: ConversationItem,
    subject: InboxSubject.nullable(),
    /** Oldest first. */
    items: z.array(InboxItem),
    /** There are items before these. */
    more: z.boolean(),
    /** There are items after these. */
    later: z.boolean(),
    /** Other conversations with the same person on this channel, the newest first, at most 10. */
    earlier: z.array(z.object({ conversationId: Id, kind: ConversationKind, preview: z.string(), lastAt: Instant })),
    can: z.object({
      reply: Possible.extend({
        /** Characters, as the platform counts them, on this channel. */
        most: z.int().nullable(),
        /** How much a URL counts, where this channel's server sets it. */
        addressLength: z.int().nullable(),
        unit: z.string().nullable(),
        pictures: z.int(),
        /** Where the account's limits differ from the platform's rules, for text and pictures. */
        limits: ChannelLimits.nullable(),
        /** The platform takes it only as an answer of a person, from this moment on. */
        asPersonFrom: Instant.nullable(),
        /** What one reply costs the organization, in US dollars. */
        price: z.number().nullable(),
      }),
      react: Possible,
      hide: Possible,
      delete: Possible,
    }),
    /** Who else is writing an answer. */
    answering: z.array(Editor),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})

/** How reading a channel's conversations goes. */
export const inboxChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/channels',
  summary: 'Get the inbox status of each channel: what is read, since when, and any problems',
  access: inboxReaders,
  cost: 'light',
  reads: ['channel', 'conversation'],
  params: ProjectParams,
  reply: z.object({
    channels: z.array(
      InboxChannel.extend({
        kinds: z.array(
          z.object({
            kind: ConversationKind,
            /** `none`: the platform lets no tool read it. `reconnect`: it lacks a right. `late`: something delays it. */
            state: z.enum(['reading', 'first', 'late', 'reconnect', 'none']),
            readAt: Instant.nullable(),
            reason: StoredReason.nullable(),
          }),
        ),
      }),
    ),
  }),
  audit: null,
})
