import type { InboxChange, RemoteItem, RemotePerson, RemoteSubject } from '../platforms/inbox.ts'

/*
 * What strangers write must not stop a reading: a key that no index takes, or a time that no column holds, would fail the
 * same page again and again. What can be made to fit is; what can't is left out.
 */

/** Characters. Keys stand in indexes, which take 2,700 bytes. */
const MOST = { key: 500, text: 50_000, name: 300, address: 2000, media: 20 } as const
const EARLIEST = Date.UTC(2000, 0)
/** Clocks differ. */
const AHEAD_MS = 5 * 60_000

/** The change within these bounds, or nothing where its keys are out of them. */
export function bounded(change: InboxChange, now: Date): InboxChange[] {
  if (!isKey(change.remoteId)) return []
  const at = timeOf(change.at, now)
  if (change.change === 'deleted') return [{ ...change, at }]
  if (!isKey(change.threadKey)) return []
  return [
    {
      ...change,
      at,
      parentRemoteId: change.parentRemoteId !== null && isKey(change.parentRemoteId) ? change.parentRemoteId : null,
      author: personOf(change.author),
      counterpart: personOf(change.counterpart),
      text: clipped(change.text, MOST.text),
      ...(change.warning !== undefined && { warning: clipped(change.warning, MOST.text) }),
      media: change.media.slice(0, MOST.media).map((one) => ({
        ...one,
        url: addressOf(one.url),
        name: one.name === null ? null : clipped(one.name, MOST.name),
        altText: one.altText === null ? null : clipped(one.altText, MOST.text),
      })),
      version: Number.isSafeInteger(change.version) && change.version > 0 ? change.version : 0,
      editedAt: change.editedAt && timeOf(change.editedAt, now),
      url: addressOf(change.url),
      rating: ratingOf(change),
      subject: subjectOf(change.subject),
    },
  ]
}

/** Whether it can be a key: not empty, and short enough for an index. */
export const isKey = (key: string): boolean => key.length > 0 && key.length <= MOST.key

/** A time that nobody can believe is the one at which we heard of it. */
const timeOf = (at: Date, now: Date): Date =>
  at.getTime() >= EARLIEST && at.getTime() <= now.getTime() + AHEAD_MS ? at : now

/** Never half of a pair. */
const clipped = (text: string, most: number): string => text.slice(0, most).toWellFormed()

const addressOf = (url: string | null): string | null => (url !== null && url.length <= MOST.address ? url : null)

const ratingOf = ({ rating }: Pick<RemoteItem, 'rating'>): number | null =>
  rating !== null && Number.isInteger(rating) && rating >= 1 && rating <= 5 ? rating : null

const personOf = (person: RemotePerson | null): RemotePerson | null =>
  person && isKey(person.remoteId)
    ? {
        remoteId: person.remoteId,
        name: clipped(person.name, MOST.name),
        handle: clipped(person.handle, MOST.name),
        pictureUrl: addressOf(person.pictureUrl),
        url: addressOf(person.url),
      }
    : null

const subjectOf = (subject: RemoteSubject | null): RemoteSubject | null =>
  subject && isKey(subject.remoteId)
    ? {
        ...subject,
        text: clipped(subject.text, MOST.text),
        at: subject.at && Number.isNaN(subject.at.getTime()) ? null : subject.at,
        url: addressOf(subject.url),
        person: personOf(subject.person),
      }
    : null
