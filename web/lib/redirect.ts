/** Pages without a session: nobody is led from them to the login, and no login leads back to them. */
const SIGNED_OUT_PAGES = ['/login', '/signup', '/forgot-password', '/reset-password', '/unsubscribe', '/legal']

export function needsNoSession(path: string): boolean {
  return path !== '/signup/verify' && SIGNED_OUT_PAGES.some((page) => path === page || path.startsWith(`${page}/`))
}

/**
 * The part of `target` that a redirect may follow: a path of this app, with its query. Undefined for other sites, for
 * pages that need no session, and for invalid URLs.
 */
export function insideApp(target: string | undefined, origin: string = window.location.origin): string | undefined {
  if (!target?.startsWith('/')) return undefined
  let url: URL
  try {
    url = new URL(target, origin)
  } catch {
    return undefined
  }
  // a path that begins with two slashes, such as /.//evil.example leads to, is another site once it's followed
  if (url.origin !== origin || url.pathname.startsWith('//') || needsNoSession(url.pathname)) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}

export type LoginSearch = {
  redirect?: string | undefined
  inviteId?: string | undefined
  reason?: 'INVITE_NOT_FOUND' | undefined
}

/**
 * Where a successful login leads: to the invite, otherwise to the redirect's target, otherwise to /onboarding. After an
 * INVITE_NOT_FOUND, no redirect to any invite is followed.
 */
export function afterLogin(search: LoginSearch, origin: string = window.location.origin): string {
  if (search.inviteId && !search.reason) return `/invite?inviteId=${encodeURIComponent(search.inviteId)}`
  const target = insideApp(search.redirect, origin)
  if (!target || (search.reason && isInvite(target))) return '/onboarding'
  return target
}

export function isInvite(path: string): boolean {
  return path === '/invite' || path.startsWith('/invite?') || path.startsWith('/invite/')
}
