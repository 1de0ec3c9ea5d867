import { use, useReducer, type ComponentType } from 'react'
import { ScreenFailed } from './ScreenFailed.tsx'

/**
 * A screen in a file of its own, for the router. While its code can't be loaded, ScreenFailed stands in its place: the
 * address and the rest of the page stay.
 */
export function screen(load: () => Promise<{ default: ComponentType }>) {
  let Loaded: ComponentType | undefined
  let hasFailed = false
  let attempt: Promise<void> | undefined
  /** Resolves when the code is there, or couldn't be loaded. */
  const fetchCode = (): Promise<void> => (attempt ??= fetchOnce())
  const fetchOnce = async () => {
    try {
      Loaded = (await load()).default
      // from here on the router needs to wait for nothing
      delete Lazy.preload
    } catch (error) {
      console.error(error)
      hasFailed = true
    }
  }
  const fetchAnew = (): Promise<void> => {
    if (hasFailed) attempt = undefined
    hasFailed = false
    return fetchCode()
  }

  function Screen() {
    const [, redraw] = useReducer((times: number) => times + 1, 0)
    if (!Loaded && !hasFailed) use(fetchCode())
    if (Loaded) return <Loaded />
    const tryAgain = async () => {
      await fetchAnew()
      redraw()
      return Loaded !== undefined
    }
    return <ScreenFailed tryAgain={tryAgain} />
  }
  // the router calls it when someone reaches for a link, and waits for it on the way to the screen
  const Lazy: typeof Screen & { preload?: () => Promise<void> } = Object.assign(Screen, { preload: fetchAnew })
  return Lazy
}
