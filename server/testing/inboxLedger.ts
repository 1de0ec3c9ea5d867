import * as fc from 'fast-check'
import { remoteItem } from './inbox.ts'
import type { InboxChange, RemoteItem } from '../platforms/inbox.ts'

/*
 * A platform on which people write, edit, hide and delete, and so do we; and what the inbox hears of it. The ledger is what
 * is true there in the end.
 */

const START = Date.parse('2026-11-20T00:00:00Z')
/** The first two are messages. A message and a comment have the same key, which platforms' ids can have too. */
const THREADS = 4
const MESSAGE_THREADS = 2

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      thread: fc.nat(THREADS - 1),
      /** 0: we do. */
      who: fc.nat(3),
      text: fc.string({ maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), nth: fc.nat(), text: fc.string({ maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hide' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth: fc.nat() }) },
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

export type Played = {
  ledger: Map<string, RemoteItem>
  gone: Map<string, Date>
  /** Everything that was ever told, in its order. */
  told: InboxChange[]
}

/** What people do, step by step. `name` tells sequences on one channel apart. */
export function play(actions: readonly Action[], name: string): Played {
  const ledger = new Map<string, RemoteItem>()
  const gone = new Map<string, Date>()
  const told: InboxChange[] = []
  for (const [step, act] of actions.entries()) {
    const at = new Date(START + step * 60_000)
    if (act.kind === 'write') {
      const remoteId = `${name}item-${step}`
      const item = remoteItem({
        channelId: '',
        remoteId,
        threadKey: `${name}thread-${act.thread % MESSAGE_THREADS}`,
        conversation: act.thread < MESSAGE_THREADS ? 'message' : 'comment',
        from: `person${act.who}`,
        isOurs: act.who === 0,
        text: act.text,
        at,
      })
      ledger.set(remoteId, item)
      told.push(item)
      continue
    }
    const one = [...ledger.values()].filter(({ remoteId }) => !gone.has(remoteId))[
      act.nth % Math.max(1, ledger.size - gone.size)
    ]
    if (!one) continue
    if (act.kind === 'delete') {
      gone.set(one.remoteId, at)
      told.push({ change: 'deleted', remoteId: one.remoteId, at })
    } else {
      const changed = {
        ...one,
        version: step + 1,
        ...(act.kind === 'edit' ? { text: act.text, editedAt: at } : { hidden: !one.hidden }),
      }
      ledger.set(one.remoteId, changed)
      told.push(changed)
    }
  }
  return { ledger, gone, told }
}

/** What lists would show, counted from the platform itself. */
export function recounted({ ledger, gone }: Played) {
  const threads = Map.groupBy(ledger.values(), ({ threadKey, conversation }) => `${conversation} ${threadKey}`)
  return [...threads.values()].map((all) => {
    const there = all.filter(({ remoteId }) => !gone.has(remoteId))
    const last = (there.length > 0 ? there : all).at(-1)
    const ours = there.filter(({ isOurs }) => isOurs).at(-1)
    const theirs = there.filter(({ isOurs }) => !isOurs)
    const waiting = theirs.filter(({ at, hidden }) => !hidden && (!ours || at > ours.at))
    return {
      kind: last?.conversation,
      thread_key: last?.threadKey,
      last_at: last?.at,
      last_direction: last?.isOurs ? 'sent' : 'received',
      preview: there.length > 0 ? (last?.text ?? '').replace(/\s+/gu, ' ').trim() : '',
      last_received_at: theirs.at(-1)?.at ?? null,
      unanswered: waiting.length,
      waiting_since: waiting[0]?.at ?? null,
      answered: ours !== undefined,
    }
  })
}

/**
 * Actions, deliveries of what was told of them (lost, doubled, late, in any order), and one reading of everything, in any
 * order and in some pages.
 */
export const sequence = fc.array(action, { minLength: 1, maxLength: 25 }).chain((actions) => {
  const { told } = play(actions, '')
  const delivery = fc.array(fc.nat(Math.max(0, told.length - 1)), { maxLength: 8 })
  return fc.record({
    actions: fc.constant(actions),
    deliveries: fc.array(delivery, { maxLength: 8 }),
    last: fc.shuffledSubarray(
      told.map((_, i) => i),
      { minLength: told.length },
    ),
    pages: fc.integer({ min: 1, max: 4 }),
  })
})
export type Sequence = typeof sequence extends fc.Arbitrary<infer S> ? S : never

/** The places that one page of the last reading tells of. */
export const pageOf = ({ last, pages }: Sequence, page: number): number[] => last.filter((_, i) => i % pages === page)
