import ClockPlus from 'lucide-react/icons/clock-plus'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import X from 'lucide-react/icons/x'
import { useComposer, useComposerState, useVersion } from './ComposerContext.ts'
import { planWords, type Plan } from './plan.ts'

/** Channels with a custom time, and how to add and remove one. */
export function CustomTimes() {
  const { store } = useComposer()
  const { chosen, channel: shown } = useVersion()
  const shared = useComposerState(({ doc }) => doc.plan)
  const variants = useComposerState(({ doc }) => doc.variants)
  if (chosen.length < 2) return null
  /** Gives a channel a custom time, or with undefined the shared one again. */
  const onPlan = (channelId: string, plan: Plan | undefined) =>
    store.dispatch({ type: 'versionChanged', channelId, change: { plan } })
  const onOpen = (scope: string) => store.dispatch({ type: 'versionOpened', scope })
  if (shown) {
    const own = variants[shown.channelId]?.plan
    return own ? (
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-md bg-accent-soft px-3 py-1.5 text-sm">
        <span>{shown.channelName} has a custom time.</span>
        <Button size="s" onClick={() => onPlan(shown.channelId, undefined)}>
          Same time as all
        </Button>
      </p>
    ) : (
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-ink-muted">
        <span className="tnum">Same time as all channels: {planWords(shared)}.</span>
        <Button size="s" icon={<ClockPlus size={13} aria-hidden />} onClick={() => onPlan(shown.channelId, shared)}>
          Custom time
        </Button>
      </p>
    )
  }
  const own = chosen.flatMap((channel) => {
    const plan = variants[channel.channelId]?.plan
    return plan ? [{ channel, plan }] : []
  })
  const others = chosen.filter(({ channelId }) => !variants[channelId]?.plan)
  return (
    <div className="grid justify-items-start gap-2">
      {own.length > 0 ? (
        <ul aria-label="Custom times" className="grid w-full gap-1">
          {own.map(({ channel, plan }) => (
            <li
              key={channel.channelId}
              className="flex min-h-9 items-center gap-2 rounded-md border border-line bg-surface py-1 pr-1.5 pl-3 text-sm"
            >
              <PlatformIcon platform={channel.platformName} size={16} named />
              <span className="flex min-w-0 grow flex-wrap gap-x-2">
                <span dir="auto" className="min-w-0 truncate font-semibold">
                  {channel.channelName}
                </span>
                <span className="tnum text-ink-muted">{planWords(plan)}</span>
              </span>
              <Button
                size="s"
                tone="quiet"
                aria-label={`Change the time for ${channel.channelName}`}
                onClick={() => onOpen(channel.channelId)}
              >
                Change
              </Button>
              <IconButton
                size="s"
                label={`Remove the custom time for ${channel.channelName}`}
                icon={<X size={13} />}
                onClick={() => onPlan(channel.channelId, undefined)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {others.length > 0 ? (
        <Menu
          align="start"
          trigger={
            <Button size="s" tone="quiet" icon={<ClockPlus size={13} aria-hidden />}>
              Custom time
            </Button>
          }
        >
          {others.map((channel) => (
            <MenuItem
              key={channel.channelId}
              icon={<PlatformIcon platform={channel.platformName} size={14} />}
              onSelect={() => {
                onPlan(channel.channelId, shared)
                onOpen(channel.channelId)
              }}
            >
              {channel.channelName}
            </MenuItem>
          ))}
        </Menu>
      ) : null}
    </div>
  )
}
