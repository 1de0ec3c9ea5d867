import { Suspense, type ReactNode } from 'react'
import { usePainted } from '#web/lib/afterPaint.ts'

type Props = {
  /** Of the same size. */ fallback?: ReactNode
  /** Waits for it to hold. */ when?: boolean
  children: ReactNode
}

/** What is looked at second: drawn, and its code loaded, once the browser has painted what is looked at first. */
export function AfterPaint({ fallback = null, when = true, children }: Props) {
  return usePainted(when) ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
