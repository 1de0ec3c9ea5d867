import { figureMeaning, partOfText, postTitle } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { Popover } from '#web/ui/Popover.tsx'

type Props = {
  offered: readonly FigureKey[]
  shown: readonly FigureKey[]
  /** Says the figures in this platform's own terms. */ platform: PlatformKey | undefined
  /** Undefined for the usual ones. */
  onChange: (columns: FigureKey[] | undefined) => void
}

/** Which figures the table has, each with what it means. At least one stays. */
export function ColumnChoice({ offered, shown, platform, onChange }: Props) {
  return (
    <Popover
      label="Columns"
      className="w-80"
      trigger={
        <FilterChip on={false} opens>
          Columns: {shown.length} of {offered.length}
        </FilterChip>
      }
    >
      <div className="grid gap-3">
        <ul className="grid max-h-96 gap-2.5 overflow-y-auto pointer-coarse:gap-0">
          {offered.map((name) => {
            const isShown = shown.includes(name)
            return (
              <li key={name} className="pointer-coarse:py-2">
                <Checkbox
                  label={postTitle(name, platform)}
                  hint={hintOf(name, platform)}
                  checked={isShown}
                  disabled={isShown && shown.length === 1}
                  onChange={() => onChange(offered.filter((one) => shown.includes(one) !== (one === name)))}
                />
              </li>
            )
          })}
        </ul>
        <span>
          <Button size="s" tone="quiet" onClick={() => onChange(undefined)}>
            Use the usual columns
          </Button>
        </span>
      </div>
    </Popover>
  )
}

function hintOf(name: FigureKey, platform: PlatformKey | undefined): string {
  const part = partOfText(name, platform, 'post')
  return part === undefined ? figureMeaning(name) : `${figureMeaning(name)} ${part}.`
}
