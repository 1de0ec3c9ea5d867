import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { ChannelErrors } from './checks.ts'
import { useCheckResults, useComposer, useVersion } from './ComposerContext.ts'
import type { Scope } from './doc.ts'

/** Problems: channels of one platform with the same ones are grouped, each with a link to its own version. */
export function ErrorList() {
  const { store, rootRef } = useComposer()
  const { errors } = useCheckResults()
  const { chosen, scope } = useVersion()
  const groups = together(errors.filter(({ channel }) => scope === 'all' || channel.channelId === scope))
  if (groups.length === 0) return null
  const canOpen = scope === 'all' && chosen.length > 1
  /** The pressed button disappears with its version, so the caret moves into the one that opens. */
  const open = (version: Scope) => {
    store.dispatch({ type: 'versionOpened', scope: version })
    requestAnimationFrame(() => rootRef.current?.querySelector<HTMLTextAreaElement>('textarea[data-item]')?.focus())
  }
  return (
    <ul aria-label="Fix these problems" data-trouble tabIndex={-1} className="grid gap-1.5 rounded-md">
      {groups.map(({ first, channels, messages }) => (
        <li
          key={first.channelId}
          className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1.5 rounded-md border border-l-3 border-line border-l-bad bg-surface px-3 py-2 text-sm"
        >
          <div className="min-w-0 grow basis-60">
            <b className="flex items-center gap-1.5 font-semibold">
              <PlatformIcon platform={first.platformName} named size={14} />
              {channels.length > 1
                ? `${platformName(first.platformName)}, ${channels.length} channels`
                : first.channelName}
            </b>
            <ul>
              {messages.map((message) => (
                <li key={message} className="text-bad first-letter:uppercase">
                  {message}
                </li>
              ))}
            </ul>
          </div>
          {canOpen && channels.length === 1 ? (
            <Button
              size="s"
              aria-label={`Customize for this channel: ${first.channelName} on ${platformName(first.platformName)}`}
              onClick={() => open(first.channelId)}
            >
              Customize for this channel
            </Button>
          ) : null}
          {canOpen && channels.length > 1 ? (
            <span className="flex flex-wrap items-center gap-1">
              <span className="mr-1 text-ink-muted">Customize for one channel</span>
              {channels.map((channel) => (
                <Button
                  key={channel.channelId}
                  size="s"
                  aria-label={`Customize for ${channel.channelName} on ${platformName(channel.platformName)}`}
                  onClick={() => open(channel.channelId)}
                >
                  <span dir="auto" className="max-w-36 truncate">
                    {channel.channelName}
                  </span>
                </Button>
              ))}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

type Group = { first: ChannelErrors['channel']; channels: ChannelErrors['channel'][]; messages: string[] }
function together(errors: readonly ChannelErrors[]): Group[] {
  const groups = new Map<string, Group>()
  for (const { channel, errors: list } of errors) {
    const messages = [...new Set(list.map((error) => error.message))]
    const key = [channel.platformName, ...messages].join('\n')
    const known = groups.get(key)
    if (known) known.channels.push(channel)
    else groups.set(key, { first: channel, channels: [channel], messages })
  }
  return [...groups.values()]
}
