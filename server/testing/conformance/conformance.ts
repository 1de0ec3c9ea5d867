import { sentenceOf, adviceFor } from '#contract/failures/catalog.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Platform } from '../../platforms/platform.ts'
import { signIn, type Channel } from '../adapter/channel.ts'
import { publishLike } from '../adapter/publishLike.ts'
import { freshWords, later, standing, standsOnce } from '../adapter/standsOnce.ts'
import type { PlatformFault } from '../../simulators/faults.ts'
import type { Visitor } from '../visitor.ts'
import { casesOf, type Case } from './cases.ts'

/*
 * What every adapter must do, on any platform: tested with the simulators, which check requests against the platforms'
 * own descriptions. Each check says what it tested and, if it failed, why.
 */

export type Check = {
  capability: string
  failed: string | null
  /** What a person does if the platform lets no app read posts. */ note: string | null
}
/** Why it failed, or what is worth knowing although it didn't. */
type Look = string | { note: string } | undefined
export type Options = {
  /** The size of the largest file, below the limit of some rules. */ largest: number
  variant?: string
  /** Stops at the first failure. */ stopAtFirst?: boolean
}

/** More posts than a page of any platform's list has. */
const CROWD = 260
/** More calls than a post needs. */
const EVERY = 60

/**
 * Tests everything that the platform's rules say it accepts, each way in which a call can fail, and every kind of
 * refusal.
 */
export async function conform(
  visit: Visitor,
  platform: Platform,
  { largest, variant, stopAtFirst = false }: Options,
): Promise<Check[]> {
  const checks: Check[] = []
  const connected: { channel?: Channel } = {}
  const check = async (capability: string, look: () => Promise<Look>): Promise<void> => {
    if (stopAtFirst && checks.some(({ failed }) => failed !== null)) return
    const simulated = visit.platform(platform.key)
    simulated.faults.clear()
    simulated.violations.length = 0
    // otherwise the simulator's lists would get slower with every check
    simulated.state.posts.clear()
    await later(visit, connected.channel)
    const seen = await look().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
    const failed = typeof seen === 'string' ? seen : undefined
    simulated.faults.clear()
    const violations = [...new Set(simulated.violations)].filter((violation) => !violation.endsWith('no token'))
    checks.push({
      capability,
      failed:
        failed ?? (violations.length > 0 ? `refused by the description: ${violations.slice(0, 3).join('; ')}` : null),
      note: typeof seen === 'object' ? seen.note : null,
    })
  }

  await check('sign-in', async () => {
    const channel = await signIn(visit, platform, variant === undefined ? {} : { variant })
    connected.channel = channel
    return channel.missing.length > 0 ? `without the rights ${channel.missing.join(', ')}` : undefined
  })
  const { channel } = connected
  if (!channel) return checks
  const cases = casesOf(platformRules[platform.key], channel, largest)
  for (const one of cases) await check(one.name, () => goesOut(visit, channel, one))
  const [first] = cases
  if (first) {
    await check('dead sign-in', () => asksToSignIn(visit, channel, first))
    await check('account is looked at', async () =>
      ((await platform.connect.check?.(channel.reach, channel.secret, channel.account)) ?? { kind: 'works' }).kind ===
      'works'
        ? undefined
        : 'it does not work',
    )
    if (platform.metrics) await check('figures', () => hasFigures(visit, channel, first))
    if (platform.publish.remove) await check('removed', () => isRemoved(visit, channel, first))
    if (platform.publish.edit) await check('changed', () => isChanged(visit, channel, first))
  }
  for (const [kind, lookup] of Object.entries(platform.lookups ?? {})) {
    await check(`look-up of ${kind}`, async () => {
      const ask = (query: string) => lookup(channel.reach, channel.secret, channel.account, { query, limit: 10 })
      const [first = '', second] = words[kind] ?? []
      const answer = await ask(first)
      const isEmpty = answer.kind === 'found' && answer.items.length === 0
      const found = isEmpty && second !== undefined ? await ask(second) : answer
      if (found.kind === 'rejected' && adviceFor(found.reason)) return { note: 'refused with a reason' }
      if (found.kind === 'closed') return found.reason ? { note: 'not offered, with a reason' } : 'it does not say why'
      return found.kind === 'found'
        ? found.items.length > 0
          ? undefined
          : 'nothing was found'
        : sentenceOf(found.reason)
    })
  }
  // last, because these are many thousand calls, and other failures are known sooner
  for (const one of cases.filter(isWorthLosing)) {
    await check(`${one.name}, whichever answer is lost`, () => isOnce(visit, channel, one, { drop: 'after' }))
    await check(`${one.name}, on a busy account, whichever answer is lost`, () =>
      isOnce(visit, channel, one, { drop: 'after' }, CROWD),
    )
    await check(`${one.name}, whichever call does not arrive`, () => isOnce(visit, channel, one, { drop: 'before' }))
    await check(`${one.name}, whichever answer is garbled`, () =>
      isOnce(visit, channel, one, { done: true, answer: { status: 502, text: '<html>Bad gateway</html>' } }),
    )
    await check(`${one.name}, whichever call is limited`, () =>
      isOnce(visit, channel, one, { answer: refusal(visit, channel, 'limit') }),
    )
  }
  return checks
}

/** The edges of sizes and texts are held by one whole sending; what can be lost is lost in all other kinds. */
const isWorthLosing = ({ name }: Case): boolean => !/at its limit| pictures$|title$|link$/.test(name)

async function goesOut(visit: Visitor, channel: Channel, one: Case): Promise<string | undefined> {
  const words = freshWords()
  const before = standing(visit, channel).length
  const post = await one.make(words)
  channel.said.length = 0
  await publishLike(channel, visit.clock, post)
  const there = standing(visit, channel).length - before
  if (there < one.stands) return `${there} stand there instead of ${one.stands}`
  const unsaid = one.says(words).filter((part) => !channel.said.some((text) => signsOf(text).includes(signsOf(part))))
  return unsaid.length > 0 ? `never said: ${unsaid.join(' | ')}` : undefined
}

/** Letters and numbers: platforms' formats escape everything else, and people are named as they write themselves. */
const signsOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

async function isOnce(
  visit: Visitor,
  channel: Channel,
  { make }: Case,
  fault: Omit<PlatformFault, 'after'>,
  busy = 0,
): Promise<Look> {
  const { limit } = visit.platform(channel.key).state
  // the posts of another tool use up no quota here
  if (busy > 0) visit.platform(channel.key).state.limit = 1_000_000
  const { wrong, leftToAPerson } = await standsOnce(visit, channel, make, fault, { busy }).finally(() => {
    visit.platform(channel.key).state.limit = limit
  })
  if (wrong !== null) return wrong
  return leftToAPerson > 0 ? { note: 'left to a person where it cannot be read' } : undefined
}

/** A refusal in the platform's own words. */
function refusal(visit: Visitor, { key }: Channel, why: 'token' | 'limit'): NonNullable<PlatformFault['answer']> {
  const { status = 400, json, headers } = visit.platform(key).state.refuse(why, 'Refused by the suite')
  return { status, json, ...(headers && { headers }) }
}

async function asksToSignIn(visit: Visitor, channel: Channel, one: Case): Promise<string | undefined> {
  const { platform, reach, secret, account } = channel
  const post = { ...(await one.make(freshWords())), createdAt: new Date(visit.clock.now) }
  visit.platform(channel.key).faults.add({ times: EVERY, answer: refusal(visit, channel, 'token') })
  const answer = platform.publish.needsPrepare(post)
    ? await platform.publish.prepare(reach, secret, account, post)
    : await platform.publish.send(reach, secret, account, post)
  const isRight = answer.kind === 'reconnect' || (answer.kind === 'retry' && answer.first === 'renew')
  if (!isRight) return `answers ${answer.kind}`
  return sentenceOf(answer.reason) && adviceFor(answer.reason) ? undefined : 'without a reason and an advice'
}

/** What is found only when it is asked for by name. */
/** Someone that each simulated platform knows: a person, or a Page where only Pages are found. */
const words: Partial<Record<string, readonly string[]>> = {
  people: ['noraquill', 'thecornerbakery'],
  places: ['harbour'],
}

async function hasFigures(visit: Visitor, channel: Channel, one: Case): Promise<Look> {
  const { platform, reach, account } = channel
  const { remoteId } = await publishLike(channel, visit.clock, await one.make(freshWords()))
  await later(visit, channel)
  const answer = await platform.metrics?.read(reach, channel.secret, account, [
    { remoteId, postType: one.postType, publishedAt: new Date(visit.clock.now) },
  ])
  // some ways to connect lack permission for it, and say so
  if (answer?.kind === 'rejected' && adviceFor(answer.reason)) return { note: 'refused with a reason' }
  if (answer?.kind !== 'metrics') return answer && sentenceOf(answer.reason)
  const figures = answer.of.get(remoteId)
  return figures && Object.values(figures).some((figure) => figure !== null) ? undefined : 'there were none'
}

async function isRemoved(visit: Visitor, channel: Channel, one: Case): Promise<string | undefined> {
  const { platform, reach, secret, account } = channel
  const before = standing(visit, channel).length
  const { remoteId } = await publishLike(channel, visit.clock, await one.make(freshWords()))
  const answer = await platform.publish.remove?.(reach, secret, account, remoteId)
  // some ways of signing in can't delete, and say what to do instead
  if (answer?.kind === 'rejected') return adviceFor(answer.reason) ? undefined : 'refused without an advice'
  if (answer?.kind !== 'removed') return answer && sentenceOf(answer.reason)
  const again = await platform.publish.remove?.(reach, secret, account, remoteId)
  if (again?.kind !== 'removed') return `removing it again answers ${again?.kind}`
  const left = standing(visit, channel).length - before
  return left === 0 ? undefined : `${left} are left`
}

async function isChanged(visit: Visitor, channel: Channel, one: Case): Promise<string | undefined> {
  const { platform, reach, secret, account } = channel
  const post = await one.make(freshWords())
  const { remoteId } = await publishLike(channel, visit.clock, post)
  const words = freshWords()
  const [item, ...more] = post.contents
  if (!item) return 'nothing to change'
  const answer = await platform.publish.edit?.(
    reach,
    secret,
    account,
    { ...post, contents: [{ ...item, text: words }, ...more] },
    remoteId,
  )
  if (answer?.kind !== 'edited') return answer && sentenceOf(answer.reason)
  return standing(visit, channel).some(({ text }) => signsOf(text).includes(signsOf(words)))
    ? undefined
    : 'the new words do not stand there'
}
