import { useState } from 'react'
import { singleKeysOn, switchSingleKeys, useShortcutList } from '#web/lib/shortcuts.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { modKey } from './modKey.ts'
import { PALETTE, shell } from './shellState.ts'

/** Every key that works on this page. */
export default function ShortcutsDialog() {
  const [on, setOn] = useState(singleKeysOn)
  const shortcuts = useShortcutList()
  const groups = [...new Set(shortcuts.map((one) => one.group))]
  return (
    <Dialog open title="Keyboard shortcuts" size="m" onOpenChange={(open) => (open ? undefined : shell.close())}>
      <div className="grid gap-5">
        <div className="columns-1 gap-8 md:columns-2">
          {groups.map((group) => (
            <section key={group} className="mb-5 break-inside-avoid">
              <h3 className="mb-1.5 text-sm font-bold text-ink-muted">{group}</h3>
              <dl className="grid">
                {shortcuts
                  .filter((one) => one.group === group)
                  .map((one) => (
                    <Row
                      key={one.keys}
                      label={one.label}
                      keys={one.keys.split(' ')}
                      {...(one.label === PALETTE ? { also: `${modKey} K` } : {})}
                    />
                  ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          label="Single-key shortcuts"
          hint="Turn them off if voice control or accidental key presses trigger them."
          checked={on}
          onChange={(event) => {
            switchSingleKeys(event.target.checked)
            setOn(event.target.checked)
          }}
        />
      </div>
    </Dialog>
  )
}

const names: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
}

function Row({
  label,
  keys,
  also,
}: {
  label: string
  keys: readonly string[]
  /** Another way to the same. */ also?: string
}) {
  return (
    <div className="flex items-center justify-between gap-4 py-1">
      <dt>{label}</dt>
      <dd className="flex shrink-0 items-center gap-1">
        {also ? (
          <>
            <Kbd>{also}</Kbd>
            <span className="text-sm text-ink-muted">or</span>
          </>
        ) : null}
        {keys.map((key, index) => (
          // the place is part of the key: "g g" would be two
          // oxlint-disable-next-line react/no-array-index-key
          <Kbd key={`${key}${index}`}>{names[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</Kbd>
        ))}
      </dd>
    </div>
  )
}
