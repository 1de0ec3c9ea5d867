import { startTransition, useEffect, useState } from 'react'

/**
 * Runs once the browser has painted what is shown now, never if the returned function is called first: what a click asked
 * for after the pressed button, or the rest of a page after what is seen first. Keeps slow machines responding within a
 * frame.
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // a frame's callbacks come before its painting, timers after it
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * False when first shown, true once that has been painted: for what people look at second, and what it asks the server
 * for. What it adds is drawn without holding up input. It starts `when` that holds, which is always by default.
 */
export function usePainted(when = true): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(
    () => (when && !isPainted ? afterPaint(() => startTransition(() => setPainted(true))) : undefined),
    [when, isPainted],
  )
  return isPainted
}
