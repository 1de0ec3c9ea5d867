import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connection, watchNetwork } from '#web/lib/connection.ts'
import { forgetReplies } from '#web/lib/earlyData.ts'
import { keptPosts } from '#web/lib/keptPosts.ts'
import { createOnFailure } from '#web/lib/onFailure.ts'
import { createQueryClient } from '#web/lib/queryClient.ts'
import { forgetAll } from '#web/lib/remember.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { toast } from '#web/ui/toast.ts'
import { noteOrigin } from './afterSubmit.ts'
import { createAppRouter, type AppRouter } from './router.tsx'

/** Puts the parts together: the cache, the reaction to failures, the router. */
export function startApp(element: HTMLElement): AppRouter {
  const queries = createQueryClient(
    createOnFailure({
      here: () => {
        // where the person is going, not where they still are: several calls may fail at once
        const { pathname, href } = router.latestLocation
        return { path: pathname, href }
      },
      goToLogin: (search) => void router.navigate({ to: '/login', search, replace: true }),
      goToSecondFactor: (back) =>
        void router.navigate({ to: '/second-step', search: { redirect: back }, replace: true }),
      goTo: (to) => void router.navigate({ to, replace: true }),
      clear: () => {
        void queries.cancelQueries()
        queries.clear()
        forgetReplies()
        void keptPosts.clear()
        forgetAll({ drafts: false })
      },
      toast: (message) => toast.error(message),
      upgrade: upgrade.open,
      now: () => performance.now(),
    }),
  )
  const router = createAppRouter(queries)
  const rest = router.subscribe('onResolved', () => {
    rest()
    forgetReplies()
  })
  router.subscribe('onBeforeNavigate', noteOrigin)
  watchNetwork()
  connection.subscribe(() => {
    // what was shown meanwhile may be old
    if (connection.state().kind === 'online') void queries.invalidateQueries()
  })

  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  return router
}
