import { useEffect } from 'react'
import type { Channel } from '#contract/channels.ts'
import { toast } from '#web/ui/toast.ts'

/**
 * Deletions that this window requested and whose end wasn't reported yet: channel ids and whether the server was seen
 * working.
 */
const asked = new Map<string, { name: string; seen: boolean }>()

/** Remembers that this window requested it, so that its end is reported wherever the person is then. */
export function deletionAsked({ channelId, channelName }: Pick<Channel, 'channelId' | 'channelName'>): void {
  asked.set(channelId, { name: channelName, seen: false })
}

export type DeletionNews = { kind: 'gone' | 'failed'; name: string }

/** What the fresh list says about requested deletions; each end once. */
export function deletionNews(channels: readonly Pick<Channel, 'channelId' | 'deleting'>[]): DeletionNews[] {
  const news: DeletionNews[] = []
  for (const [channelId, { name, seen }] of asked) {
    const channel = channels.find((one) => one.channelId === channelId)
    if (channel?.deleting) asked.set(channelId, { name, seen: true })
    else if (!channel || seen) {
      asked.delete(channelId)
      news.push({ kind: channel ? 'failed' : 'gone', name })
    }
  }
  return news
}

/** Reports how deletions ended once the list of channels, kept fresh by live events, shows it. */
export function useDeletionNews(channels: readonly Channel[] | undefined): void {
  useEffect(() => {
    for (const { kind, name } of channels ? deletionNews(channels) : []) {
      if (kind === 'gone') toast.success('Channel deleted successfully')
      else toast.error(`We couldn't delete ${name}. Try again.`)
    }
  }, [channels])
}
