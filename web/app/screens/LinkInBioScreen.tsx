import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { getBioPage, listBioPages } from '#contract/linkInBio/pages.ts'
import { BioEditor } from '#web/features/linkInBio/BioEditor.tsx'
import { NoPageYet } from '#web/features/linkInBio/NoPageYet.tsx'
import { PageChoice } from '#web/features/linkInBio/PageChoice.tsx'
import type { PictureLibrary } from '#web/features/linkInBio/PictureChoice.tsx'
import { PostTabs } from '#web/features/posts/PostTabs.tsx'
import { useMay, useViewOnlyReason } from '#web/lib/permissions.ts'
import { findProject, useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Skeleton, SkeletonRows, Skeletons } from '#web/ui/Skeleton.tsx'

const LibraryPicker = lazy(() => import('#web/features/assets/LibraryPicker.tsx'))
const BioFigures = lazy(() => import('#web/features/linkInBio/BioFigures.tsx'))
const NewPageDialog = lazy(() => import('#web/features/linkInBio/NewPageDialog.tsx'))
const route = getRouteApi('/$orgId/project/$projectId/posts/$tab')

const Library: PictureLibrary = ({ onPick, onClose }) => (
  <LibraryPicker
    onePicture
    onClose={onClose}
    onPick={([file]) => (file ? onPick({ assetId: file.assetId, url: file.previewUrl ?? file.url }) : undefined)}
  />
)

/** The project's link in bio pages, one of them open. */
export default function LinkInBioScreen() {
  const ids = useProjectIds()
  const { bio, figures } = route.useSearch()
  const navigate = route.useNavigate()
  const pages = useCall(listBioPages, { params: ids }, { handles: true })
  const project = findProject(useHome().data, ids)?.project
  const mayEdit = useMay([['post', 'edit']]) === 'yes'
  const maySeeFigures = useMay([['insights', 'view']]) === 'yes'
  const shown = maySeeFigures ? figures : undefined
  const [adding, setAdding] = useState(false)
  const [created, setCreated] = useState<string>()
  const [opened, setOpened] = useState<Opened>()
  const show = (pageId: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, bio: pageId }), ignoreBlocker: true })
  const showNew = (pageId: string) => {
    setCreated(pageId)
    void navigate({ search: (before) => ({ ...before, bio: pageId, figures: undefined }), ignoreBlocker: true })
  }
  const showFigures = (days: typeof figures) =>
    void navigate({ search: (before) => ({ ...before, figures: days }), replace: true })
  return (
    <Page title="Link in Bio">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <PostTabs />
        <Loaded query={{ ...pages, data: project ? pages.data : undefined }} skeleton={<EditorToCome />}>
          {({ pages: list, most }) => {
            const wanted = list.find(({ pageId }) => pageId === bio)
            // just created: the list is read again
            if (created !== undefined && created === bio && !wanted && pages.isFetching) return <EditorToCome />
            // deleted by someone else: it stays until it's closed, with what was typed
            const gone =
              opened?.projectId === ids.projectId &&
              !list.some(({ pageId }) => pageId === opened.pageId) &&
              (bio === undefined || bio === opened.pageId)
            const current = wanted ?? list[0]
            const open = gone ? opened : current
            if (!open) return <NoPageYet name={project?.projectName ?? ''} mayEdit={mayEdit} onCreated={showNew} />
            const days = gone ? undefined : shown
            const addPage = () => (list.length < most ? setAdding(true) : upgrade.open({ gate: 'bio_pages' }))
            return (
              <>
                <PageChoice pages={list} open={open.pageId} onNew={mayEdit ? addPage : undefined}>
                  {maySeeFigures && !gone ? (
                    <Segmented
                      label="View"
                      className="ml-auto"
                      options={[
                        { value: 'page', label: 'Page' },
                        { value: 'figures', label: 'Figures' },
                      ]}
                      value={days ? 'figures' : 'page'}
                      onChange={(next) => showFigures(next === 'figures' ? '7' : undefined)}
                    />
                  ) : null}
                </PageChoice>
                {days ? (
                  <Contained>
                    <Suspense fallback={<SkeletonRows />}>
                      <BioFigures
                        key={open.pageId}
                        pageId={open.pageId}
                        isPublic={current?.live === true && !current.blocked}
                        days={days}
                        onDays={showFigures}
                      />
                    </Suspense>
                  </Contained>
                ) : null}
                {/* what is edited stays while someone looks at figures */}
                <div className={days ? 'hidden' : 'contents'}>
                  <OpenPage
                    key={open.pageId}
                    pageId={open.pageId}
                    isNew={open.pageId === created}
                    isGone={gone}
                    mayEdit={mayEdit}
                    onOpened={setOpened}
                    onClose={() => {
                      setOpened(undefined)
                      show(undefined)
                    }}
                  />
                </div>
              </>
            )
          }}
        </Loaded>
      </div>
      {adding ? (
        <Contained>
          <Suspense fallback={null}>
            <NewPageDialog
              onClose={() => setAdding(false)}
              onCreated={(pageId) => {
                setAdding(false)
                showNew(pageId)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </Page>
  )
}

type Opened = { projectId: string; pageId: string }
type OpenProps = {
  pageId: string
  isNew: boolean
  /** It was deleted elsewhere. */ isGone: boolean
  mayEdit: boolean
  onOpened: (opened: Opened) => void
  /** It was deleted here, or its last state was closed. */ onClose: () => void
}

function OpenPage({ pageId, isNew, isGone, mayEdit, onOpened, onClose }: OpenProps) {
  const ids = useProjectIds()
  const page = useCall(getBioPage, { params: { ...ids, pageId } }, { handles: true })
  const mayPick = useMay([['asset_library', 'view']]) === 'yes'
  const { projectId } = ids
  const tell = useEffectEvent(onOpened)
  const isLoaded = page.data !== undefined
  useEffect(() => {
    if (isLoaded) tell({ projectId, pageId })
  }, [isLoaded, projectId, pageId])
  const viewOnly = useViewOnlyReason() ?? "Your role doesn't allow editing it. Ask a project admin."
  return (
    <Loaded query={page} skeleton={<EditorToCome />}>
      {(found) => (
        <BioEditor
          page={found}
          isNew={isNew}
          isGone={isGone}
          mayEdit={mayEdit && !isGone}
          viewOnly={viewOnly}
          Library={mayPick ? Library : undefined}
          onClose={onClose}
        />
      )}
    </Loaded>
  )
}

/** The shapes of the editor and its preview. */
function EditorToCome() {
  return (
    <Skeletons className="grid items-start gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,46rem)_auto]">
      <div className="grid gap-5">
        <Skeleton className="h-14 rounded-lg" />
        <Skeleton className="h-66 rounded-lg" />
        <Skeleton className="h-40 rounded-lg" />
      </div>
      <Skeleton className="mx-auto h-[min(42rem,calc(100dvh-8rem))] w-82 rounded-[2.5rem] max-lg:hidden" />
    </Skeletons>
  )
}
