import { errorCatalog } from '#contract/errors.ts'
import { gates, type Gate } from '#contract/plans.ts'
import { ApiFailure, type FailureCode } from './failure.ts'
import { isInvite, needsNoSession, type LoginSearch } from './redirect.ts'
import type { ClosedGate } from './upgrade.ts'

/** The message for a failure without one. */
export const FALLBACK_MESSAGE = errorCatalog.INTERNAL.detail

/** Leaving the same page twice within this time would be a loop: a message is shown instead. Milliseconds. */
const LOOP_WINDOW = 10_000
/** Calls of one page fail together within this time. Milliseconds. */
const SAME_MOMENT = 2_000

export type FailureTools = {
  /** The current URL: path, and path with its query. */
  here: () => { path: string; href: string }
  goToLogin: (search: LoginSearch) => void
  goTo: (path: '/onboarding' | '/signup/verify') => void
  /** To the page that sets up, or asks for, a second factor; `back` is where it leads afterwards. */
  goToSecondFactor: (back: string) => void
  /** Drops all cached data and local state. */
  clear: () => void
  toast: (message: string) => void
  /** Opens a closed gate's upgrade dialog. */
  upgrade: (closed: ClosedGate) => void
  now: () => number
}

/**
 * The one reaction to any failed call (specification, error catalog). `handles` are the codes that the caller shows
 * itself; those that end the session or lead elsewhere are never left to callers.
 */
export function createOnFailure(
  tools: FailureTools,
): (error: unknown, handles?: readonly FailureCode[] | true) => void {
  let sentAway: { from: string; at: number } | undefined

  /** Undefined if it would be a loop. */
  const leave = (from: string, go: () => void): boolean => {
    const at = tools.now()
    const again = sentAway?.from === from && at - sentAway.at < LOOP_WINDOW
    if (again) return false
    sentAway = { from, at }
    go()
    return true
  }

  return (error, handles) => {
    if (isAbort(error)) return
    const failure = error instanceof ApiFailure ? error : undefined
    const { path, href } = tools.here()
    // every code that isn't named here is shown as it is
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (failure?.code) {
      case 'UNAUTHORIZED':
        tools.clear()
        if (!needsNoSession(path)) tools.goToLogin({ redirect: href })
        return
      case 'INVITE_NOT_FOUND':
        tools.clear()
        if (path === '/login') tools.goToLogin({ reason: 'INVITE_NOT_FOUND' })
        else
          tools.goToLogin({
            reason: 'INVITE_NOT_FOUND',
            ...(isInvite(path) || needsNoSession(path) ? {} : { redirect: href }),
          })
        return
      case 'IDENTIFIERS_ERROR':
        if (path === '/onboarding') {
          // the other calls of the page that was just left fail with the first; a call of /onboarding itself is shown
          if (!sentAway || tools.now() - sentAway.at > SAME_MOMENT) tools.toast(failure.detail ?? FALLBACK_MESSAGE)
        } else if (!leave(path, () => tools.goTo('/onboarding'))) tools.toast(failure.detail ?? FALLBACK_MESSAGE)
        return
      case 'USER_NOT_CONFIRMED':
        if (path !== '/signup/verify') tools.goTo('/signup/verify')
        return
      case 'SECOND_FACTOR_NEEDED':
        if (path !== '/second-step') tools.goToSecondFactor(href)
        return
      case 'AI_PROMPT_GENERATION_ERROR':
        return
      default:
        if (failure && (handles === true || handles?.includes(failure.code))) return
        if (failure?.code === 'PLAN_LIMIT') {
          const closed = closedGateOf(failure)
          if (closed) return tools.upgrade(closed)
        }
        tools.toast(failure?.detail || FALLBACK_MESSAGE)
    }
  }
}

/** The gate of a PLAN_LIMIT; undefined for one that this version doesn't know, and for other failures. */
export function gateOf(failure: ApiFailure): Gate | undefined {
  return failure.code === 'PLAN_LIMIT' ? gates.find((gate) => gate === failure.meta['gate']) : undefined
}

/** The gate with its reason, in the server's words unless they add nothing. */
function closedGateOf(failure: ApiFailure): ClosedGate | undefined {
  const gate = gateOf(failure)
  if (!gate) return undefined
  const detail = failure.detail === errorCatalog.PLAN_LIMIT.detail ? undefined : failure.detail
  return { gate, detail, usedOnTrial: failure.meta['usedOnTrial'] === true }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
