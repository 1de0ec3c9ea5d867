import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { Way } from './useWays.ts'

type Props = {
  wayOf: (platform: PlatformKey) => Way
  /** How many accounts of each platform are connected already. */
  connected: (platform: PlatformKey) => number
  onChoose: (platform: PlatformKey) => void
  /** The level of the platforms' headings under the page's or the dialog's own. */
  level: 2 | 3
  disabled?: boolean
}

/** Every platform under its own heading: those that can be connected here first, the others with the reason why not. */
export function PlatformList({ wayOf, connected, onChoose, level, disabled = false }: Props) {
  const ready = platformKeys.filter((platform) => wayOf(platform).problem === null)
  const others = platformKeys.filter((platform) => !ready.includes(platform))
  const Heading = `h${level}` as const
  return (
    <div className="grid gap-4">
      <ul aria-label="Platforms to connect" className="grid gap-2">
        {ready.map((platform) => {
          const accounts = connected(platform)
          return (
            <li key={platform} className="flex items-center gap-3 rounded-md border border-line bg-surface px-3 py-2.5">
              <PlatformIcon platform={platform} named size={28} />
              <span className="grid min-w-0 grow">
                <Heading className="font-semibold">Connect {platformName(platform)}</Heading>
                {accounts > 0 ? <span className="text-sm text-ink-muted">{count(accounts, 'account')} connected</span> : null}
              </span>
              <Button disabled={disabled} tone={accounts > 0 ? 'default' : 'primary'} aria-label={`${accounts > 0 ? 'Add Account' : 'Connect'}, ${platformName(platform)}`} onClick={() => onChoose(platform)}>
                {accounts > 0 ? 'Add Account' : 'Connect'}
              </Button>
            </li>
          )
        })}
      </ul>
      {others.length > 0 ? (
        <ul aria-label="Platforms that cannot be connected here" className="grid gap-x-6 rounded-md border border-line bg-sunken px-3 py-1.5 sm:grid-cols-2">
          {others.map((platform) => (
            <li key={platform} className="flex min-w-0 items-center gap-2.5 py-1.5">
              <span className="opacity-60 grayscale">
                <PlatformIcon platform={platform} named size={20} />
              </span>
              <span className="grid min-w-0">
                <Heading className="text-sm font-semibold text-ink-muted">Connect {platformName(platform)}</Heading>
                <span className="text-sm text-pretty text-ink-muted">{wayOf(platform).problem}</span>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
