import { clsx } from 'clsx'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import Link2 from 'lucide-react/icons/link-2'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useState } from 'react'
import { deleteBioPage, type BioPage } from '#contract/linkInBio/pages.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { dateOf } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { copy } from '#web/ui/copy.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { OutsideButtonLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { toast } from '#web/ui/toast.ts'
import { isEdited } from './bioReducer.ts'
import { useEditor } from './EditorContext.ts'
import { pageState, shortAddress } from './pageState.ts'

const RenameDialog = lazy(() => import('./RenameDialog.tsx'))

type Props = {
  /** Whether the role allows changing pages. */ mayEdit: boolean
  /** Makes the page live with everything that's edited; undefined if it is, or can't be. */ onGoLive:
    | (() => void)
    | undefined
  saving: boolean
  onDeleted: () => void
}

/** Where the page is, whether visitors see it, and what leads to it. */
export function AddressCard({ mayEdit, onGoLive, saving, onDeleted }: Props) {
  const { state, dispatch, readOnly } = useEditor()
  const { saved: page, zone } = state
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const { word, tone } = pageState(page)
  const isChanged = isEdited(state)
  return (
    <section aria-label="Address" className={clsx(paperClass, 'grid gap-2.5 p-3.5')}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <Link2 size={16} aria-hidden className="shrink-0 text-ink-muted" />
        <p className="min-w-0 text-lg font-bold wrap-anywhere select-all">{shortAddress(page.address)}</p>
        {readOnly || page.blocked ? null : (
          <IconButton
            size="s"
            label="Change address"
            icon={<Pencil size={13} />}
            onClick={() => setOpen('rename')}
            className="-ml-1.5"
          />
        )}
        <Badge tone={tone}>{word}</Badge>
        <div className="ml-auto flex flex-wrap items-center gap-1.5">
          {onGoLive ? (
            <Button tone={isChanged ? 'default' : 'primary'} size="s" loading={saving} onClick={onGoLive}>
              {isChanged ? 'Save and go live' : 'Go live'}
            </Button>
          ) : null}
          <Button
            size="s"
            icon={<Copy size={13} aria-hidden />}
            onClick={() => void copy(page.address, 'Address copied')}
          >
            Copy
          </Button>
          {page.live && !page.blocked ? (
            <OutsideButtonLink href={page.address} size="s" icon={<ExternalLink size={13} aria-hidden />}>
              Open
            </OutsideButtonLink>
          ) : null}
          {mayEdit && !page.blocked ? (
            <Menu align="end" trigger={<IconButton size="s" label="More actions" icon={<Ellipsis size={15} />} />}>
              <MenuItem danger icon={<Trash size={14} />} onSelect={() => setOpen('delete')}>
                Delete page
              </MenuItem>
            </Menu>
          ) : null}
        </div>
      </div>
      {page.earlier.length > 0 ? (
        <ul aria-label="Earlier addresses" className="grid gap-0.5 text-sm text-ink-muted">
          {page.earlier.map(({ slug, until }) => (
            <li key={slug}>
              <b className="font-semibold wrap-anywhere">{bioPath(slug)}</b> leads here until {dateOf(until, zone)}
            </li>
          ))}
        </ul>
      ) : null}
      {open === 'rename' ? (
        <Contained>
          <Suspense fallback={null}>
            <RenameDialog
              page={page}
              onRenamed={(renamed) => dispatch({ type: 'renamed', page: renamed })}
              onClose={() => setOpen(undefined)}
            />
          </Suspense>
        </Contained>
      ) : null}
      <DeletePage page={page} open={open === 'delete'} onClose={() => setOpen(undefined)} onDeleted={onDeleted} />
    </section>
  )
}

type DeleteProps = { page: BioPage; open: boolean; onClose: () => void; onDeleted: () => void }

function DeletePage({ page, open, onClose, onDeleted }: DeleteProps) {
  const ids = useProjectIds()
  const remove = useSend(deleteBioPage, {
    onSuccess: () => {
      toast.success('Page deleted')
      onClose()
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Delete this page?"
      action="Delete page"
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ params: { ...ids, pageId: page.pageId } })}
    >
      Its buttons and figures are deleted, and {bioPath(page.slug)} leads nowhere. Nobody else gets this address for 90
      days. Your posts stay.
    </ConfirmDialog>
  )
}
