import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { canConnect } from './connectForms.ts'

type Props = {
  /** How many accounts of each platform are connected already. */
  connected: (platform: PlatformKey) => number
  onChoose: (platform: PlatformKey) => void
  disabled?: boolean
}

/** The platforms that can be connected today, each with its button; below, the ones that cannot. */
export function PlatformList({ connected, onChoose, disabled = false }: Props) {
  const later = platformKeys.filter((platform) => !canConnect(platform))
  return (
    <div className="grid gap-4">
      <ul className="grid gap-2">
        {platformKeys.filter(canConnect).map((platform) => {
          const accounts = connected(platform)
          return (
            <li key={platform} className="flex items-center gap-3 rounded-md border border-line bg-surface px-3 py-2.5">
              <PlatformIcon platform={platform} named size={28} />
              <span className="grid min-w-0 grow">
                <span className="font-semibold">Connect {platformName(platform)}</span>
                {accounts > 0 ? <span className="text-sm text-ink-muted">{count(accounts, 'account')} connected</span> : null}
              </span>
              <Button disabled={disabled} tone={accounts > 0 ? 'default' : 'primary'} aria-label={`${accounts > 0 ? 'Add Account' : 'Connect'}, ${platformName(platform)}`} onClick={() => onChoose(platform)}>
                {accounts > 0 ? 'Add Account' : 'Connect'}
              </Button>
            </li>
          )
        })}
      </ul>
      {later.length > 0 ? (
        <div>
          <h2 className="text-sm font-semibold text-ink-muted">Not set up yet</h2>
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-2">
            {later.map((platform) => (
              <li key={platform} className="flex items-center gap-1.5 text-sm text-ink-muted">
                <span className="opacity-60 grayscale">
                  <PlatformIcon platform={platform} named size={16} />
                </span>
                {platformName(platform)}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}
