import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'
import Images from 'lucide-react/icons/images'
import { useState } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import { listAssets, listFolders, type LibraryAsset } from '#contract/library.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { Select } from '#web/ui/Select.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AssetPicture } from './AssetPicture.tsx'
import { factsOf } from './facts.ts'
import { folderOptions, inOrder } from './folders.ts'

const SHOWN = 12

/** Files from the library for a post, one or several, in the order in which they're chosen; or one picture. */
export default function LibraryPicker({
  onePicture = false,
  onPick,
  onClose,
}: {
  onePicture?: boolean
  onPick: (files: readonly LibraryAsset[]) => void
  onClose: () => void
}) {
  const ids = useProjectIds()
  const [search, setSearch] = useState('')
  const [folder, setFolder] = useState('')
  const [page, setPage] = useState<number>(FIRST_PAGE)
  const [chosen, setChosen] = useState<readonly LibraryAsset[]>([])
  const files = useCall(
    listAssets,
    {
      params: ids,
      query: {
        page,
        limit: SHOWN,
        ...(folder && { folderId: folder }),
        ...(search && { search }),
        ...(onePicture && { kind: 'image' }),
      },
    },
    { keepPrevious: true, handles: true },
  )
  const folders = useCall(listFolders, { params: ids }, { handles: true }).data?.folders ?? []
  const toggle = (asset: LibraryAsset) =>
    setChosen((now) =>
      now.some(({ assetId }) => assetId === asset.assetId)
        ? now.filter(({ assetId }) => assetId !== asset.assetId)
        : onePicture
          ? [asset]
          : [...now, asset],
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="l"
      title={onePicture ? 'Choose a picture' : 'Add from the library'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={chosen.length === 0} onClick={() => onPick(chosen)}>
            {onePicture ? 'Use picture' : chosen.length === 0 ? 'Add files' : `Add ${count(chosen.length, 'file')}`}
          </Button>
        </>
      }
    >
      <div className="grid min-h-88 grid-cols-[minmax(0,1fr)] content-start gap-3">
        {files.error?.code === 'PLAN_LIMIT' ? (
          <GateNotice gate="asset_library" />
        ) : (
          <>
            <div className="flex flex-wrap gap-2">
              <SearchBox
                label="Search files"
                value={search}
                className="min-w-40 grow"
                onSearch={(words) => {
                  setSearch(words)
                  setPage(FIRST_PAGE)
                }}
              />
              <Select
                aria-label="Folder"
                className="min-w-40"
                value={folder}
                onChange={({ target }) => {
                  setFolder(target.value)
                  setPage(FIRST_PAGE)
                }}
                options={[
                  { value: '', label: 'All files' },
                  { value: 'none', label: 'Not in a folder' },
                  ...folderOptions(inOrder(folders)),
                ]}
              />
            </div>
            <Loaded
              query={files}
              isEmpty={({ assets }) => assets.length === 0}
              empty={
                <EmptyState icon={<Images size={20} />} title={search || folder ? 'No matching files' : 'No files yet'}>
                  {search || folder ? 'Try another folder or search term.' : 'Files you attach to posts appear here.'}
                </EmptyState>
              }
            >
              {({ assets, pagination }) => (
                <>
                  <ul
                    aria-label="Library files"
                    className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-2.5"
                  >
                    {assets.map((asset) => {
                      const place = chosen.findIndex(({ assetId }) => assetId === asset.assetId) + 1
                      return (
                        <li key={asset.assetId}>
                          <button
                            type="button"
                            aria-pressed={place > 0}
                            onClick={() => toggle(asset)}
                            className={clsx(
                              'relative block w-full min-w-0 rounded-lg border bg-surface text-left',
                              place > 0 ? 'border-accent ring ring-accent' : 'border-line hover:border-line-strong',
                            )}
                          >
                            <AssetPicture asset={asset} className="aspect-4/3 w-full rounded-t-[7px]" />
                            <span dir="auto" className="block truncate px-2 pt-1.5 text-sm font-medium">
                              {asset.displayName}
                            </span>
                            <span className="tnum block truncate px-2 pb-1.5 text-xs text-ink-muted">
                              {factsOf(asset)}
                            </span>
                            {place > 0 ? (
                              <span
                                aria-hidden
                                className="tnum absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-md bg-accent text-xs font-bold text-on-accent"
                              >
                                {chosen.length > 1 ? place : <Check size={15} strokeWidth={3} />}
                              </span>
                            ) : null}
                          </button>
                        </li>
                      )
                    })}
                  </ul>
                  <Pagination
                    page={pagination.currentPage}
                    totalPages={pagination.totalPages}
                    loading={files.isPlaceholderData}
                    onPage={setPage}
                  />
                </>
              )}
            </Loaded>
          </>
        )}
      </div>
    </Dialog>
  )
}
