import { use, useReducer, type ComponentType } from 'react'
import { ScreenFailed } from './ScreenFailed.tsx'

/**
 * A screen in its own file, for the router. While its code can't be loaded, ScreenFailed replaces it: the URL and the
 * rest of the page stay. `alongside` loads code that its route needs as well; the route says when that fails.
 */
export function screen(load: () => Promise<{ default: ComponentType }>, alongside?: () => Promise<unknown>) {
  let Loaded: ComponentType | undefined
  let hasFailed = false
  let attempt: Promise<void> | undefined
  /** Resolves when the code has loaded, or failed to. */
  const fetchCode = (): Promise<void> => (attempt ??= fetchOnce())
  const fetchOnce = async () => {
    void alongside?.().catch(() => undefined)
    try {
      Loaded = (await load()).default
      // from here on, the router doesn't need to wait
      delete Lazy.preload
    } catch (error) {
      console.error(error)
      hasFailed = true
    }
  }
  const refetch = (): Promise<void> => {
    if (hasFailed) attempt = undefined
    hasFailed = false
    return fetchCode()
  }

  function Screen() {
    const [, redraw] = useReducer((times: number) => times + 1, 0)
    if (!Loaded && !hasFailed) use(fetchCode())
    if (Loaded) return <Loaded />
    const tryAgain = async () => {
      await refetch()
      redraw()
      return Loaded !== undefined
    }
    return <ScreenFailed tryAgain={tryAgain} />
  }
  // the router calls it when someone hovers or focuses a link, and waits for it before showing the screen
  const Lazy: typeof Screen & { preload?: () => Promise<void> } = Object.assign(Screen, { preload: refetch })
  return Lazy
}
