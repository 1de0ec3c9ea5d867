import X from 'lucide-react/icons/x'
import type { LibraryAsset } from '#contract/library.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import type { LibraryRights } from './asked.ts'

type Props = {
  files: readonly LibraryAsset[]
  listed: number
  may: LibraryRights
  onAll: () => void
  onClear: () => void
  onMove: () => void
  onDelete: () => void
}

/** Actions for the chosen files; stays visible while the list scrolls. */
export function AssetBar({ files, listed, may, onAll, onClear, onMove, onDelete }: Props) {
  if (files.length === 0) return null
  return (
    <div
      role="region"
      aria-label="Selected files"
      className="sticky bottom-3 z-20 mx-auto flex max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]"
    >
      <span role="status" className="tnum mr-1.5 font-semibold">{`${files.length} selected`}</span>
      {files.length < listed ? (
        <Button size="s" tone="quiet" onClick={onAll}>
          Select all {listed}
        </Button>
      ) : null}
      {may.edit ? (
        <Button size="s" onClick={onMove}>
          Move
        </Button>
      ) : null}
      {may.remove ? (
        <Button size="s" onClick={onDelete}>
          Delete
        </Button>
      ) : null}
      <IconButton label="Clear selection" icon={<X size={15} />} onClick={onClear} />
    </div>
  )
}
