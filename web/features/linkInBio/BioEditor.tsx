import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { BioPage } from '#contract/linkInBio/pages.ts'
import { dateOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LeaveQuestion } from '#web/ui/LeaveQuestion.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useMedia } from '#web/ui/useMedia.ts'
import { AddressCard } from './AddressCard.tsx'
import { ButtonsCard } from './ButtonsCard.tsx'
import { EditorContext, useEditor } from './EditorContext.ts'
import type { PictureLibrary } from './PictureChoice.tsx'
import { PostsCard } from './PostsCard.tsx'
import { picturesOf, viewOf } from './preview.ts'
import { Preview } from './Preview.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { SaveBar } from './SaveBar.tsx'
import { ThemeCard } from './ThemeCard.tsx'
import { useBioEditor } from './useBioEditor.ts'
import { usePictureData } from './usePictureData.ts'
import { VisibilityCard } from './VisibilityCard.tsx'

type Props = {
  page: BioPage
  /** It was just created here. */ isNew: boolean
  /** It was deleted elsewhere, so nothing can be saved anymore. */ isGone: boolean
  /** Whether the role allows changing pages. */ mayEdit: boolean
  /** Why the role doesn't. */ viewOnly: ReactNode
  Library: PictureLibrary | undefined
  /** It was deleted, or is closed after that. */ onClose: () => void
}

/** One page: everything that's saved together, with its preview as on a phone. */
export function BioEditor({ page, isNew, isGone, mayEdit, viewOnly, Library, onClose }: Props) {
  const zone = useProjectZone()
  const readOnly = !mayEdit || !page.editable
  const isWide = useMedia('(min-width: 1024px)')
  const [side, setSide] = useState<'edit' | 'preview'>('edit')
  const reveal = () => setSide('edit')
  const { editor, root, save, saving, edited, blocked, showProblem } = useBioEditor(page, { zone, readOnly, reveal })
  useSaveKeys(edited, save)
  // the button that created it is gone
  useEffect(() => {
    if (isNew) root.current?.querySelector<HTMLElement>('[data-add]')?.focus({ preventScroll: true })
  }, [isNew, root])
  // the button that saved or discarded it is gone: the next Tab continues at the page's first part
  useEffect(() => {
    if (!edited && document.activeElement === document.body) root.current?.focus({ preventScroll: true })
  }, [edited, root])
  const { saved } = editor.state
  const preview = <LivePreview />
  return (
    <EditorContext value={editor}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,46rem)_auto]">
        <div ref={root} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-5 outline-none">
          {isGone ? (
            <GonePage unsaved={edited} onClose={onClose} />
          ) : (
            <>
              <Notices page={saved} mayEdit={mayEdit} viewOnly={viewOnly} />
              <AddressCard
                mayEdit={mayEdit}
                saving={saving}
                onDeleted={onClose}
                onGoLive={readOnly || saved.live || saved.blocked ? undefined : () => save({ live: true })}
              />
            </>
          )}
          {isWide ? null : (
            <Segmented
              label="Side"
              className="w-full"
              options={[
                { value: 'edit', label: 'Edit' },
                { value: 'preview', label: 'Preview' },
              ]}
              value={side}
              onChange={setSide}
            />
          )}
          <div className={side === 'preview' && !isWide ? 'hidden' : 'grid grid-cols-[minmax(0,1fr)] gap-6'}>
            <ProfileCard Library={Library} />
            <ButtonsCard />
            <PostsCard />
            <ThemeCard />
            <VisibilityCard />
          </div>
          {side === 'preview' && !isWide ? preview : null}
          {readOnly ? null : (
            <SaveBar saving={saving} blocked={blocked} onShowProblem={showProblem} onSave={() => save()} />
          )}
        </div>
        {isWide ? <div className="sticky top-4">{preview}</div> : null}
      </div>
      <LeaveQuestion unsaved={edited} of="page" isSame={isSamePage} />
    </EditorContext>
  )
}

/** The page as visitors would see it now. */
function LivePreview() {
  const { state, now } = useEditor()
  const pictures = usePictureData(picturesOf(state.edited))
  return <Preview view={viewOf(state.edited, now, pictures)} />
}

/** A page that was deleted elsewhere: what was typed can still be copied. */
function GonePage({ unsaved, onClose }: { unsaved: boolean; onClose: () => void }) {
  return (
    <Banner
      live
      tone="bad"
      title="This page was deleted"
      actions={
        <Button size="s" onClick={onClose}>
          Close page
        </Button>
      }
    >
      {unsaved
        ? "Someone else, or another tab of yours, deleted it. Your changes weren't saved. Copy what you need before you close it."
        : 'Someone else, or another tab of yours, deleted it.'}
    </Banner>
  )
}

/** Why a page can't be seen or changed. */
function Notices({ page, mayEdit, viewOnly }: { page: BioPage; mayEdit: boolean; viewOnly: ReactNode }) {
  const zone = useProjectZone()
  return (
    <>
      {page.blocked ? (
        <Banner
          tone="bad"
          title={`The operator of this installation stopped this page on ${dateOf(page.blocked.since, zone)}`}
        >
          <p>Nobody can see it. You can still edit it.</p>
          <p>Reason: {page.blocked.reason}</p>
        </Banner>
      ) : null}
      {page.editable ? null : (
        <Banner
          tone="wait"
          title="Your plan doesn't have room for this page"
          actions={
            <Button size="s" onClick={() => upgrade.open({ gate: 'bio_pages' })}>
              See plans
            </Button>
          }
        >
          It stays as it is, and you can delete it. Upgrade to edit it.
        </Banner>
      )}
      {mayEdit ? null : (
        <Banner tone="info" title="You can view this page">
          {viewOnly}
        </Banner>
      )}
    </>
  )
}

type Place = { pathname: string; search: object }
/** Pages of a project share a path. */
const isSamePage = (one: Place, other: Place): boolean =>
  one.pathname === other.pathname && bioOf(one.search) === bioOf(other.search)
const bioOf = (search: object): unknown => ('bio' in search ? search.bio : undefined)

/** Ctrl or Cmd with Enter or S, wherever someone is on the page. */
function useSaveKeys(unsaved: boolean, save: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isSave = event.key === 'Enter' || event.key.toLowerCase() === 's'
    if (!isSave || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    if (document.querySelector('[role=dialog][data-state=open], [role=alertdialog][data-state=open]')) return
    event.preventDefault()
    if (unsaved) save()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
