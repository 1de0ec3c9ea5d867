import { saying } from './reasons.ts'
import { randomUUID } from 'node:crypto'
import type { Budget, Outgoing, FollowUp, Platform, Publish } from '../platforms/platform.ts'

/** A platform in memory with scripted responses. By default everything succeeds. */
export type Scripted = Platform & {
  /** The called steps, as `step text`. */
  asked: string[]
  /** What is on the platform: texts by send key. Sending a key again adds a second one. */
  there: { key: string; text: string; /** Of a part: the remote ids of what came before it. */ after?: string[] }[]
}

type FollowUpArguments = Parameters<NonNullable<Publish['sendFollowUp']>>

const textOf = (post: Outgoing): string => post.contents[0]?.text ?? ''

const textOfFollowUp = (post: Outgoing, part: FollowUp): string =>
  part.kind === 'item' ? (post.contents[part.item]?.text ?? '') : (post.firstComment ?? '')

export function scriptedPlatform(script: Partial<Publish> & { budgets?: readonly Budget[] } = {}): Scripted {
  const asked: string[] = []
  const there: Scripted['there'] = []
  const { budgets = [], ...overrides } = script
  const noting = (step: string, post: Outgoing): void => void asked.push(`${step} ${textOf(post)}`)
  const notingFollowUp =
    <A>(step: string, call: (...args: FollowUpArguments) => Promise<A>) =>
    async (...args: FollowUpArguments): Promise<A> => {
      asked.push(`${step} ${textOfFollowUp(args[3], args[4])}`)
      return await call(...args)
    }
  const publish: Publish = {
    chooseSendKey: () => randomUUID(),
    sendTimeoutSeconds: 30,
    needsPrepare: () => false,
    prepare: async () => ({ kind: 'prepared', progress: { prepared: true } }),
    send: async (_reach, _secret, _account, post) => {
      there.push({ key: post.sendKey, text: textOf(post) })
      return { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: post.progress }
    },
    readBack: async (_reach, _secret, _account, _post, remoteId) => ({
      kind: 'live',
      permalink: `https://platform.test/${encodeURIComponent(remoteId)}`,
    }),
    reconcile: async (_reach, _secret, _account, post) =>
      there.some(({ key }) => key === post.sendKey)
        ? { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: post.progress }
        : { kind: 'absent' },
    sendIsRepeatable: false,
    followUps: ({ contents, firstComment }) => [
      ...contents.slice(1).map((_, i) => ({ key: `item ${i + 1}`, kind: 'item' as const, item: i + 1 })),
      ...(firstComment === null ? [] : [{ key: 'comment', kind: 'comment' as const }]),
    ],
    sendFollowUp: async (_reach, _secret, _account, post, part) => {
      there.push({
        key: part.sendKey,
        text: textOfFollowUp(post, part),
        after: part.sent.map(({ remoteId }) => remoteId),
      })
      return { kind: 'sent', remoteId: `remote ${part.sendKey}`, progress: part.progress }
    },
    reconcileFollowUp: async (_reach, _secret, _account, _post, part) =>
      there.some(({ key }) => key === part.sendKey)
        ? { kind: 'sent', remoteId: `remote ${part.sendKey}`, progress: part.progress }
        : { kind: 'absent' },
    ...overrides,
  }
  return {
    key: 'bluesky',
    hosts: [],
    budgets,
    connect: {
      method: 'credentials',
      needsRefresh: () => false,
      refresh: async () => ({ kind: 'reconnect', reason: saying('Signed out.') }),
    },
    publish: {
      ...publish,
      prepare: async (reach, secret, account, post) => (
        noting('prepare', post),
        await publish.prepare(reach, secret, account, post)
      ),
      send: async (reach, secret, account, post) => (
        noting('send', post),
        await publish.send(reach, secret, account, post)
      ),
      readBack: async (reach, secret, account, post, remoteId) => (
        noting('readback', post),
        await publish.readBack(reach, secret, account, post, remoteId)
      ),
      reconcile: async (reach, secret, account, post) => (
        noting('settle', post),
        await publish.reconcile(reach, secret, account, post)
      ),
      ...(publish.sendFollowUp ? { sendFollowUp: notingFollowUp('part', publish.sendFollowUp) } : {}),
      ...(publish.reconcileFollowUp
        ? { reconcileFollowUp: notingFollowUp('settlePart', publish.reconcileFollowUp) }
        : {}),
      ...(publish.poll
        ? {
            poll: async (...[reach, secret, account, post]: Parameters<Publish['send']>) => (
              noting('poll', post),
              (await publish.poll?.(reach, secret, account, post)) ?? {
                kind: 'unknown',
                reason: saying(''),
              }
            ),
          }
        : {}),
    },
    asked,
    there,
  }
}
