import { expect } from 'vitest'
import type { Outgoing, FollowUpToSend, Refusal } from '../../platforms/platform.ts'
import { drawPicture } from '../content.ts'
import { outgoingPost, syntheticFile } from '../outgoing.ts'
import { until } from '../until.ts'
import type { Channel } from './channel.ts'

/*
 * What a server of Mastodon does with a thread, from its files to its deletion. Played against the simulator always, and against a
 * real server where one is named: what is published is for followers only, and is deleted again whatever happens.
 */

type Round = Pick<Channel, 'platform' | 'reach' | 'secret' | 'account'>
type Progress = Record<string, unknown>

/** `at` is the server's time now: it decides what is found. Throws what isn't as expected. */
export async function playRound(channel: Round, at: Date): Promise<void> {
  const { platform, reach, secret, account } = channel
  const { publish, connect, metrics } = platform
  const seen = await connect.check?.(reach, secret, account)
  expect(seen).toMatchObject({
    kind: 'works',
    limits: { text: expect.any(Number), addressLength: expect.any(Number), images: expect.any(Number) },
  })
  const { text: most = 500, addressLength = 23 } = seen?.kind === 'works' ? (seen.limits ?? {}) : {}

  const sendKey = publish.chooseSendKey(at)
  const bytes = await drawPicture({ width: 64, height: 48, type: 'png' })
  const picture = syntheticFile('image/png', {
    bytes: bytes.length,
    altText: 'A blue field',
    read: async () => bytes,
    stream: async function* () {
      yield bytes
    },
  })
  const post = outgoingPost({
    contents: [
      { text: `Rookery test ${sendKey} & <b> https://example.com/?a=1&b=2`, media: [picture] },
      { text: `Second ${sendKey}`, media: [] },
    ],
    firstComment: `Comment ${sendKey}`,
    details: { privacy: 'private', contentWarning: 'A test', languages: ['en'] },
    createdAt: at,
    sendKey,
  })
  const made: string[] = []
  try {
    const ready: Outgoing = { ...post, progress: await prepared(channel, post) }
    const sent = await publish.send(reach, secret, account, ready)
    made.push(sent.kind === 'sent' ? sent.remoteId : '')
    expect(sent).toMatchObject({ kind: 'sent', remoteId: expect.stringMatching(/./) })
    const [remoteId = ''] = made
    // the key makes a repeat harmless once the first has come to its end
    expect(await publish.send(reach, secret, account, ready)).toMatchObject({ kind: 'sent', remoteId })
    expect(await publish.reconcile(reach, secret, account, ready)).toMatchObject({ kind: 'sent', remoteId })
    expect(await publish.readBack(reach, secret, account, ready, remoteId)).toMatchObject({
      kind: 'live',
      permalink: expect.stringMatching(/^https?:/),
    })

    const before: FollowUpToSend['sent'][number][] = [{ key: 'post', remoteId, progress: ready.progress }]
    for (const part of publish.followUps?.(ready) ?? []) {
      const wanted: FollowUpToSend = { ...part, sendKey: `${sendKey}/${part.key}`, progress: {}, sent: [...before] }
      const answer = await publish.sendFollowUp?.(reach, secret, account, ready, wanted)
      if (answer?.kind !== 'sent') throw new Error(JSON.stringify(answer))
      before.push({ key: part.key, remoteId: answer.remoteId, progress: answer.progress })
      expect(await publish.reconcileFollowUp?.(reach, secret, account, ready, wanted)).toMatchObject({
        kind: 'sent',
        remoteId: answer.remoteId,
      })
    }
    expect(before.map(({ key }) => key)).toEqual(['post', 'item 1', 'comment'])

    const changed: Outgoing = {
      ...ready,
      contents: [
        { text: `Changed ${sendKey}`, media: [{ ...picture, altText: 'Another field' }] },
        ...ready.contents.slice(1),
      ],
    }
    expect(await publish.edit?.(reach, secret, account, changed, remoteId)).toEqual({ kind: 'edited', remoteId })
    await until(async () => (await publish.reconcile(reach, secret, account, changed)).kind === 'sent')
    const figures = await metrics?.read(reach, secret, account, [{ remoteId, postType: 'post', publishedAt: at }])
    expect(figures?.kind === 'metrics' ? figures.of.get(remoteId) : figures).toMatchObject({
      reactions: expect.any(Number),
      comments: expect.any(Number),
      shares: expect.any(Number),
    })

    // as many characters as the server says, an address counting what it says; and one more
    const full = (by: number): Outgoing =>
      outgoingPost({
        text: `${'a'.repeat(most - addressLength - 1 + by)} https://example.org/${'long/'.repeat(30)}`,
        details: { privacy: 'private' },
        createdAt: at,
        sendKey: publish.chooseSendKey(at),
      })
    const fits = await publish.send(reach, secret, account, full(0))
    if (fits.kind === 'sent') made.push(fits.remoteId)
    expect(fits.kind).toBe('sent')
    const tooLong = await publish.send(reach, secret, account, full(1))
    if (tooLong.kind === 'sent') made.push(tooLong.remoteId)
    expect(tooLong).toMatchObject({ kind: 'rejected', reason: { code: 'mastodon-text-too-long' } })

    expect(await publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
    for (const { remoteId: id } of before)
      expect(await publish.readBack(reach, secret, account, ready, id)).toEqual({ kind: 'missing' })
    // what is gone can be removed again
    expect(await publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  } finally {
    for (const id of made.filter(Boolean)) await publish.remove?.(reach, secret, account, id)
  }
}

/** Files until the server is done with them. */
async function prepared({ platform, reach, secret, account }: Round, post: Outgoing): Promise<Progress> {
  let answer: { kind: 'prepared' | 'preparing'; progress: Progress } | Refusal = {
    kind: 'preparing',
    progress: post.progress,
  }
  await until(async () => {
    if (answer.kind === 'preparing')
      answer = await platform.publish.prepare(reach, secret, account, { ...post, progress: answer.progress })
    return answer.kind !== 'preparing'
  })
  if (answer.kind !== 'prepared') throw new Error(JSON.stringify(answer))
  return answer.progress
}
