import { sentenceOf, type Reason } from '#contract/failures/catalog.ts'
import type { Outgoing, FollowUp, FollowUpToSend, Preparing, Refusal } from '../../platforms/platform.ts'
import { READ_TRIES, RECONCILE_TRIES, SIGN_IN_TRIES } from '../../delivery/decide.ts'
import { renew, type Channel } from './channel.ts'

/*
 * What the publisher does with a post, without its database: prepares, sends, polls, reconciles lost sends, believes
 * that a post is absent after reading twice a minute apart, renews a refused sign-in, and sends the follow-ups. One
 * difference: a post that can't be read back is an error here.
 */

/** Milliseconds since 1970; waiting advances it. */
export type Clock = { now: number }
/** Limits the calls per post: an adapter in an endless loop fails. */
const ROUNDS = 90
const HOUR = 3600
const wait = (clock: Clock, seconds: number): void => void (clock.now += Math.max(1, seconds) * 1000)
const worse = (step: string, answer: { kind: string; reason?: Reason }): Error =>
  new Error(`${step}: ${answer.kind} ${answer.reason ? sentenceOf(answer.reason) : ''}`)

/** It's unknown whether the post was sent: the product asks a person, and sends nothing again. */
export class LeftToAPerson extends Error {}

type Progress = Record<string, unknown>
type Sent = { remoteId: string; progress: Progress }
type Step = 'prepare' | 'send' | 'poll' | 'reconcile'
type Answer =
  | ({ kind: 'sent' } & Sent)
  | { kind: 'prepared' | 'processing'; progress: Progress }
  | Preparing
  | { kind: 'absent' }
  | Refusal
/** One irreversible call with its steps: the post, or a follow-up. Undefined means that there is no such step. */
type Way = {
  name: string
  begin: Step
  ask: (step: Step, progress: Progress) => Promise<Answer | undefined>
  /** What is left of its progress when it is prepared again. */ prepareAgain: (progress: Progress) => {
    step: Step
    progress: Progress
  }
}

/**
 * Publishes the post and its follow-ups; returns it with its progress once it's live. Throws what ends a publication.
 */
export async function publishLike(
  channel: Channel,
  clock: Clock,
  given: Outgoing,
): Promise<{ remoteId: string; permalink: string; post: Outgoing }> {
  const { publish } = channel.platform
  const planned = { ...given, createdAt: new Date(clock.now) }
  const { remoteId, progress } = await takeToTheEnd(channel, clock, planned.progress, {
    name: 'post',
    begin: publish.needsPrepare(planned) ? 'prepare' : 'send',
    ask: async (step, left) =>
      await publish[step]?.(channel.reach, channel.secret, channel.account, { ...planned, progress: left }),
    prepareAgain: (left) => ({ step: 'prepare', progress: left }),
  })
  const post = { ...planned, progress }
  const sent = [{ key: 'post', remoteId, progress }]
  for (const part of publish.followUps?.(post) ?? [])
    sent.push({ key: part.key, ...(await sendFollowUp(channel, clock, post, part, [...sent])) })
  return { remoteId, permalink: await readBack(channel, clock, post, remoteId), post }
}

async function sendFollowUp(
  channel: Channel,
  clock: Clock,
  post: Outgoing,
  part: FollowUp,
  sent: FollowUpToSend['sent'],
): Promise<Sent> {
  const { publish } = channel.platform
  const sendKey = publish.followUpSendKey?.(post.sendKey, part) ?? `${post.sendKey}/${part.key}`
  return await takeToTheEnd(
    channel,
    clock,
    {},
    {
      name: part.key,
      begin: 'send',
      ask: async (step, progress) =>
        await (step === 'reconcile' ? publish.reconcileFollowUp : publish.sendFollowUp)?.(
          channel.reach,
          channel.secret,
          channel.account,
          post,
          { ...part, sendKey, progress, sent },
        ),
      prepareAgain: () => ({ step: 'send', progress: {} }),
    },
  )
}

async function takeToTheEnd(
  channel: Channel,
  clock: Clock,
  given: Progress,
  { name, begin, ask, prepareAgain }: Way,
): Promise<Sent> {
  let [step, progress, absent, unread, renewals]: [Step, Progress, number, number, number] = [begin, given, 0, 0, 0]
  let last: Answer | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await ask(step, progress)
    if (!answer && step !== 'send') throw new LeftToAPerson(`${name}: nobody can look`)
    if (!answer) throw new Error(`${name}: there is no way to send it`)
    wait(clock, answer.kind === 'preparing' ? answer.checkAfterSeconds : step === 'prepare' ? 5 : 60)
    last = answer
    if ('progress' in answer) progress = answer.progress
    if (answer.kind === 'sent') return answer
    const isLooking = step === 'poll' || step === 'reconcile'
    if (answer.kind === 'reconnect' || (answer.kind === 'retry' && answer.first === 'renew')) {
      // a refused token may just have expired
      if (++renewals > SIGN_IN_TRIES) throw worse(`${name} at ${step}`, answer)
      await renew(channel)
      continue
    }
    renewals = 0
    if (answer.kind === 'prepared') step = 'send'
    else if (answer.kind === 'processing') [step, unread] = ['poll', 0]
    else if (answer.kind === 'absent') {
      if (channel.platform.publish.sendIsRepeatable || ++absent === 2) [step, absent, unread] = ['send', 0, 0]
    } else if (answer.kind === 'rejected' && step === 'reconcile')
      throw new LeftToAPerson(`${name} is never shown: ${worse(step, answer).message}`)
    else if (answer.kind === 'rejected') throw worse(`${name} at ${step}`, answer)
    else if (isLooking && answer.kind !== 'preparing') {
      if (++unread >= RECONCILE_TRIES) throw new LeftToAPerson(`${name} cannot be read: ${worse(step, answer).message}`)
      // checked less and less often: about a day in all
      wait(clock, Math.min(60 * 2 ** (unread - 1), HOUR) - 60)
    } else if (answer.kind === 'unknown' && step === 'send') [step, absent, unread] = ['reconcile', 0, 0]
    else if (answer.kind === 'retry' && answer.first === 'prepare') ({ step, progress } = prepareAgain(progress))
  }
  throw worse(`${name} still at ${step}`, last ?? { kind: 'nothing' })
}

async function readBack(channel: Channel, clock: Clock, post: Outgoing, remoteId: string): Promise<string> {
  let seen: { kind: string; reason?: Reason } = { kind: 'nothing' }
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const live = await channel.platform.publish.readBack(channel.reach, channel.secret, channel.account, post, remoteId)
    if (live.kind === 'live') return live.permalink
    seen = live
    wait(clock, 60)
  }
  throw worse('read back', seen)
}
