import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { listenForShortcuts } from '#web/lib/shortcuts.ts'
import { useUnfinishedUploads } from '#web/lib/unfinishedUploads.ts'
import { useUpgrade } from '#web/lib/upgrade.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { focusHeading } from '#web/ui/Page.tsx'
import { useToasterWanted } from '#web/ui/toast.ts'
import { TooltipLayer } from '#web/ui/Tooltip.tsx'

const Toaster = lazy(() => import('#web/ui/Toaster.tsx'))
const UpgradeHost = lazy(() => import('./UpgradeHost.tsx'))
const UnfinishedUploadsHost = lazy(() => import('./UnfinishedUploadsHost.tsx'))

/** What surrounds every page: skip link, toasts, tooltips, keys, and the focus that follows the route. */
export function Root() {
  useEffect(() => listenForShortcuts(document), [])
  useHeadingFocus()
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-md bg-ink font-semibold text-canvas focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <Outlet />
      <TooltipLayer />
      <Upgrade />
      <UnfinishedUploads />
      <Toasts />
    </>
  )
}

function Toasts() {
  if (!useToasterWanted()) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}

/** A closed gate's dialog, over any page. */
function Upgrade() {
  const closed = useUpgrade()
  if (!closed) return null
  return (
    <Contained>
      <Suspense fallback={null}>
        <UpgradeHost closed={closed} />
      </Suspense>
    </Contained>
  )
}

/** The dialog of unfinished uploads, over any page that adds files. */
function UnfinishedUploads() {
  if (!useUnfinishedUploads()) return null
  return (
    <Contained>
      <Suspense fallback={null}>
        <UnfinishedUploadsHost />
      </Suspense>
    </Contained>
  )
}

/** After a page change, screen readers and keys start at its heading. The first page is left to the browser. */
function useHeadingFocus(): void {
  const router = useRouter()
  useEffect(() => {
    let waiting: MutationObserver | undefined
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      waiting?.disconnect()
      if (!fromLocation || !pathChanged || focusHeading()) return
      // the screen's code or data is still coming: its heading takes the focus when it appears
      waiting = new MutationObserver(() => {
        if (focusHeading()) waiting?.disconnect()
      })
      waiting.observe(document.body, { childList: true, subtree: true })
    })
    return () => {
      waiting?.disconnect()
      unsubscribe()
    }
  }, [router])
}
