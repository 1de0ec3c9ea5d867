import type { ConversationKind, ReactionKind } from '../inbox/terms.ts'
import type { TextLimit } from './rules.ts'

/*
 * What each platform lets a tool read and answer, as data. Shared code asks these; it never tests a platform's name.
 */

/** Answers within so many hours of the other side's last item are sent as `as`, in the platform's own terms. */
export type AnsweringWindow = {
  hours: number
  as: string
  /** Only what a person wrote and sent. */ byPersonOnly?: true
}

export type ReplyRules = {
  limit: TextLimit
  /** Pictures of one reply; 0 where it takes none. */
  pictures: number
  /** Absent: it may be answered at any time. After the last window it can't be. */
  windows?: readonly AnsweringWindow[]
  /** Answers to one item, where the platform takes only so many. */
  mostPerItem?: number
  edit: boolean
  delete: boolean
  /** What the platform charges for one, in US dollars. */
  price?: number
}

export type KindRules = {
  /** How conversations of this kind are called there. */
  label: string
  /** Null: it can be read, and not answered from here; `closed` says why. */
  reply: ReplyRules | null
  reactions: readonly ReactionKind[]
  hide: boolean
  /** Hiding there means holding for review: what was hidden can be approved. */
  hidingHolds?: true
  /** Whether someone else's item can be deleted. */
  delete: boolean
  closed?: Partial<Record<'reply' | 'react' | 'hide' | 'delete', string>>
  /** Rights that reading needs, in the platform's words, beyond those of publishing. */
  needs?: readonly string[]
}

export type InboxRules = {
  kinds: Partial<Record<ConversationKind, KindRules>>
  /** Why the platform's inbox, or a kind that people expect, can't be read. */
  closed?: Partial<Record<ConversationKind | 'all', string>>
  /** How long its terms let us keep what others wrote, in hours; absent: as long as the organization wants. */
  keep?: { textHours?: number; personHours?: number }
  /** Its terms forbid that what its members wrote leaves the app, as in a copy of the organization's data. */
  noExport?: true
  /** Its terms forbid that a model judges what its members wrote. */
  noModel?: true
  /** What reading one item costs at most, with the people that it shows, in US dollars: it's read within a limit that the organization sets. */
  readPrice?: number
}

/** Messenger's and Instagram's: the clock starts again with each message of the other side. */
export const META_MESSAGE_WINDOWS: readonly AnsweringWindow[] = [
  { hours: 24, as: 'reply' },
  { hours: 168, as: 'human_agent', byPersonOnly: true },
]
