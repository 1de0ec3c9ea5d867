import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { ButtonLink, Link, OutsideLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { toast } from '#web/ui/toast.ts'
import { Part, Row } from './Part.tsx'

const tones = ['primary', 'default', 'quiet', 'danger'] as const

export function ActionsGallery() {
  const [view, setView] = useState<'month' | 'week' | 'list'>('month')
  const [page, setPage] = useState(2)
  return (
    <Part title="Actions">
      {(['l', 'm', 's'] as const).map((size) => (
        <Row key={size}>
          {tones.map((tone) => (
            <Button key={tone} tone={tone} size={size} icon={<Plus size={14} aria-hidden />}>
              {tone} {size}
            </Button>
          ))}
        </Row>
      ))}
      <Row>
        {tones.map((tone) => (
          <Button key={tone} tone={tone} disabled>
            {tone}, disabled
          </Button>
        ))}
        <Button tone="primary" loading>
          Saving
        </Button>
        <Button loading>Saving</Button>
      </Row>
      <Row>
        <IconButton label="Edit" shortcut="E" icon={<Pencil size={16} />} />
        <IconButton label="Delete" tone="danger" icon={<Trash size={16} />} />
        <IconButton label="Small" size="s" icon={<Copy size={14} />} />
        <IconButton label="Loading" loading icon={<Copy size={14} />} />
        <Menu label="Post" trigger={<IconButton label="More actions" icon={<Ellipsis size={16} />} />}>
          <MenuItem icon={<Pencil size={15} />} end={<Kbd>E</Kbd>}>
            Edit
          </MenuItem>
          <MenuItem icon={<Copy size={15} />}>Duplicate</MenuItem>
          <MenuItem disabled>Not allowed</MenuItem>
          <MenuSeparator />
          <MenuItem danger icon={<Trash size={15} />}>
            Delete
          </MenuItem>
        </Menu>
        <ButtonLink to="/" tone="primary">
          A link to press
        </ButtonLink>
        <Link to="/">A link in a text</Link>
        <OutsideLink href="https://bsky.app">Another site</OutsideLink>
      </Row>
      <Row>
        <Segmented
          label="View"
          value={view}
          onChange={setView}
          options={[
            { value: 'month', label: 'Month' },
            { value: 'week', label: 'Week' },
            { value: 'list', label: 'List' },
          ]}
        />
        <FilterChip on opens>
          Channels: 6 of 9
        </FilterChip>
        <FilterChip on={false} opens>
          Status
        </FilterChip>
        <FilterChip on={false}>Only mine</FilterChip>
        <Kbd>Ctrl K</Kbd>
      </Row>
      <Row>
        <Button onClick={() => toast.success('Email verified successfully')}>Success toast</Button>
        <Button onClick={() => toast.error('Something went wrong. Please Try again later.')}>Error toast</Button>
        <Button onClick={() => toast.warning('2 of 5 pictures could not be read')}>Warning toast</Button>
        <Button onClick={() => toast.undo('Moved to Wed 25 Nov, 11:00 AM', () => toast.success('Moved back'))}>
          Undo toast
        </Button>
      </Row>
      <Pagination page={page} totalPages={7} onPage={setPage} />
    </Part>
  )
}
