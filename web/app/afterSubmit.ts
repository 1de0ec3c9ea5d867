import type { PostState } from '#contract/postStates.ts'
import { tabOf } from '#web/features/posts/tabs.ts'
import { weekday, type Day } from '#web/lib/dates.ts'

/** Where a submitted post is. */
type Result = {
  /** Its day in the calendar. */ day: Day | undefined
  status: PostState
  /** It was sent for approval without a time, so the calendar doesn't show it. */ isWaiting: boolean
}

/** The pages that people return to; `post/` is a post's own page, from which it's edited. */
const returning = /^(posts\/|post\/|dashboard$|calendar$)/
const list = /^posts\/(.*)$/

let origin: string | undefined

type Locations = { fromLocation?: { pathname: string; href: string } | undefined; toLocation: { pathname: string } }

/** Remembers from which page the composer was opened. Called with each navigation; reloading the page forgets it. */
export function noteOrigin({ fromLocation, toLocation }: Locations): void {
  if (fromLocation && isComposer(toLocation.pathname) && !isComposer(fromLocation.pathname)) origin = fromLocation.href
}

/** The URL from which the composer was opened; undefined if it was opened by its own. */
export const originOfComposer = (): string | undefined => origin

/**
 * The URL at which people see what became of their submit: where they came from, unless it's a list that the post isn't
 * in, such as Drafts; otherwise the calendar at the post's day, or the posts waiting for approval. No post is open there.
 * `project` is the path of the project.
 */
export function placeAfterSubmit(
  from: string | undefined,
  project: string,
  { day, status, isWaiting }: Result,
): string {
  const { pathname, searchParams: search } = new URL(from ?? '/', 'https://app.invalid')
  const page = pathname.startsWith(`${project}/`) ? pathname.slice(project.length + 1) : ''
  const isCalendar = page === 'calendar'
  const [, tab] = list.exec(page) ?? []
  const states: readonly PostState[] = tab === undefined ? [status] : tabOf(tab).states
  const isShown = returning.test(page) && states.includes(status)
  if (isWaiting && (isCalendar || !isShown)) return `${project}/posts/sent-for-approvals`
  if (!isShown) return written(`${project}/calendar`, new URLSearchParams(day && { date: day }))
  for (const open of ['post', 'panel']) search.delete(open)
  if (isCalendar && day) search.set('date', day)
  return written(`${project}/${page}`, search)
}

/** The side of the message about it, away from the day in the calendar's columns. */
export const sideOfToast = (day: Day | undefined): 'left' | 'right' =>
  day !== undefined && weekday(day) < 4 ? 'right' : 'left'

const isComposer = (pathname: string): boolean => pathname.endsWith('/compose')

const written = (path: string, search: URLSearchParams): string => (search.size > 0 ? `${path}?${search}` : path)
