import type { AdditionalDetails, DraftBody, Post } from '#contract/posts.ts'
import { isDay } from '#web/lib/dates.ts'
import { momentAt, nextSlot, type Moment } from '#web/lib/moment.ts'

export type LinkCard = NonNullable<AdditionalDetails['linkCard']>
export type Media = DraftBody['media'][number]

/** What the person has written so far, besides the pictures. */
export type Doc = {
  text: string
  channelIds: readonly string[]
  /** A card that was edited or saved; without one it is read from the first link. */
  card: LinkCard | undefined
  /** Links whose card was taken off. */
  cardsOff: readonly string[]
  mode: 'now' | 'once'
  when: Moment
}

export function emptyDoc(zone: string, now: Date, prefill: { channelIds?: readonly string[] | undefined; day?: string | undefined; clock?: string | undefined } = {}): Doc {
  const slot = nextSlot(now, zone)
  const when = prefill.day ? { ...slot, day: prefill.day, clock: prefill.clock ?? (prefill.day === slot.day ? slot.clock : '09:00') } : { ...slot, ...(prefill.clock ? { clock: prefill.clock } : {}) }
  return { text: '', channelIds: prefill.channelIds ?? [], card: undefined, cardsOff: [], mode: prefill.day ? 'once' : 'now', when }
}

/** A saved draft, with the next slot where it has no time of its own. `links` are those of its text. */
export function docOfDraft(draft: DraftBody, now: Date, links: readonly string[]): Doc {
  const { mode, date, time, timezone } = draft.schedule
  const slot = nextSlot(now, timezone)
  return {
    text: draft.text,
    channelIds: draft.channelIds,
    ...cardOf(draft.additionalDetails, links),
    mode: mode === 'now' ? 'now' : 'once',
    when: isDay(date) && /^\d\d:\d\d$/.test(time) ? { day: date, clock: time, zone: timezone } : slot,
  }
}

/** A post that is being edited: one channel, one content. One whose time has passed starts from the next slot. */
export function docOfPost(post: Post, now: Date, links: readonly string[]): Doc {
  const due = post.dueAt ? new Date(post.dueAt) : undefined
  return {
    text: post.contents[0]?.text ?? '',
    channelIds: post.channel ? [post.channel.channelId] : [],
    ...cardOf(post.additionalDetails, links),
    mode: due && post.status !== 'FAILED' ? 'once' : 'now',
    when: due && due > now ? momentAt(due, post.timezone) : nextSlot(now, post.timezone),
  }
}

function cardOf(details: AdditionalDetails, links: readonly string[]): Pick<Doc, 'card' | 'cardsOff'> {
  return { card: details.linkCard ?? undefined, cardsOff: details.linkCard === null ? links : [] }
}

/** What the server saves of it. */
export function draftOf(doc: Doc, media: readonly Media[], card: LinkCard | null | undefined): DraftBody {
  return {
    text: doc.text,
    media: [...media],
    channelIds: [...doc.channelIds],
    additionalDetails: card === undefined ? {} : { linkCard: card },
    schedule: { mode: doc.mode, date: doc.when.day, time: doc.when.clock, timezone: doc.when.zone },
  }
}

/** Whether there is anything worth a draft: an opened and abandoned composer leaves nothing behind. */
export function isWorthSaving(draft: DraftBody): boolean {
  return draft.text.trim() !== '' || draft.media.length > 0
}
