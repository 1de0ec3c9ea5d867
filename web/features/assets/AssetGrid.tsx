import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import { useState, type DragEvent } from 'react'
import type { LibraryAsset } from '#contract/library.ts'
import type { Selection } from '#web/ui/useSelection.ts'
import { AssetMenu } from './AssetMenu.tsx'
import { AssetPicture } from './AssetPicture.tsx'
import { DRAGGED, type LibraryRights } from './asked.ts'
import { factsOf } from './facts.ts'
import { onTileKey } from './tileKeys.ts'

export type FileListProps = {
  assets: readonly LibraryAsset[]
  selection: Selection
  may: LibraryRights
  openId: string | undefined
  onOpen: (asset: LibraryAsset) => void
  onMove: (files: readonly LibraryAsset[]) => void
  onDelete: (files: readonly LibraryAsset[]) => void
}

/** Hidden until the pointer or the focus is on its tile, and always visible on touch. */
const atHand =
  'pointer-fine:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 has-data-[state=open]:opacity-100'

/** Files as tiles. Arrow keys move between them, Space selects, Enter opens; tiles can be dragged onto a folder. */
export function AssetGrid({ assets, selection, may, openId, onOpen, onMove, onDelete }: FileListProps) {
  const [last, setLast] = useState<string>()
  const listed = assets.map(({ assetId }) => assetId)
  // one tile is a tab stop, arrows reach the others
  const current = last !== undefined && listed.includes(last) ? last : listed[0]
  const chosenWith = (asset: LibraryAsset) =>
    selection.has(asset.assetId) ? assets.filter(({ assetId }) => selection.has(assetId)) : [asset]
  const find = (id: string) => assets.find(({ assetId }) => assetId === id)
  const onDrag = (event: DragEvent, asset: LibraryAsset) => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData(DRAGGED, JSON.stringify(chosenWith(asset).map(({ assetId }) => assetId)))
  }
  return (
    // the keys are those of the buttons inside
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      aria-label="Files"
      onFocus={({ target }) => setLast(target.closest<HTMLElement>('[data-file]')?.dataset['file'])}
      onKeyDown={(event) =>
        onTileKey(event, {
          listed,
          selection,
          onDelete: may.remove
            ? (id) => {
                const asset = find(id)
                if (asset) onDelete(chosenWith(asset))
              }
            : undefined,
        })
      }
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-3"
    >
      {assets.map((asset) => (
        // dragging is a second way; the menu does the same
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={asset.assetId}
          data-file={asset.assetId}
          draggable={may.edit}
          onDragStart={(event) => onDrag(event, asset)}
          className={clsx(
            'group relative min-w-0 rounded-lg border bg-surface transition-colors',
            selection.has(asset.assetId)
              ? 'border-accent ring ring-accent'
              : openId === asset.assetId
                ? 'border-accent'
                : 'border-line hover:border-line-strong',
          )}
        >
          <button
            type="button"
            data-tile={asset.assetId}
            tabIndex={asset.assetId === current ? 0 : -1}
            aria-expanded={asset.assetId === openId}
            onClick={(event) => (event.shiftKey ? selection.toggle(asset.assetId, true, true) : onOpen(asset))}
            className="block w-full rounded-lg text-left"
          >
            <AssetPicture asset={asset} className="aspect-4/3 w-full rounded-t-[7px]" />
            <span dir="auto" className="block truncate px-2.5 pt-2 font-medium">
              {asset.displayName}
            </span>
            <span className="tnum block truncate px-2.5 pb-2 text-sm text-ink-muted">{factsOf(asset)}</span>
          </button>
          {/* large enough for touch, unlike the checkbox of forms */}
          <button
            type="button"
            role="checkbox"
            aria-checked={selection.has(asset.assetId)}
            aria-label={`Select ${asset.displayName}`}
            tabIndex={asset.assetId === current ? 0 : -1}
            onClick={(event) => selection.toggle(asset.assetId, !selection.has(asset.assetId), event.shiftKey)}
            className={clsx(
              'absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-md border border-line-strong bg-raised text-on-accent shadow-1 hover:border-ink-faint aria-checked:border-accent aria-checked:bg-accent pointer-coarse:size-8',
              selection.ids.length > 0 ? '' : atHand,
            )}
          >
            {selection.has(asset.assetId) ? <Check size={15} strokeWidth={3} aria-hidden /> : null}
          </button>
          <span className={clsx('absolute top-1.5 right-1.5', atHand)}>
            <AssetMenu
              asset={asset}
              may={may}
              onOpen={() => onOpen(asset)}
              onMove={() => onMove([asset])}
              onDelete={() => onDelete([asset])}
              className="bg-raised! shadow-1"
            />
          </span>
        </li>
      ))}
    </ul>
  )
}
