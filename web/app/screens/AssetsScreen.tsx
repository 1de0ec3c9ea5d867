import { getRouteApi, useBlocker } from '@tanstack/react-router'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Images from 'lucide-react/icons/images'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Link2 from 'lucide-react/icons/link-2'
import List from 'lucide-react/icons/list'
import Upload from 'lucide-react/icons/upload'
import { useRef, useState, type ReactNode } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import { listAssets, listFolders, type LibraryAsset } from '#contract/library.ts'
import { unfinishedUploads as unfinishedEndpoint } from '#contract/media.ts'
import { plan } from '#contract/organizations.ts'
import type { Asked, LibraryRights } from '#web/features/assets/asked.ts'
import { AssetBar } from '#web/features/assets/AssetBar.tsx'
import { AssetGrid } from '#web/features/assets/AssetGrid.tsx'
import { AssetSheet } from '#web/features/assets/AssetSheet.tsx'
import { AssetTable } from '#web/features/assets/AssetTable.tsx'
import { DeleteFolderDialog, FolderNameDialog, PlaceDialog } from '#web/features/assets/FolderDialogs.tsx'
import { folderOptions, inOrder } from '#web/features/assets/folders.ts'
import { FolderMenu, FolderTree } from '#web/features/assets/FolderTree.tsx'
import { ImportDialog } from '#web/features/assets/ImportDialog.tsx'
import { UploadList } from '#web/features/assets/UploadList.tsx'
import { useLibrary } from '#web/features/assets/useLibrary.ts'
import { useUploads } from '#web/features/assets/useUploads.ts'
import { count } from '#web/lib/format.ts'
import { gateWords } from '#web/lib/gates.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { unfinishedUploads } from '#web/lib/unfinishedUploads.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { useSelection } from '#web/ui/useSelection.ts'

const route = getRouteApi('/$orgId/project/$projectId/assets')
const SHOWN = 24
const kinds = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Images' },
  { value: 'video', label: 'Videos' },
  { value: 'document', label: 'Documents' },
] as const

/** The asset library, or what it is if the plan doesn't include it. */
export default function AssetsScreen() {
  const facts = useCall(plan, { params: { orgId: useProjectIds().orgId } }, { handles: true })
  if (!facts.data?.closed.includes('asset_library')) return <Library />
  return (
    <Page title="Assets">
      <EmptyState
        icon={<Images size={20} />}
        title={gateWords.asset_library.title}
        action={
          <Button tone="primary" onClick={() => upgrade.open({ gate: 'asset_library' })}>
            See plans
          </Button>
        }
      >
        The library keeps your project's files in folders, with their alt text and where they're used.{' '}
        {gateWords.asset_library.text}
      </EmptyState>
    </Page>
  )
}

/** The person's unfinished uploads: they keep their places for a day. */
function UnfinishedNote() {
  const found = useCall(unfinishedEndpoint, { params: useProjectIds() }, { handles: true })
  const left = found.data?.uploads.length ?? 0
  if (left === 0) return null
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line bg-surface px-3 py-2">
      <span>You have {count(left, 'unfinished upload')}.</span>
      <Button size="s" onClick={unfinishedUploads.open}>
        Unfinished uploads
      </Button>
    </p>
  )
}

function Library() {
  const ids = useProjectIds()
  const phone = useIsPhone()
  const { folder, search, kind, view = 'grid', page = FIRST_PAGE, file } = route.useSearch()
  const navigate = route.useNavigate()
  type Change = Partial<ReturnType<typeof route.useSearch>>
  const go = (change: Change, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })

  const files = useCall(
    listAssets,
    {
      params: ids,
      query: {
        page,
        limit: SHOWN,
        ...(folder && { folderId: folder }),
        ...(search && { search }),
        ...(kind && { kind }),
      },
    },
    { keepPrevious: true, handles: true },
  )
  const found = useCall(listFolders, { params: ids }, { handles: true })
  const folders = found.data?.folders ?? []
  const here = folders.find(({ folderId }) => folderId === folder)
  const listed = files.data?.assets ?? []
  const selection = useSelection(listed.map(({ assetId }) => assetId))
  const chosen = listed.filter(({ assetId }) => selection.has(assetId))
  const may: LibraryRights = {
    edit: useMay([['asset_library', 'create']]) === 'yes',
    remove: useMay([['asset_library', 'delete']]) === 'yes',
    upload:
      useMay(
        [
          ['post', 'create'],
          ['post', 'edit'],
        ],
        { mode: 'any' },
      ) === 'yes',
  }
  const library = useLibrary()
  const uploads = useUploads(ids)
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<Asked>()
  const closeAsked = () => setAsked(undefined)

  const remove = (gone: readonly LibraryAsset[]) => {
    if (gone.some(({ assetId }) => assetId === file)) go({ file: undefined })
    void library.remove(gone)
  }
  const add = (dropped: readonly File[]) =>
    may.upload && dropped.length > 0 ? uploads.add(dropped, here?.folderId ?? null) : undefined
  const pick = () => input.current?.click()
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => uploads.busy && current.pathname !== next.pathname,
    enableBeforeUnload: () => uploads.busy,
    withResolver: true,
  })
  useShortcuts([
    ...(may.upload ? [{ keys: 'u', group: 'Assets', label: 'Upload files', run: pick }] : []),
    ...(may.edit
      ? [
          {
            keys: 'f',
            group: 'Assets',
            label: 'New folder',
            run: () => setAsked({ about: 'create', parentId: here?.folderId ?? null }),
          },
        ]
      : []),
  ])

  const filtered = search !== undefined || kind !== undefined
  const list = {
    assets: listed,
    selection,
    may,
    openId: file,
    onOpen: ({ assetId }: LibraryAsset) => go({ file: assetId, post: undefined }, file !== undefined),
    onMove: (moved: readonly LibraryAsset[]) => setAsked({ about: 'move', files: moved }),
    onDelete: remove,
  }
  const kindChoice = phone ? (
    <Select
      aria-label="Kind"
      className="min-w-0 grow"
      value={kind ?? 'all'}
      options={kinds}
      onChange={({ target }) =>
        go({
          kind: kinds.flatMap(({ value }) => (value === target.value && value !== 'all' ? [value] : []))[0],
          page: undefined,
        })
      }
    />
  ) : (
    <Segmented
      label="Kind"
      value={kind ?? 'all'}
      options={kinds}
      onChange={(next) => go({ kind: next === 'all' ? undefined : next, page: undefined })}
    />
  )
  const viewChoice = (
    <Segmented
      label="View"
      value={view}
      options={[
        { value: 'grid', label: <Sign icon={<LayoutGrid size={15} aria-hidden />} word="Grid" /> },
        { value: 'list', label: <Sign icon={<List size={15} aria-hidden />} word="List" /> },
      ]}
      onChange={(next) => go({ view: next === 'list' ? next : undefined })}
    />
  )
  return (
    <Page
      title="Assets"
      bar={
        <>
          <SearchBox
            label="Search files"
            value={search ?? ''}
            onSearch={(words) => go({ search: words || undefined, page: undefined })}
            className="w-60 max-md:min-w-0 max-md:grow"
          />
          {phone ? null : kindChoice}
          {phone ? null : viewChoice}
          {may.upload ? (
            <span className="ml-auto flex shrink-0 items-center gap-1.5">
              <IconButton
                label="Add from a link"
                icon={<Link2 size={16} />}
                onClick={() => setAsked({ about: 'import' })}
              />
              <Button icon={<Upload size={15} aria-hidden />} onClick={pick}>
                Upload
              </Button>
            </span>
          ) : null}
        </>
      }
    >
      <input
        ref={input}
        type="file"
        accept="image/*,video/*,application/pdf"
        multiple
        hidden
        data-pick-files
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          // choosing the same file again must count as a change
          target.value = ''
        }}
      />
      <FileTarget
        words={here ? `Drop files into ${here.name}` : 'Drop files here'}
        onFiles={add}
        className="grid min-h-[60dvh] grid-cols-[minmax(0,1fr)] content-start gap-x-6 gap-y-3.5 lg:grid-cols-[14rem_minmax(0,1fr)] lg:content-stretch"
      >
        <div className="max-lg:hidden">
          <FolderTree
            folders={folders}
            folder={folder}
            may={may}
            onAsk={setAsked}
            onDropped={(assetIds, folderId) => {
              selection.clear()
              void library.move(
                listed.filter(({ assetId }) => assetIds.includes(assetId)),
                folderId,
                folderId === null
                  ? 'out of the folder'
                  : `to ${folders.find((one) => one.folderId === folderId)?.name ?? 'the folder'}`,
              )
            }}
          />
        </div>
        <div className="flex items-center gap-1 lg:hidden">
          <Select
            aria-label="Folder"
            className="min-w-0 grow"
            value={folder ?? ''}
            onChange={({ target }) =>
              go({
                folder: target.value === 'none' ? 'none' : target.value || undefined,
                page: undefined,
                file: undefined,
              })
            }
            options={[
              { value: '', label: 'All files' },
              { value: 'none', label: 'Not in a folder' },
              ...folderOptions(inOrder(folders)),
            ]}
          />
          {here ? <FolderMenu folder={here} may={may} onAsk={setAsked} /> : null}
          {may.edit ? (
            <IconButton
              label="New folder"
              icon={<FolderPlus size={16} />}
              onClick={() => setAsked({ about: 'create', parentId: null })}
            />
          ) : null}
        </div>
        {phone ? (
          <div className="flex items-center gap-2">
            {kindChoice}
            {viewChoice}
          </div>
        ) : null}
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
          <UploadList uploads={uploads} />
          {may.upload && uploads.list.length === 0 ? <UnfinishedNote /> : null}
          <Loaded
            query={files}
            isEmpty={({ assets }) => assets.length === 0}
            empty={
              page > FIRST_PAGE ? (
                <EmptyState
                  icon={<Images size={20} />}
                  title="This page doesn't exist"
                  action={<Button onClick={() => go({ page: undefined })}>Go to the first page</Button>}
                >
                  The list has fewer pages.
                </EmptyState>
              ) : filtered ? (
                <EmptyState
                  icon={<Images size={20} />}
                  title="No matching files"
                  action={<Button onClick={() => go({ search: undefined, kind: undefined })}>Show all</Button>}
                >
                  We searched names and alt text{here ? ` in ${here.name}` : ''}.
                </EmptyState>
              ) : (
                <EmptyState
                  icon={<Images size={20} />}
                  title={folder ? 'No files here' : 'No files yet'}
                  action={may.upload ? <Button onClick={pick}>Upload files</Button> : null}
                >
                  {folder
                    ? 'Drop files here, or move some into this folder.'
                    : 'Drop files here. Files you attach to posts appear here too.'}
                </EmptyState>
              )
            }
          >
            {({ pagination }) => (
              <>
                {view === 'grid' ? <AssetGrid {...list} /> : <AssetTable {...list} folders={folders} />}
                <Pagination
                  page={pagination.currentPage}
                  totalPages={pagination.totalPages}
                  loading={files.isPlaceholderData}
                  onPage={(next) => go({ page: next === FIRST_PAGE ? undefined : next }, false)}
                />
                <AssetBar
                  files={chosen}
                  listed={listed.length}
                  may={may}
                  onAll={() => selection.all(true)}
                  onClear={selection.clear}
                  onMove={() => setAsked({ about: 'move', files: chosen })}
                  onDelete={() => {
                    remove(chosen)
                    selection.clear()
                  }}
                />
              </>
            )}
          </Loaded>
        </div>
      </FileTarget>

      {file ? (
        <AssetSheet
          assetId={file}
          folders={folders}
          may={may}
          onClose={() => go({ file: undefined })}
          onDelete={(asset) => remove([asset])}
        />
      ) : null}
      {asked?.about === 'create' ? (
        <FolderNameDialog
          parent={folders.find(({ folderId }) => folderId === asked.parentId)}
          onClose={closeAsked}
          onCreated={(folderId) => go({ folder: folderId, page: undefined, file: undefined })}
        />
      ) : null}
      {asked?.about === 'rename' ? (
        <FolderNameDialog folder={asked.folder} onClose={closeAsked} onCreated={closeAsked} />
      ) : null}
      {asked?.about === 'moveFolder' ? (
        <PlaceDialog moved={{ folder: asked.folder }} folders={folders} onClose={closeAsked} onMoved={closeAsked} />
      ) : null}
      {asked?.about === 'move' ? (
        <PlaceDialog moved={{ files: asked.files }} folders={folders} onClose={closeAsked} onMoved={selection.clear} />
      ) : null}
      {asked?.about === 'deleteFolder' ? (
        <DeleteFolderDialog
          folder={asked.folder}
          folders={folders}
          onClose={closeAsked}
          onGone={() =>
            folder === asked.folder.folderId
              ? go({ folder: asked.folder.parentId ?? undefined, page: undefined })
              : undefined
          }
        />
      ) : null}
      {asked?.about === 'import' ? (
        <ImportDialog onAdded={(assetId) => void library.put(assetId, here?.folderId ?? null)} onClose={closeAsked} />
      ) : null}
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        onOpenChange={(open) => (open ? undefined : leaving.reset?.())}
        title="Leave while files are uploading?"
        action="Leave"
        danger={false}
        onConfirm={() => leaving.proceed?.()}
      >
        Finished files are saved. You'll need to upload the others again.
      </ConfirmDialog>
    </Page>
  )
}

function Sign({ icon, word }: { icon: ReactNode; word: string }) {
  return (
    <span className="flex items-center gap-1.5" title={word}>
      {icon}
      <span className="sr-only">{word}</span>
    </span>
  )
}
