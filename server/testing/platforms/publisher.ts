import type { AccountRef, Outgoing, Platform, Reach, Secret } from '../../platforms/platform.ts'
import { createSafeFetch } from '../../platforms/safeFetch.ts'
import { simulated } from '../../platforms/simulated.ts'
import type { Visitor } from './visitor.ts'

/*
 * An adapter against its simulator: a person signs in, and a post goes through the steps of the publisher with all that it does
 * about lost answers and sign-ins that are over. For posts that nothing follows.
 */

export type SignedInChannel = { platform: Platform; reach: Reach; secret: Secret; account: AccountRef; missing: readonly string[] }

/** Signs in by the platform's page, and takes the first account. */
export async function signInTo(visit: Visitor, platform: Platform, choice?: { without?: readonly string[] }): Promise<SignedInChannel> {
  const fetch = simulated(createSafeFetch({ allow: [visit.allow] }), platform.hosts, visit.base)
  const reach: Reach = { fetch, signal: new AbortController().signal, app: { clientId: 'app', clientSecret: 'hush' } }
  const begun = await platform.connect.withPage?.begin(reach, { redirectUri: 'https://rookery.test/callback', state: 'a-state' })
  if (begun?.kind !== 'begun') throw new Error(begun?.reason.text)
  const back = await visit.consent(begun.url, choice)
  const answer = await platform.connect.withPage?.answer(reach, begun.keep, Object.fromEntries(back.searchParams))
  if (answer?.kind !== 'accounts') throw new Error(answer?.reason.text)
  const [first] = answer.accounts
  if (!first) throw new Error('no account')
  return { platform, reach, secret: first.secret, account: first.account, missing: first.missing ?? [] }
}

const ROUNDS = 80
type Answer = { kind: string; reason?: { text: string }; first?: 'renew' | 'prepare' }
const worse = (step: string, answer: Answer | undefined): Error => new Error(`${step}: ${answer?.kind ?? 'nothing'} ${answer?.reason?.text ?? ''}`)

async function renewed({ platform, reach, secret, account }: SignedInChannel): Promise<Secret> {
  const fresh = await platform.connect.refresh(reach, secret, account)
  if (fresh.kind !== 'refreshed') throw worse('refresh', fresh)
  return fresh.secret
}

/** Takes a post to the end, and answers its id and its address. Throws where the platform refuses it. */
export async function takeToTheEnd(visit: Visitor, channel: SignedInChannel, given: Outgoing): Promise<{ remoteId: string; permalink: string; post: Outgoing }> {
  const { platform, reach, account } = channel
  const { publish } = platform
  let { secret } = channel
  const wait = (seconds: number): void => void (visit.clock.now += Math.max(1, seconds) * 1000)
  let post = { ...given, createdAt: new Date(visit.clock.now) }
  let step = publish.needsPrepare(post) ? 'prepare' : 'send'
  let absent = 0
  let last: Answer | undefined
  for (let round = 0; round < ROUNDS; round++) {
    if (last?.kind === 'retry' && last.first === 'renew') secret = channel.secret = await renewed(channel)
    if (step === 'prepare') {
      const answer = await publish.prepare(reach, secret, account, post)
      last = answer
      if (answer.kind === 'prepared' || answer.kind === 'preparing') post = { ...post, progress: answer.progress }
      else if (answer.kind !== 'retry') throw worse(step, answer)
      wait(answer.kind === 'preparing' ? answer.checkAfterSeconds : 5)
      if (answer.kind === 'prepared') step = 'send'
      continue
    }
    const answer = step === 'settle' ? await publish.settle(reach, secret, account, post) : step === 'poll' ? await publish.poll?.(reach, secret, account, post) : await publish.send(reach, secret, account, post)
    wait(60)
    last = answer
    if (answer?.kind === 'sent') {
      post = { ...post, progress: answer.progress }
      for (let tries = 0; tries < 3; tries++) {
        const live = await publish.readBack(reach, secret, account, post, answer.remoteId)
        if (live.kind === 'live') return { remoteId: answer.remoteId, permalink: live.permalink, post }
      }
      throw new Error('not live')
    }
    if (answer?.kind === 'processing') {
      post = { ...post, progress: answer.progress }
      step = 'poll'
    } else if (answer?.kind === 'absent') step = ++absent === 2 ? 'send' : 'settle'
    else if (answer?.kind === 'unknown') step = step === 'send' ? 'settle' : step
    else if (answer?.kind === 'retry') step = step === 'send' && answer.first === 'prepare' ? 'prepare' : step
    else throw worse(step, answer)
  }
  throw worse(`still at ${step}`, last)
}
