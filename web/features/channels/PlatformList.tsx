import { useId } from 'react'
import type { Channel } from '#contract/channels.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { useIsOrgAdmin } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { ConnectSimulated } from './ConnectSimulated.tsx'
import { SetUpLink } from './NotSetUp.tsx'
import { NOT_SET_UP, type Way } from './useWays.ts'

type Props = {
  ids: ProjectIds
  wayOf: (platform: PlatformKey) => Way
  /** How many accounts are connected on each platform. */
  connected: (platform: PlatformKey) => number
  onChoose: (platform: PlatformKey) => void
  /** Where the page continues after the one click that connects a simulated account. */
  onConnected?: ((channel: Channel) => void) | undefined
  /** The level of the platforms' headings under the page's or the dialog's own. */
  level: 2 | 3
  disabled?: boolean
}

/** Every platform under its own heading: available ones first, then the others, with the reason if it's their own. */
export function PlatformList({ ids, wayOf, connected, onChoose, onConnected, level, disabled = false }: Props) {
  const ready = platformKeys.filter((platform) => wayOf(platform).problem === null)
  const others = platformKeys.filter((platform) => !ready.includes(platform))
  // a shared reason is in the heading above them
  const isShared = (problem: string | null) =>
    others.filter((platform) => wayOf(platform).problem === problem).length > 1
  const headingId = useId()
  const maySetUp = useIsOrgAdmin(ids)
  const Heading = `h${level}` as const
  const Under = level === 2 ? 'h3' : 'h4'
  return (
    <div className="grid gap-4">
      <ul aria-label="Platforms to connect" className="grid gap-2">
        {ready.map((platform) => {
          const accounts = connected(platform)
          return (
            <li
              key={platform}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5"
            >
              <PlatformIcon platform={platform} named size={28} />
              <span className="grid min-w-0 grow">
                <Heading className="font-semibold">Connect {platformName(platform)}</Heading>
                {accounts > 0 ? (
                  <span className="text-sm text-ink-muted">{count(accounts, 'account')} connected</span>
                ) : null}
              </span>
              <span className="ml-auto flex gap-2">
                {wayOf(platform).simulated ? (
                  <ConnectSimulated ids={ids} platform={platform} disabled={disabled} onConnected={onConnected} />
                ) : null}
                <Button
                  disabled={disabled}
                  aria-label={`${accounts > 0 ? 'Add Account' : 'Connect'}, ${platformName(platform)}`}
                  onClick={() => onChoose(platform)}
                >
                  {accounts > 0 ? 'Add Account' : 'Connect'}
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
      {others.length > 0 ? (
        <div>
          <Heading id={headingId} className="text-sm font-semibold text-ink-muted">
            {NOT_SET_UP}
          </Heading>
          <ul aria-labelledby={headingId} className="mt-2 grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
            {others.map((platform) => {
              const { problem, wantsApp } = wayOf(platform)
              return (
                <li key={platform} className="flex min-w-0 items-start gap-2.5">
                  <span className="mt-px opacity-60 grayscale">
                    <PlatformIcon platform={platform} named size={18} />
                  </span>
                  <span className="grid min-w-0">
                    <span className="flex flex-wrap items-baseline gap-x-2.5">
                      <Under className="text-sm text-ink-muted">Connect {platformName(platform)}</Under>
                      {wantsApp && maySetUp ? <SetUpLink ids={ids} platform={platform} /> : null}
                    </span>
                    {isShared(problem) ? null : <span className="text-sm text-pretty text-ink-muted">{problem}</span>}
                  </span>
                </li>
              )
            })}
          </ul>
        </div>
      ) : null}
    </div>
  )
}
