import { useEffect, useState } from 'react'

/**
 * Code that few people need, loaded once it's wanted: undefined until then. Unlike with Suspense, the page knows that
 * it's coming and can keep room. `failed` once it couldn't be loaded.
 */
export function useCode<T>(load: () => Promise<T>, wanted: boolean): { code: T | undefined; failed: boolean } {
  const [state, setState] = useState<{ code: T | undefined; failed: boolean }>({ code: undefined, failed: false })
  const isDone = state.code !== undefined || state.failed
  useEffect(() => {
    if (!wanted || isDone) return
    load().then(
      (code) => setState({ code, failed: false }),
      (error: unknown) => {
        console.error(error)
        setState({ code: undefined, failed: true })
      },
    )
  }, [load, wanted, isDone])
  return state
}
