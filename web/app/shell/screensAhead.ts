import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { whenKept } from '#web/serviceWorker/register.ts'
import { allPlaces } from './areas.ts'

const project = '/$orgId/project/$projectId'
/** Where the shell leads, each once. */
const places = new Set([
  ...allPlaces.map(({ link }) => link({ orgId: '', projectId: '' }).to),
  `${project}/compose`,
] as const)

/** Where browsers can't say that they're idle, so many milliseconds are waited. */
const BETWEEN = 500

/**
 * Loads the code of the screens that the shell leads to, one after the other while the browser has nothing else to do,
 * from the files that the service worker keeps: a click then waits for no code. What they read is asked for only when
 * they're opened.
 */
export function useScreensAhead(): void {
  const router = useRouter()
  useEffect(() => {
    let stopped = false
    const load = async () => {
      for (const place of places) {
        await idle()
        if (stopped) return
        // the screen that is opened tries again
        await Promise.resolve(router.loadRouteChunk(router.routesByPath[place])).catch(() => undefined)
      }
    }
    const stopWaiting = whenKept(() => void load())
    return () => {
      stopped = true
      stopWaiting()
    }
  }, [router])
}

const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve())
    else setTimeout(resolve, BETWEEN)
  })
