import { randomUUID } from 'node:crypto'
import type { Budget, Outgoing, Platform, Publish } from '../platforms/platform.ts'

/** A platform in memory whose answers a test writes. Without a script everything succeeds. */
export type Scripted = Platform & {
  /** Steps that were asked for, as `step text`. */
  asked: string[]
  /** What is on the platform: texts by send key. A second sending of a key is there twice. */
  there: { key: string; text: string }[]
}

const textOf = (post: Outgoing): string => post.contents[0]?.text ?? ''

export function scriptedPlatform(script: Partial<Publish> & { budgets?: readonly Budget[] } = {}): Scripted {
  const asked: string[] = []
  const there: { key: string; text: string }[] = []
  const { budgets = [], ...overrides } = script
  const noting = (step: string, post: Outgoing): void => void asked.push(`${step} ${textOf(post)}`)
  const publish: Publish = {
    chooseSendKey: () => randomUUID(),
    sendTimeoutSeconds: 30,
    needsPrepare: () => false,
    prepare: async () => ({ kind: 'prepared', progress: { prepared: true } }),
    send: async (_reach, _secret, _account, post) => {
      there.push({ key: post.sendKey, text: textOf(post) })
      return { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: post.progress }
    },
    readBack: async (_reach, _secret, _account, _post, remoteId) => ({ kind: 'live', permalink: `https://platform.test/${encodeURIComponent(remoteId)}` }),
    settle: async (_reach, _secret, _account, post) => (there.some(({ key }) => key === post.sendKey) ? { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: post.progress } : { kind: 'absent' }),
    sendIsRepeatable: false,
    ...overrides,
  }
  return {
    key: 'bluesky',
    hosts: [],
    budgets,
    connect: { method: 'credentials', needsRefresh: () => false, refresh: async () => ({ kind: 'reconnect', reason: { text: 'Signed out.', advice: '' } }) },
    publish: {
      ...publish,
      prepare: async (reach, secret, account, post) => (noting('prepare', post), await publish.prepare(reach, secret, account, post)),
      send: async (reach, secret, account, post) => (noting('send', post), await publish.send(reach, secret, account, post)),
      readBack: async (reach, secret, account, post, remoteId) => (noting('readback', post), await publish.readBack(reach, secret, account, post, remoteId)),
      settle: async (reach, secret, account, post) => (noting('settle', post), await publish.settle(reach, secret, account, post)),
      ...(publish.poll ? { poll: async (...[reach, secret, account, post]: Parameters<Publish['send']>) => (noting('poll', post), (await publish.poll?.(reach, secret, account, post)) ?? { kind: 'unknown', reason: { text: '', advice: '' } }) } : {}),
    },
    asked,
    there,
  }
}
