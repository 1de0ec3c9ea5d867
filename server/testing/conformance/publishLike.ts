import type { Outgoing, Part, PartToSend } from '../../platforms/platform.ts'
import type { Channel } from './channel.ts'

/*
 * What the publisher does with a post (server/publishing), without its database: prepares, sends, polls, settles what was
 * lost, believes an absence when it was read twice a minute apart, and sends the parts that follow.
 */

export type Clock = { now: number }
const ROUNDS = 60
const wait = (clock: Clock, seconds: number): void => void (clock.now += Math.max(1, seconds) * 1000)
type Answer = { kind: string; reason?: { text: string } }
const worse = (step: string, answer: Answer): Error => new Error(`${step}: ${answer.kind} ${answer.reason?.text ?? ''}`)

/** Whether it went out cannot be read: the product shows it to a person, and sends nothing again. */
export class LeftToAPerson extends Error {}

/** Publishes the post and what follows it; answers its remote id once it is live. Throws what ends a publication. */
export async function publishLike(channel: Channel, clock: Clock, given: Outgoing): Promise<string> {
  const { publish } = channel.platform
  let post = { ...given, createdAt: new Date(clock.now) }
  let step = publish.needsPrepare(post) ? 'prepare' : 'send'
  let absent = 0
  for (let round = 0; round < ROUNDS; round++) {
    if (step === 'prepare') {
      const answer = await publish.prepare(channel.reach, channel.secret, channel.account, post)
      if (answer.kind === 'prepared' || answer.kind === 'preparing') post = { ...post, progress: answer.progress }
      else if (answer.kind !== 'retry' && answer.kind !== 'unknown') throw worse(step, answer)
      wait(clock, answer.kind === 'preparing' ? answer.checkAfterSeconds : 5)
      if (answer.kind === 'prepared') step = 'send'
      continue
    }
    const { reach, secret, account } = channel
    const answer = step === 'settle' ? await publish.settle(reach, secret, account, post) : step === 'poll' ? await publish.poll?.(reach, secret, account, post) : await publish.send(reach, secret, account, post)
    wait(clock, 60)
    switch (answer?.kind) {
      case 'sent':
        return await follow(channel, clock, { ...post, progress: answer.progress }, answer.remoteId)
      case 'processing':
        post = { ...post, progress: answer.progress }
        step = 'poll'
        break
      case 'absent':
        if (++absent === 2) step = 'send'
        break
      case 'unknown':
        if (step === 'send') step = 'settle'
        break
      case 'retry':
        if (step === 'send' && answer.first === 'prepare') step = 'prepare'
        break
      case 'reconnect':
      case 'rejected':
      case undefined:
      default:
        throw worse(step, answer ?? { kind: 'no poll' })
    }
  }
  throw step === 'settle' ? new LeftToAPerson('it cannot be read') : new Error(`still at ${step}`)
}

type Sent = { key: string; remoteId: string; progress: Record<string, unknown> }

async function follow(channel: Channel, clock: Clock, post: Outgoing, remoteId: string): Promise<string> {
  const { reach, secret, account, platform } = channel
  const sent: Sent[] = [{ key: 'post', remoteId, progress: post.progress }]
  for (const part of platform.publish.parts?.(post) ?? []) sent.push(await sendPart(channel, clock, post, part, sent))
  for (let tries = 0; tries < 5; tries++) {
    const live = await platform.publish.readBack(reach, secret, account, post, remoteId)
    if (live.kind === 'live') return remoteId
    wait(clock, 30)
  }
  throw new Error('not live')
}

async function sendPart({ reach, secret, account, platform }: Channel, clock: Clock, post: Outgoing, part: Part, sent: readonly Sent[]): Promise<Sent> {
  let toSend: PartToSend = { ...part, sendKey: `${post.sendKey}/${part.key}`, progress: {}, sent: [...sent] }
  let [settling, absent] = [false, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const answer = settling ? await platform.publish.settlePart?.(reach, secret, account, post, toSend) : await platform.publish.sendPart?.(reach, secret, account, post, toSend)
    wait(clock, answer?.kind === 'preparing' ? answer.checkAfterSeconds : 60)
    if (answer?.kind === 'sent') return { key: part.key, remoteId: answer.remoteId, progress: answer.progress }
    if (answer?.kind === 'preparing') toSend = { ...toSend, progress: answer.progress }
    else if (answer?.kind === 'absent') settling = ++absent < 2
    else if (answer?.kind === 'unknown') settling = true
    else if (answer?.kind !== 'retry') throw worse(part.key, answer ?? { kind: 'nothing' })
  }
  throw settling ? new LeftToAPerson(`${part.key} cannot be read`) : new Error(`${part.key} was never sent`)
}
