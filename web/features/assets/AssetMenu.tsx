import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderInput from 'lucide-react/icons/folder-input'
import PanelRight from 'lucide-react/icons/panel-right'
import Trash from 'lucide-react/icons/trash-2'
import type { LibraryAsset } from '#contract/library.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import type { LibraryRights } from './asked.ts'

const DENIED = "Your role doesn't allow this."
type Props = {
  asset: LibraryAsset
  may: LibraryRights
  onOpen: () => void
  onMove: () => void
  onDelete: () => void
  className?: string
}

/** One file's actions. */
export function AssetMenu({ asset, may, onOpen, onMove, onDelete, className = '' }: Props) {
  return (
    <Menu
      align="end"
      label={`Actions for ${asset.displayName}`}
      trigger={
        <IconButton
          label={`Actions for ${asset.displayName}`}
          size="s"
          icon={<Ellipsis size={15} />}
          className={className}
        />
      }
    >
      <MenuItem icon={<PanelRight size={14} />} onSelect={onOpen}>
        Open
      </MenuItem>
      <MenuItem asChild>
        <a href={asset.url} download={asset.displayName}>
          <Download size={14} aria-hidden className="text-ink-muted" />
          Download
        </a>
      </MenuItem>
      <MenuItem icon={<FolderInput size={14} />} why={may.edit ? undefined : DENIED} onSelect={onMove}>
        Move to a folder
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash size={14} />} why={may.remove ? undefined : DENIED} onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  )
}
