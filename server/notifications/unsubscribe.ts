import { createHmac, timingSafeEqual } from 'node:crypto'
import { alwaysMailed, noticeTopics, type NoticeTopic } from '#contract/notices.ts'
import { webLinks } from '#contract/webLinks.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { choose, readPreferences } from './preferences.ts'

/** Whose emails, about what: everything an unsubscribe link can stop. */
export type Subscription = { personId: string; topics: readonly NoticeTopic[] }

/** The purpose for which the installation's secret signs these links. */
export const UNSUBSCRIBE = 'unsubscribe'
const [ID, TOPICS, SIGNATURE] = [16, 2, 16] as const

/** Each topic's bit in a token. Emails are kept for years, so a bit never changes its topic. */
const bitOf: Record<NoticeTopic, number> = {
  failed_posts: 0,
  channels: 1,
  approvals: 2,
  notes: 3,
  discussions: 4,
  inbox: 5,
  invitations: 6,
  publishing: 7,
  plan: 8,
  inbox_assigned: 9,
  inbox_unassigned: 10,
  low_reviews: 11,
  insights: 12,
  reports: 13,
}

/**
 * The signed token of an email's link: person, topics as bits, and 128 bits of HMAC-SHA256. It never expires; all it can
 * do is stop emails.
 */
export function signUnsubscribe(secret: string, { personId, topics }: Subscription): string {
  const bits = Buffer.alloc(TOPICS)
  bits.writeUInt16LE(topics.reduce((sum, topic) => sum | (1 << bitOf[topic]), 0))
  const said = Buffer.concat([Buffer.from(personId.replaceAll('-', ''), 'hex'), bits])
  return Buffer.concat([said, signatureOf(secret, said)]).toString('base64url')
}

/** A token's content; undefined for one that wasn't signed here. */
export function readUnsubscribe(secret: string, token: string): Subscription | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const topicBytes = bytes.length - ID - SIGNATURE
  // earlier links have one byte, for the first eight bits
  if (topicBytes !== TOPICS && topicBytes !== 1) return undefined
  const said = bytes.subarray(0, ID + topicBytes)
  if (!timingSafeEqual(signatureOf(secret, said), bytes.subarray(ID + topicBytes))) return undefined
  const hex = said.toString('hex', 0, ID)
  const personId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const bits = said.readUIntLE(ID, topicBytes)
  return { personId, topics: noticeTopics.filter((topic) => (bits & (1 << bitOf[topic])) !== 0) }
}

const signatureOf = (secret: string, said: Buffer): Buffer =>
  createHmac('sha256', secret).update(said).digest().subarray(0, SIGNATURE)

/**
 * Stops the emails that a link names; notifications in the app continue. Safe to repeat. Throws NOT_FOUND for a forged
 * link. In a system transaction.
 */
export async function stopMails(tx: Tx, secret: string, token: string): Promise<NoticeTopic[]> {
  const known = readUnsubscribe(secret, token)
  const person =
    known && (await tx.selectFrom('person').select('id').where('id', '=', known.personId).executeTakeFirst())
  if (!person) throw fail('NOT_FOUND', { detail: 'This link is not complete. Open it from the mail again.' })
  const { topics } = await readPreferences(tx, person.id)
  const stopped = topics.filter(({ topic }) => known.topics.includes(topic) && !alwaysMailed.includes(topic))
  for (const choice of stopped) await choose(tx, person.id, { ...choice, mail: false })
  return stopped.map(({ topic }) => topic)
}

/** The page for people who open the link: the web app asks, because opening a link must not change anything. */
export function pageOf(publicUrl: string, token: string): string {
  const address = `${publicUrl}${webLinks.unsubscribe(token)}`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stop mails</title><meta http-equiv="refresh" content="0;url=${address}"></head><body><p><a href="${address}">Go on to Rookery</a></p></body></html>`
}
