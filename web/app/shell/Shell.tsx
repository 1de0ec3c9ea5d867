import { Outlet, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { PlanBanners } from '#web/features/billing/PlanBanners.tsx'
import { useKeptPosts } from '#web/lib/keptPosts.ts'
import { useLive } from '#web/lib/live.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { keepFiles } from '#web/serviceWorker/register.ts'
import { ConnectionStrip } from '#web/ui/ConnectionStrip.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { PageChrome, TabCount } from '#web/ui/Page.tsx'
import { wantToaster } from '#web/ui/toast.ts'
import { useStillAllowed, useStillMember } from '../needs.ts'
import ServerErrorScreen from '../screens/ServerErrorScreen.tsx'
import { allPlaces } from './areas.ts'
import { Chrome } from './Chrome.tsx'
import { PhoneTabs } from './PhoneTabs.tsx'
import { Rail, unreadText, useUnread, useVisible } from './Rail.tsx'
import { useScreensAhead } from './screensAhead.ts'
import { PALETTE, shell, useOverlay } from './shellState.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))
const MoreSheet = lazy(() => import('./MoreSheet.tsx'))
const NewProjectDialog = lazy(() => import('./NewProjectDialog.tsx'))
const DeletionStrip = lazy(() => import('#web/features/dataRights/DeletionStrip.tsx'))
const PostSheet = lazy(() => import('../screens/PostSheet.tsx'))

/** The frame of every page of a project: rail, head, the open post, palette, and the live stream that keeps them true. */
export default function Shell() {
  const home = useHome()
  if (!home.data && home.error && home.error.status >= 500)
    return <ServerErrorScreen onRetry={() => void home.refetch()} retrying={home.isFetching} />
  return <Frame />
}

function Frame() {
  useLive(useProjectIds())
  useKeptPosts()
  useShellKeys()
  useEffect(wantToaster, [])
  useEffect(keepFiles, [])
  useScreensAhead()
  return (
    <div data-shell className="md:grid md:h-dvh md:grid-cols-[216px_minmax(0,1fr)]">
      <Access />
      <Rail />
      <PageChrome value={<Chrome />}>
        <main
          id="main"
          tabIndex={-1}
          className="relative flex min-h-dvh min-w-0 flex-col max-md:pb-[calc(56px+env(safe-area-inset-bottom))] md:min-h-0 md:overflow-y-auto"
        >
          <ConnectionStrip />
          <DeletionLine />
          <PlanBanners />
          <UnreadInTab>
            <Outlet />
          </UnreadInTab>
        </main>
      </PageChrome>
      <PhoneTabs />
      <Overlays />
      <OpenPost />
    </div>
  )
}

/** Leads away from what the person may no longer see. On its own, because it looks at more than the page shows. */
function Access() {
  useStillAllowed()
  useStillMember()
  return null
}

/** Every page's title in the tab begins with the number that the rail shows beside the inbox. */
function UnreadInTab({ children }: { children: ReactNode }) {
  const unread = useUnread()
  return <TabCount value={unread > 0 ? unreadText(unread) : null}>{children}</TabCount>
}

/** Shown above every page while the organization is being deleted, because nothing will be published. */
function DeletionLine() {
  const { orgId } = useProjectIds()
  const zone = useProjectZone()
  const org = useHome().data?.organizations.find((one) => one.orgId === orgId)
  if (!org || org.deletesAt === null) return null
  return (
    <Contained>
      <Suspense fallback={null}>
        <DeletionStrip org={{ ...org, deletesAt: org.deletesAt }} zone={zone} />
      </Suspense>
    </Contained>
  )
}

function Overlays() {
  const overlay = useOverlay()
  if (!overlay) return null
  const parts = { palette: Palette, shortcuts: ShortcutsDialog, more: MoreSheet, newProject: NewProjectDialog }
  const Part = parts[overlay]
  return (
    <Contained key={overlay}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </Contained>
  )
}

/** `?post=` opens a post over whatever page is there. */
function OpenPost() {
  const { post } = useSearch({ strict: false })
  const navigate = useNavigate()
  if (!post) return null
  return (
    <Contained>
      <Suspense fallback={null}>
        <PostSheet
          postId={post}
          onClose={() =>
            void navigate({ to: '.', search: (before) => ({ ...before, post: undefined, panel: undefined }) })
          }
        />
      </Suspense>
    </Contained>
  )
}

function useShellKeys(): void {
  const ids = useProjectIds()
  const router = useRouter()
  const mayCreate = useMay([['post', 'create']])
  const create = {
    keys: 'c',
    label: 'Create post',
    group: 'Everywhere',
    run: () => void router.navigate({ to: '/$orgId/project/$projectId/compose', params: ids }),
  }
  useShortcuts([
    { keys: '?', label: 'This list', group: 'Everywhere', run: () => shell.open('shortcuts') },
    { keys: '/', label: PALETTE, group: 'Everywhere', run: () => shell.open('palette') },
    ...(mayCreate === 'no' ? [] : [create]),
    ...allPlaces.filter(useVisible()).map((place) => ({
      keys: place.keys,
      label: place.label,
      group: 'Go to',
      run: () => void router.navigate(place.link(ids)),
    })),
  ])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      shell.open('palette')
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      shell.close()
    }
  }, [])
}
