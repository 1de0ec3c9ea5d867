import type { AccountRef, AppCredentials, Outgoing, PartToSend, Platform, Reach, Secret, SignedIn } from '../platforms/platform.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import type { Visitor } from './platforms/visitor.ts'

/*
 * For tests of one adapter against its simulator: signs in on the simulator's page, and does with a post what the publisher does,
 * with all that it does about lost answers, by the clock of the visit.
 */

const redirectUri = 'https://rookery.test/callback'
const ROUNDS = 60
/** Bounds each post: an adapter that goes in circles fails. */
type Answer = { kind: string; reason?: { text: string } }
const worse = (step: string, answer: Answer | undefined): Error => new Error(`${step}: ${answer?.kind ?? 'nothing'} ${answer?.reason?.text ?? ''}`)

export type Through = { platform: Platform; reach: Reach; secret: Secret; account: AccountRef; signedIn: readonly SignedIn[] }

export type SignInAsk = { domain?: string; variant?: string; app?: AppCredentials | null; consent?: Parameters<Visitor['consent']>[1]; pick?: (account: SignedIn) => boolean }

/** Signs in as a person would; `pick` chooses among several accounts, the first without it. */
export async function signInThrough(visit: Visitor, platform: Platform, { domain, variant, app = { clientId: 'app', clientSecret: 'hush' }, consent, pick = () => true }: SignInAsk = {}): Promise<Through> {
  const fetch = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = { fetch, signal: new AbortController().signal, ...(app && { app }) }
  const begun = await platform.connect.withPage?.begin(reach, { redirectUri, state: 'a-state', ...(domain !== undefined && { domain }), ...(variant !== undefined && { variant }) })
  if (begun?.kind !== 'begun') throw worse('begin', begun)
  const back = await visit.consent(begun.url, consent)
  const answer = await platform.connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer?.kind !== 'accounts') throw worse('answer', answer)
  const chosen = answer.accounts.find(pick)
  if (!chosen) throw new Error('no account')
  return { platform, reach, secret: chosen.secret, account: chosen.account, signedIn: answer.accounts }
}

/** Publishes the post with everything that follows it, and answers its id once it is live. Throws for what a person would have to mend. */
export async function publishThrough(visit: Visitor, through: Through, given: Outgoing): Promise<{ remoteId: string; permalink: string; post: Outgoing }> {
  const { platform, reach, secret, account } = through
  const { publish } = platform
  const wait = (seconds: number): void => void (visit.clock.now += Math.max(1, seconds) * 1000)
  let post = { ...given, createdAt: new Date(visit.clock.now) }
  let step: 'prepare' | 'send' | 'poll' | 'settle' = publish.needsPrepare(post) ? 'prepare' : 'send'
  let absent = 0
  for (let round = 0; round < ROUNDS; round++) {
    if (step === 'prepare') {
      const answer = await publish.prepare(reach, secret, account, post)
      if (answer.kind === 'prepared' || answer.kind === 'preparing') post = { ...post, progress: answer.progress }
      else if (answer.kind !== 'retry') throw worse(step, answer)
      wait(answer.kind === 'preparing' ? answer.checkAfterSeconds : 5)
      if (answer.kind === 'prepared') step = 'send'
      continue
    }
    const answer = step === 'settle' ? await publish.settle(reach, secret, account, post) : step === 'poll' ? await publish.poll?.(reach, secret, account, post) : await publish.send(reach, secret, account, post)
    wait(60)
    if (answer?.kind === 'sent') {
      post = { ...post, progress: answer.progress }
      return await follow(wait, through, post, answer.remoteId)
    }
    if (answer?.kind === 'processing') {
      post = { ...post, progress: answer.progress }
      step = 'poll'
    } else if (answer?.kind === 'absent') step = ++absent >= 2 ? 'send' : 'settle'
    else if (answer?.kind === 'unknown') step = step === 'send' ? 'settle' : step
    else if (answer?.kind !== 'retry') throw worse(step, answer)
    else if (step === 'send' && answer.first === 'prepare') step = 'prepare'
  }
  throw new Error(`still at ${step}`)
}

async function follow(wait: (seconds: number) => void, through: Through, post: Outgoing, remoteId: string): Promise<{ remoteId: string; permalink: string; post: Outgoing }> {
  const { platform, reach, secret, account } = through
  const sent: { key: string; remoteId: string; progress: Record<string, unknown> }[] = [{ key: 'post', remoteId, progress: post.progress }]
  for (const part of platform.publish.parts?.(post) ?? []) sent.push({ key: part.key, ...(await sendWhole(wait, through, post, { ...part, sendKey: `${post.sendKey}/${part.key}`, progress: {}, sent: [...sent] })) })
  for (let tries = 0; tries < 3; tries++) {
    const live = await platform.publish.readBack(reach, secret, account, post, remoteId)
    if (live.kind === 'live') return { remoteId, permalink: live.permalink, post }
  }
  throw new Error('not live')
}

async function sendWhole(wait: (seconds: number) => void, { platform: { publish }, reach, secret, account }: Through, post: Outgoing, given: PartToSend): Promise<{ remoteId: string; progress: Record<string, unknown> }> {
  let part = given
  let [isSettling, absent] = [false, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const answer = isSettling ? await publish.settlePart?.(reach, secret, account, post, part) : await publish.sendPart?.(reach, secret, account, post, part)
    wait(answer?.kind === 'preparing' ? answer.checkAfterSeconds : 60)
    if (answer?.kind === 'sent') return { remoteId: answer.remoteId, progress: answer.progress }
    if (answer?.kind === 'preparing') part = { ...part, progress: answer.progress }
    else if (answer?.kind === 'absent') isSettling = ++absent < 2
    else if (answer?.kind === 'unknown') isSettling = true
    else if (answer?.kind !== 'retry') throw worse(part.key, answer)
  }
  throw new Error(`${given.key} was never sent`)
}

/**
 * Publishes the same again and again, losing the answer of the first call, then of the second, and so on through the whole
 * sequence. Answers how many more things stand there after each: every number has to be the same.
 */
export async function loseEachAnswer(visit: Visitor, through: Through, make: (words: string) => Outgoing, standing: () => number, name: string): Promise<{ whole: number; after: number[] }> {
  const sim = visit.platform(through.platform.key)
  const before = standing()
  await publishThrough(visit, through, make(`${name} whole`))
  const whole = standing() - before
  const after: number[] = []
  for (let lost = 0; lost < ROUNDS; lost++) {
    const there = standing()
    const calls = sim.calls.length
    // an hour between two posts, as an account would not publish them within a minute of each other
    visit.clock.now += 3_600_000
    sim.faults.add({ drop: 'after', after: lost })
    await publishThrough(visit, through, make(`${name} ${lost}`))
    after.push(standing() - there)
    sim.faults.clear()
    if (sim.calls.length - calls <= lost) break
  }
  return { whole, after }
}
