import type { Folder, LibraryAsset } from '#contract/library.ts'
import { agoOf, bytes, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import type { FileListProps } from './AssetGrid.tsx'
import { AssetMenu } from './AssetMenu.tsx'
import { AssetPicture } from './AssetPicture.tsx'
import { typeOf } from './facts.ts'

/** Files as rows, with details that don't fit on tiles. */
export function AssetTable({
  assets,
  folders,
  selection,
  may,
  openId,
  onOpen,
  onMove,
  onDelete,
}: FileListProps & { folders: readonly Folder[] }) {
  const now = useNow()
  const zone = useProjectZone()
  const chosen = selection.ids.length
  const columns: Column<LibraryAsset>[] = [
    {
      key: 'chosen',
      words: 'Choose',
      header: (
        <Checkbox
          label="Select all"
          labelHidden
          checked={chosen > 0 && chosen === assets.length}
          mixed={chosen > 0 && chosen < assets.length}
          onChange={(event) => selection.all(event.target.checked)}
        />
      ),
      bare: true,
      className: 'rows:w-9 rows:pr-0! rows:pl-3!',
      cell: (asset) => (
        <Checkbox
          label={`Select ${asset.displayName}`}
          labelHidden
          checked={selection.has(asset.assetId)}
          onChange={(event) => {
            const { nativeEvent } = event
            selection.toggle(
              asset.assetId,
              event.target.checked,
              'shiftKey' in nativeEvent && nativeEvent.shiftKey === true,
            )
          }}
        />
      ),
    },
    {
      key: 'name',
      header: 'Name',
      names: true,
      className: 'rows:w-2/5 cards:w-[calc(100%-2rem)]!',
      cell: (asset) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <AssetPicture asset={asset} className="size-9 shrink-0 rounded-sm" />
          <span className="min-w-0">
            <button
              type="button"
              aria-expanded={asset.assetId === openId}
              onClick={() => onOpen(asset)}
              className="block max-w-full truncate text-left font-medium hover:underline aria-expanded:text-accent"
            >
              {asset.displayName}
            </button>
            <span dir="auto" className="block truncate text-sm text-ink-muted">
              {asset.altText || 'No alt text'}
            </span>
          </span>
        </span>
      ),
    },
    {
      key: 'kind',
      header: 'Type',
      bare: true,
      cell: (asset) => <span className="text-ink-muted">{typeOf(asset)}</span>,
    },
    {
      key: 'size',
      header: 'Size',
      bare: true,
      align: 'end',
      cell: (asset) => <span className="tnum whitespace-nowrap text-ink-muted">{bytes(asset.bytes)}</span>,
    },
    {
      key: 'folder',
      header: 'Folder',
      bare: true,
      cell: (asset) => (
        <span className="text-ink-muted">
          {folders.find(({ folderId }) => folderId === asset.folderId)?.name ?? ''}
        </span>
      ),
    },
    {
      key: 'used',
      header: 'Used in',
      bare: true,
      cell: (asset) => (
        <span className="tnum whitespace-nowrap text-ink-muted">
          {asset.usedIn === 0 ? 'No post' : count(asset.usedIn, 'post')}
        </span>
      ),
    },
    {
      key: 'added',
      header: 'Added',
      notInCards: true,
      cell: (asset) => (
        <span className="tnum whitespace-nowrap text-ink-muted">{agoOf(asset.createdAt, now, zone)}</span>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      corner: true,
      align: 'end',
      cell: (asset) => (
        <AssetMenu
          asset={asset}
          may={may}
          onOpen={() => onOpen(asset)}
          onMove={() => onMove([asset])}
          onDelete={() => onDelete([asset])}
        />
      ),
    },
  ]
  return <Table label="Files" columns={columns} rows={assets} rowKey={(asset) => asset.assetId} />
}
