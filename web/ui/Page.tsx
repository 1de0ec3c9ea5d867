import { clsx } from 'clsx'
import { createContext, use, type ReactNode } from 'react'

export const PRODUCT = 'Rookery'

/** What the shell adds to every page's header: search, notifications, Create post. */
export const PageChrome = createContext<ReactNode>(null)

/** What the shell puts before every page's name in the tab, such as how many conversations are unread; null for nothing. */
export const TabCount = createContext<string | null>(null)

type Props = {
  /** The page's name: its heading and, with the product's, the tab's title. */
  title: string
  /** Next to the heading: arrows, a Today button, the zone. */
  controls?: ReactNode
  /** The row under the heading: view, filters, tabs. */
  bar?: ReactNode
  /** Fills the height without scrolling as a whole, such as the calendar. */
  fill?: boolean
  /** Keeps forms and texts at a readable width. */
  narrow?: boolean
  /** Keeps charts and tables, and the header above them, from getting wider than is easy to read; `header`: only the header. */
  measured?: boolean | 'header'
  children: ReactNode
}

/** Every screen's frame: one h1 that gets the initial focus, the document's title, room for controls. */
export function Page({ title, controls, bar, fill = false, narrow = false, measured = false, children }: Props) {
  const chrome = use(PageChrome)
  const tabCount = use(TabCount)
  const measure = 'w-full max-w-310'
  return (
    <>
      <title>{`${tabCount === null ? '' : `(${tabCount}) `}${title} · ${PRODUCT}`}</title>
      <header
        className={clsx(
          'flex min-h-13 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-2 px-3.5 pt-2.5 pb-2 md:px-5',
          measured ? measure : '',
        )}
      >
        <h1 tabIndex={-1} className="mr-1 text-xl font-bold tracking-[-0.015em]">
          {title}
        </h1>
        {controls}
        {chrome ? <div className="ml-auto flex items-center gap-2">{chrome}</div> : null}
      </header>
      {bar ? (
        <div className="no-scrollbar flex shrink-0 items-center gap-1.5 overflow-x-auto px-3.5 pt-0.5 pb-2.5 md:flex-wrap md:overflow-visible md:px-5">
          {bar}
        </div>
      ) : null}
      <div
        className={clsx(
          'min-w-0',
          // the end is as high as a message, so that what is last can be scrolled out from under it
          fill ? 'flex min-h-0 flex-1 flex-col' : 'px-3.5 pt-1 pb-18 md:px-5',
          narrow ? 'w-full max-w-180' : measured === true ? measure : '',
        )}
      >
        {children}
      </div>
    </>
  )
}

/**
 * Moves the focus to the page's heading, unless the page put it somewhere already. Returns whether there was a heading.
 */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1[tabindex="-1"]')
  if (!heading) return false
  const at = document.activeElement
  const chosen = at instanceof HTMLElement && at.closest('main') !== null && at.matches('input, textarea, select')
  if (!chosen) heading.focus({ preventScroll: true })
  return true
}
