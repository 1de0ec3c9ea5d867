import type { Outgoing, Publish } from '../platforms/platform.ts'
import { scriptedPlatform } from './scriptedPlatform.ts'

const textOf = (post: Pick<Outgoing, 'contents'>) => post.contents[0]?.text ?? ''

/** A platform whose sends wait, identified by their texts, until the test answers them. */
export function waiting(script: Partial<Publish> = {}) {
  const pending = new Map<string, () => void>()
  const platform = scriptedPlatform({
    ...script,
    send: (_reach, _secret, _account, post) =>
      new Promise((resolve) =>
        pending.set(textOf(post), () => {
          pending.delete(textOf(post))
          resolve({ kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: {} })
        }),
      ),
  })
  return { platform, pending, answer: (text: string) => pending.get(text)?.() }
}
/** What was sent, in order. */
export const sent = (asked: readonly string[]) => asked.filter((what) => what.startsWith('send '))
