import { lazy, Suspense, useState } from 'react'
import Bookmark from 'lucide-react/icons/bookmark'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { deleteView, listViews, saveView, type SavedView } from '#contract/views.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { toast } from '#web/ui/toast.ts'

// forms aren't part of what the calendar loads first
const SaveViewDialog = lazy(() => import('./SaveViewDialog.tsx'))

type Props = {
  page: SavedView['page']
  /** What would be saved now: the search part of a URL. Empty if there's nothing to save. */
  search: string
  onOpen: (search: string) => void
}

/** The person's own views of this page: open one, save the current one, delete one with undo. */
export function SavedViews({ page, search, onOpen }: Props) {
  const ids = useProjectIds()
  const [open, setOpen] = useState(false)
  const [naming, setNaming] = useState(false)
  const views = useCall(listViews, { params: ids }, { handles: true })
  const save = useSend(saveView)
  const remove = useSend(deleteView)
  const own = views.data?.views.filter((view) => view.page === page) ?? []
  const here = own.find((view) => view.search === search)
  const forget = ({ viewId, name, search: kept }: SavedView) =>
    remove.mutate(
      { params: { ...ids, viewId } },
      {
        onSuccess: ({ message }) =>
          toast.undo(
            message ?? 'View deleted',
            () => save.mutate({ params: ids, body: { name, page, search: kept } }),
            { id: `view-${viewId}` },
          ),
      },
    )
  // nothing saved and nothing to save
  if (own.length === 0 && search === '') return null
  return (
    <>
      <Popover
        label="Saved views"
        className="w-68 p-1.5!"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <FilterChip on={here !== undefined} opens>
            <Bookmark size={13} aria-hidden />
            {here ? `View: ${here.name}` : 'Views'}
          </FilterChip>
        }
      >
        {own.length > 0 ? (
          <ul aria-label="Saved views">
            {own.map((view) => (
              <li key={view.viewId} className="flex items-center gap-1">
                <button
                  type="button"
                  aria-current={view === here ? 'true' : undefined}
                  onClick={() => {
                    setOpen(false)
                    onOpen(view.search)
                  }}
                  className="min-h-8 min-w-0 grow truncate rounded-[6px] px-2 text-left hover:bg-hover aria-[current=true]:font-semibold aria-[current=true]:text-accent pointer-coarse:min-h-10"
                >
                  {view.name}
                </button>
                <IconButton
                  size="s"
                  label={`Delete the view ${view.name}`}
                  icon={<Trash size={14} />}
                  onClick={() => forget(view)}
                />
              </li>
            ))}
          </ul>
        ) : (
          <p className="px-2 py-1 text-ink-muted">
            No views yet. Save filters as a view to use them again. Only you can see your views.
          </p>
        )}
        {search && !here ? (
          <Button
            size="s"
            tone="quiet"
            icon={<Plus size={14} aria-hidden />}
            className="mt-1"
            onClick={() => {
              setOpen(false)
              setNaming(true)
            }}
          >
            Save this view
          </Button>
        ) : null}
      </Popover>
      {naming ? (
        <Contained>
          <Suspense fallback={null}>
            <SaveViewDialog page={page} search={search} onClose={() => setNaming(false)} />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}
