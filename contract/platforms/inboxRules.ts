import type { ConversationKind, ReactionKind } from '../inbox/terms.ts'
import type { TextLimit } from './rules.ts'

/*
 * What each platform lets us read and answer, as data. Shared code asks these rules; it never tests for a platform's
 * name.
 */

/** Replies within this many hours of the other side's last item are sent as `as`, in the platform's own terms. */
export type AnsweringWindow = {
  hours: number
  as: string
  /** Only replies that a person wrote and sent. */ byPersonOnly?: true
}

export type ReplyRules = {
  limit: TextLimit
  /** How many pictures one reply can have. */
  pictures: number
  /** Absent: replies are always possible. After the last window they aren't. */
  windows?: readonly AnsweringWindow[]
  /** How many replies one item can have, if the platform limits it. */
  mostPerItem?: number
  /** Mentions of those whom it answers are put in front of a reply, and count. */
  mentionsAnswered?: true
  edit: boolean
  delete: boolean
  /** What the platform charges for a reply, in US dollars. */
  price?: number
}

export type KindRules = {
  /** The platform's name for conversations of this kind. */
  label: string
  /** Null: it can be read but not answered from here; `closed` says why. */
  reply: ReplyRules | null
  reactions: readonly ReactionKind[]
  hide: boolean
  /** On this platform, hiding means holding for review: hidden items can be approved. */
  hidingHolds?: true
  /** Whether someone else's item can be deleted. */
  delete: boolean
  closed?: Partial<Record<'reply' | 'react' | 'hide' | 'delete', string>>
  /** Permissions that reading needs beyond publishing, in the platform's words. */
  needs?: readonly string[]
}

export type InboxRules = {
  kinds: Partial<Record<ConversationKind, KindRules>>
  /** Why the platform's inbox, or a kind that people expect, can't be read. */
  closed?: Partial<Record<ConversationKind | 'all', string>>
  /** How long its terms let us keep what others wrote, in hours; absent: as long as the organization wants. */
  keep?: { textHours?: number; personHours?: number }
  /** Its terms don't allow its members' texts to leave the app, such as in an organization's data export. */
  noExport?: true
  /** Its terms don't allow AI models to assess its members' texts. */
  noModel?: true
  /**
   * The maximum cost of reading one item with its people, in US dollars: it's read within a limit that the organization
   * sets.
   */
  readPrice?: number
}

/** Messenger's and Instagram's: the clock starts again with each message of the other side. */
export const META_MESSAGE_WINDOWS: readonly AnsweringWindow[] = [
  { hours: 24, as: 'reply' },
  { hours: 168, as: 'human_agent', byPersonOnly: true },
]
