import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
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
import { SkeletonRows } from '#web/ui/Skeleton.tsx'

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
  const show = (pageId: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, bio: pageId }), ignoreBlocker: true })
  const showFigures = (days: typeof figures) =>
    void navigate({ search: (before) => ({ ...before, figures: days }), replace: true })
  return (
    <Page title="Link in Bio">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
        <PostTabs />
        <Loaded query={{ ...pages, data: project ? pages.data : undefined }}>
          {({ pages: list, most }) => {
            const open = list.find(({ pageId }) => pageId === bio) ?? list[0]
            if (!open) return <NoPageYet name={project?.projectName ?? ''} mayEdit={mayEdit} onCreated={show} />
            const addPage = () => (list.length < most ? setAdding(true) : upgrade.open({ gate: 'bio_pages' }))
            return (
              <>
                <PageChoice pages={list} open={open.pageId} onNew={mayEdit ? addPage : undefined}>
                  {maySeeFigures ? (
                    <Segmented
                      label="View"
                      className="ml-auto"
                      options={[
                        { value: 'page', label: 'Page' },
                        { value: 'figures', label: 'Figures' },
                      ]}
                      value={shown ? 'figures' : 'page'}
                      onChange={(next) => showFigures(next === 'figures' ? '7' : undefined)}
                    />
                  ) : null}
                </PageChoice>
                {shown ? (
                  <Contained>
                    <Suspense fallback={<SkeletonRows />}>
                      <BioFigures key={open.pageId} pageId={open.pageId} days={shown} onDays={showFigures} />
                    </Suspense>
                  </Contained>
                ) : null}
                {/* what is edited stays while someone looks at figures */}
                <div className={shown ? 'hidden' : 'contents'}>
                  <OpenPage
                    key={open.pageId}
                    pageId={open.pageId}
                    mayEdit={mayEdit}
                    onDeleted={() => show(undefined)}
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
                show(pageId)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </Page>
  )
}

function OpenPage({ pageId, mayEdit, onDeleted }: { pageId: string; mayEdit: boolean; onDeleted: () => void }) {
  const ids = useProjectIds()
  const page = useCall(getBioPage, { params: { ...ids, pageId } }, { handles: true })
  const mayPick = useMay([['asset_library', 'view']]) === 'yes'
  const viewOnly = useViewOnlyReason() ?? "Your role doesn't allow editing it. Ask a project admin."
  return (
    <Loaded query={page}>
      {(found) => (
        <BioEditor
          page={found}
          mayEdit={mayEdit}
          viewOnly={viewOnly}
          Library={mayPick ? Library : undefined}
          onDeleted={onDeleted}
        />
      )}
    </Loaded>
  )
}
