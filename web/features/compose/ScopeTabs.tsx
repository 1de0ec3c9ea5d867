import type { Channel } from '#contract/channels.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useCheckResults, useComposer, useComposerState, useVersion } from './ComposerContext.ts'
import type { Doc, Item } from './doc.ts'

/** Up to this many, tabs have names; beyond that, only where a platform has several channels. */
const NAMED = 4

/** Whose text is being edited: all channels' or one's. Only if there's a choice. */
export function ScopeTabs() {
  const { store } = useComposer()
  const { chosen, scope } = useVersion()
  const { troubled } = useCheckResults()
  const differing = useComposerState(({ doc }) =>
    chosen
      .map(({ channelId }) => channelId)
      .filter((channelId) => differs(doc, channelId).length > 0)
      .join(' '),
  ).split(' ')
  if (chosen.length < 2) return null
  const isNamed = (channel: Channel) =>
    chosen.length <= NAMED ||
    channel.channelId === scope ||
    chosen.filter(({ platformName: platform }) => platform === channel.platformName).length > 1
  return (
    <Tabs
      label="Versions"
      value={scope}
      onChange={(next) => store.dispatch({ type: 'versionOpened', scope: next })}
      className="gap-0!"
      tabs={[
        { value: 'all', label: 'All channels' },
        ...chosen.map((channel) => ({
          value: channel.channelId,
          label: (
            <span
              data-tip={
                isNamed(channel) ? undefined : `${channel.channelName} on ${platformName(channel.platformName)}`
              }
              className="relative flex items-center gap-1.5"
            >
              <PlatformIcon platform={channel.platformName} size={16} named />
              <span
                dir="auto"
                className={
                  isNamed(channel) ? `${chosen.length <= NAMED ? 'max-w-32' : 'max-w-24'} truncate` : 'sr-only'
                }
              >
                {channel.channelName}
              </span>
              <span className="sr-only">
                {platformName(channel.platformName)}
                {differing.includes(channel.channelId) ? ', has its own version' : ''}
                {troubled.includes(channel.channelId) ? ', has a problem' : ''}
              </span>
              {troubled.includes(channel.channelId) ? (
                <span aria-hidden className="size-1.5 rounded-full bg-bad" />
              ) : differing.includes(channel.channelId) ? (
                <span aria-hidden className="size-1.5 rounded-full bg-accent" />
              ) : null}
            </span>
          ),
        })),
      ]}
    />
  )
}

/** What differs for a channel. */
export function differs(doc: Doc, channelId: string): string[] {
  const { items, firstComment } = doc.variants[channelId] ?? {}
  const found: string[] = []
  if (items) {
    const isOther = (part: (item: Item | undefined) => string | undefined) =>
      items.some((item, i) => i < doc.items.length && part(item) !== part(doc.items[i]))
    if (items.length !== doc.items.length) found.push('number of posts')
    if (isOther((item) => item?.title)) found.push('title')
    if (isOther((item) => item?.text)) found.push('text')
    if (isOther((item) => item?.media.join())) found.push('images')
    if (found.length === 0) found.push('text')
  }
  if (firstComment !== undefined && firstComment !== doc.firstComment) found.push('first comment')
  return found
}
