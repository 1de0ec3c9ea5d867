import type { Outgoing } from '../../platforms/platform.ts'
import type { PlatformFault } from '../../simulators/faults.ts'
import type { Visitor } from '../visitor.ts'
import { keepSignedIn, type Channel } from './channel.ts'
import { LeftToAPerson, publishLike } from './publishLike.ts'

/** Limits the calls of one post. */
const ROUNDS = 150
/** Seconds between two posts: some platforms accept fifteen a day. */
const PAUSE = 2 * 3600

export type Once = {
  /** How many posts and follow-ups a publication without faults adds. */
  whole: number
  /** How many calls failed, one in each publication. */
  calls: number
  /** The first call whose fault left a different result, and why. */
  wrong: string | null
  /** Calls after which the product would ask a person whether it was sent. */
  leftToAPerson: number
}

/** Waits without posting; the sign-in must still be valid afterwards. */
export async function later(visit: Visitor, channel: Channel | undefined): Promise<void> {
  visit.clock.now += PAUSE * 1000
  if (channel) await keepSignedIn(channel, visit.clock.now)
}

/** How many posts people see on the platform now, without those from other tools. */
export const standing = (visit: Visitor, { key }: Pick<Channel, 'key'>) =>
  visit.platform(key).state.live(({ more }) => more.hidden !== true && more.byAnother !== true)

/**
 * Publishes the same again and again: once without faults, then with the fault at its first call, at its second, and so
 * on through all of them. `make` gets text that was never used before. `busy` is how many posts from another tool
 * follow each one, on an account of a platform without duplicate detection; `count` counts what should exist once, if
 * that isn't all that people see.
 */
export async function standsOnce(
  visit: Visitor,
  channel: Channel,
  make: (words: string) => Outgoing | Promise<Outgoing>,
  fault: Omit<PlatformFault, 'after'> = { drop: 'after' },
  { busy = 0, count = () => standing(visit, channel).length }: { busy?: number; count?: () => number } = {},
): Promise<Once> {
  const { calls, faults, state } = visit.platform(channel.key)
  const before = count()
  await publishLike(channel, visit.clock, await make(freshWords()))
  const whole = count() - before
  let leftToAPerson = 0
  for (let nth = 0; nth < ROUNDS; nth++) {
    await later(visit, channel)
    const post = await make(freshWords())
    const [there, made] = [count(), calls.length]
    faults.add({ ...fault, after: nth })
    state.busy = busy
    if (busy > 0) state.switches.add('no idempotency')
    const failed = await publishLike(channel, visit.clock, post).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(JSON.stringify(error))),
    )
    faults.clear()
    state.busy = 0
    if (busy > 0) state.switches.delete('no idempotency')
    for (const { id, more } of state.posts.values()) if (more.byAnother === true) state.posts.delete(id)
    const more = count() - there
    const isLeft = failed instanceof LeftToAPerson && more <= whole
    if (isLeft) leftToAPerson += 1
    const trouble = isLeft
      ? null
      : failed !== null
        ? failed.message
        : more === whole
          ? null
          : `${more} stand there instead of ${whole}`
    if (trouble !== null)
      return { whole, calls: nth + 1, wrong: `after call ${nth} (${calls[made + nth]}): ${trouble}`, leftToAPerson }
    if (calls.length - made <= nth) return { whole, calls: nth, wrong: null, leftToAPerson }
  }
  return { whole, calls: ROUNDS, wrong: `more than ${ROUNDS} calls`, leftToAPerson }
}

let said = 0
/**
 * With what platforms change in a text: a name, a sign that HTML escapes, a URL, and an accent beside its letter. Never
 * the same again, because some platforms refuse duplicates.
 */
export const freshWords = (): string =>
  `Rooks ${Array.from(String(++said), (digit) => 'abcdefghij'[Number(digit)]).join('')} & @TheCornerBakery, cafe\u0301 https://example.com/?a=1&b=2 fly home`
