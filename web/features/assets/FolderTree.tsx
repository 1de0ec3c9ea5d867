import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderIcon from 'lucide-react/icons/folder'
import FolderInput from 'lucide-react/icons/folder-input'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Images from 'lucide-react/icons/images'
import Inbox from 'lucide-react/icons/inbox'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState, type DragEvent, type ReactNode } from 'react'
import type { Folder } from '#contract/library.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { DRAGGED, type Asked, type LibraryRights } from './asked.ts'
import { inOrder } from './folders.ts'

type Props = {
  folders: readonly Folder[]
  folder: string | undefined
  may: LibraryRights
  onAsk: (asked: Asked) => void
  /** Files were dropped on a folder; null: outside of every folder. */ onDropped: (
    assetIds: readonly string[],
    folderId: string | null,
  ) => void
}

/** The library's folders, each with its actions. Files can be dropped on them. */
export function FolderTree({ folders, folder, may, onAsk, onDropped }: Props) {
  const drop = (folderId: string | null) =>
    may.edit ? (assetIds: readonly string[]) => onDropped(assetIds, folderId) : undefined
  return (
    <nav aria-label="Folders" className="grid grid-cols-[minmax(0,1fr)] content-start gap-0.5">
      <Place icon={<Images size={15} aria-hidden />} name="All files" to={undefined} here={folder} />
      <Place
        icon={<Inbox size={15} aria-hidden />}
        name="Not in a folder"
        to="none"
        here={folder}
        onDropped={drop(null)}
      />
      <div className="mt-2.5 flex h-8 items-center justify-between pl-2.5">
        <span className="text-xs font-bold text-ink-muted">Folders</span>
        {may.edit ? (
          <IconButton
            label="New folder"
            shortcut="F"
            size="s"
            icon={<FolderPlus size={15} />}
            onClick={() => onAsk({ about: 'create', parentId: null })}
          />
        ) : null}
      </div>
      {folders.length === 0 ? <p className="px-2.5 text-sm text-ink-muted">None yet.</p> : null}
      {inOrder(folders).map((one) => (
        <Place
          key={one.folderId}
          icon={<FolderIcon size={15} aria-hidden />}
          name={one.name}
          to={one.folderId}
          here={folder}
          depth={one.depth}
          files={one.assets}
          onDropped={drop(one.folderId)}
        >
          <FolderMenu folder={one} may={may} onAsk={onAsk} />
        </Place>
      ))}
    </nav>
  )
}

type PlaceProps = {
  icon: ReactNode
  name: string
  to: string | undefined
  here: string | undefined
  depth?: number
  files?: number
  onDropped?: ((assetIds: readonly string[]) => void) | undefined
  children?: ReactNode
}

function Place({ icon, name, to, here, depth = 0, files, onDropped, children }: PlaceProps) {
  const [over, setOver] = useState(false)
  const takes = (event: DragEvent) => onDropped !== undefined && event.dataTransfer.types.includes(DRAGGED)
  return (
    <div
      onDragOver={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(false)
        onDropped?.(idsIn(event.dataTransfer.getData(DRAGGED)))
      }}
      className={clsx(
        'flex items-center rounded-md pr-0.5',
        over ? 'bg-accent-soft ring ring-accent' : to === here ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <Link
        to="."
        search={(before) => ({ ...before, folder: to, page: undefined, file: undefined })}
        aria-current={to === here ? 'page' : undefined}
        style={{ paddingLeft: `${0.625 + depth * 0.875}rem` }}
        className="flex min-h-8 min-w-0 grow items-center gap-2 rounded-md py-1 aria-[current=page]:font-semibold pointer-coarse:min-h-10"
      >
        <span className="shrink-0 text-ink-muted">{icon}</span>
        <span dir="auto" className="truncate" title={name}>
          {name}
        </span>
        {files ? (
          <span className="tnum ml-auto pr-1 text-xs font-normal text-ink-muted">{files.toLocaleString('en')}</span>
        ) : null}
      </Link>
      {children}
    </div>
  )
}

function idsIn(text: string): readonly string[] {
  const ids: unknown = JSON.parse(text)
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** A folder's actions. */
export function FolderMenu({
  folder,
  may,
  onAsk,
}: {
  folder: Folder
  may: LibraryRights
  onAsk: (asked: Asked) => void
}) {
  if (!may.edit && !may.remove) return null
  return (
    <Menu
      align="end"
      label={`Actions for the folder ${folder.name}`}
      trigger={<IconButton label={`Actions for the folder ${folder.name}`} size="s" icon={<Ellipsis size={14} />} />}
    >
      {may.edit ? (
        <>
          <MenuItem
            icon={<FolderPlus size={14} />}
            onSelect={() => onAsk({ about: 'create', parentId: folder.folderId })}
          >
            New folder inside
          </MenuItem>
          <MenuItem icon={<Pencil size={14} />} onSelect={() => onAsk({ about: 'rename', folder })}>
            Rename
          </MenuItem>
          <MenuItem icon={<FolderInput size={14} />} onSelect={() => onAsk({ about: 'moveFolder', folder })}>
            Move
          </MenuItem>
        </>
      ) : null}
      {may.edit && may.remove ? <MenuSeparator /> : null}
      {may.remove ? (
        <MenuItem danger icon={<Trash size={14} />} onSelect={() => onAsk({ about: 'deleteFolder', folder })}>
          Delete
        </MenuItem>
      ) : null}
    </Menu>
  )
}
