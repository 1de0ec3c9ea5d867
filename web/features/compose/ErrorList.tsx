import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { ChannelErrors } from './checks.ts'
import type { Scope } from './useComposer.ts'

/** What would be refused, by channel, with the way to the channel's own version. */
export function ErrorList({ errors, scope, onOpen }: { errors: readonly ChannelErrors[]; scope: Scope; onOpen: ((scope: Scope) => void) | undefined }) {
  const shown = errors.filter(({ channel }) => scope === 'all' || channel.channelId === scope)
  if (shown.length === 0) return null
  return (
    <ul aria-label="What has to be mended" className="grid gap-1.5">
      {shown.map(({ channel, errors: list }) => (
        <li key={channel.channelId} className="flex items-start justify-between gap-3 rounded-md border border-l-3 border-line border-l-bad bg-surface px-3 py-2 text-sm">
          <div className="min-w-0">
            <b className="flex items-center gap-1.5 font-semibold">
              <PlatformIcon platform={channel.platformName} named size={14} />
              {channel.channelName}
            </b>
            <ul>
              {[...new Set(list.map((error) => error.message))].map((message) => (
                <li key={message} className="text-bad">
                  {message}
                </li>
              ))}
            </ul>
          </div>
          {onOpen && scope === 'all' ? (
            <Button size="s" aria-label={`Change for ${channel.channelName} on ${platformName(channel.platformName)} only`} onClick={() => onOpen(channel.channelId)}>
              Change for it only
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
