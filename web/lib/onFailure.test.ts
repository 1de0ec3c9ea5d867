import { expect, test } from 'vitest'
import { errorCatalog, errorCodes, type ErrorCode } from '#contract/errors.ts'
import type { ClosedGate } from './upgrade.ts'
import { ApiFailure, networkFailure } from './failure.ts'
import { createOnFailure, FALLBACK_MESSAGE } from './onFailure.ts'
import { afterLogin, type LoginSearch } from './redirect.ts'

const org = '/0190a000-0000-7000-8000-000000000001/project/0190a000-0000-7000-8000-000000000002'
const refusal = (code: ErrorCode, detail: string | undefined = errorCatalog[code].detail) =>
  new ApiFailure({ code, status: errorCatalog[code].status, title: code, detail })

/** A browser with nothing but a URL, which records what the handling did to it. */
function browser(start: string) {
  const did = {
    toasts: [] as string[],
    visited: [] as string[],
    cleared: 0,
    logins: [] as LoginSearch[],
    upgrades: [] as ClosedGate[],
  }
  let [href, now] = [start, 0]
  const path = () => href.split('?')[0] ?? ''
  const onFailure = createOnFailure({
    here: () => ({ path: path(), href }),
    goToLogin: (search) => {
      did.logins.push(search)
      href = `/login?${new URLSearchParams(Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined))}`
      did.visited.push('/login')
    },
    goTo: (to) => {
      href = to
      did.visited.push(to)
    },
    goToSecondFactor: (back) => {
      href = `/second-step?redirect=${encodeURIComponent(back)}`
      did.visited.push(href)
    },
    clear: () => {
      did.cleared += 1
    },
    toast: (message) => void did.toasts.push(message),
    upgrade: (closed) => void did.upgrades.push(closed),
    now: () => now,
  })
  return {
    did,
    onFailure,
    at: () => href,
    goes: (to: string) => void (href = to),
    waits: (ms: number) => void (now += ms),
  }
}

test('UNAUTHORIZED clears all state and leads to the login with a redirect to the current path', () => {
  const b = browser(`${org}/calendar?view=week`)
  b.onFailure(refusal('UNAUTHORIZED'))
  expect(b.did).toMatchObject({ cleared: 1, logins: [{ redirect: `${org}/calendar?view=week` }], toasts: [] })
})

test('five calls that lose the session together lead to the login once', () => {
  const b = browser(`${org}/dashboard`)
  for (let i = 0; i < 5; i += 1) b.onFailure(refusal('UNAUTHORIZED'))
  expect(b.did.visited).toEqual(['/login'])
  expect(b.did.logins).toEqual([{ redirect: `${org}/dashboard` }])
})

test.each([
  '/login',
  '/login?redirect=%2Fx',
  '/signup',
  '/forgot-password',
  '/reset-password?token=t',
  '/legal/privacy-policy',
])('UNAUTHORIZED on %s, which needs no session, sends nobody anywhere', (page) => {
  const b = browser(page)
  b.onFailure(refusal('UNAUTHORIZED'))
  expect(b.at()).toBe(page)
})

test('UNAUTHORIZED while confirming the address leads to the login, and back', () => {
  const b = browser('/signup/verify')
  b.onFailure(refusal('UNAUTHORIZED'))
  expect(b.did.logins).toEqual([{ redirect: '/signup/verify' }])
})

test('INVITE_NOT_FOUND clears all state and leads to the login with its reason, never with a redirect to that invite', () => {
  const b = browser('/invite?inviteId=42')
  b.onFailure(refusal('INVITE_NOT_FOUND'))
  expect(b.did).toMatchObject({ cleared: 1, logins: [{ reason: 'INVITE_NOT_FOUND' }], toasts: [] })
  expect(b.did.logins[0]?.redirect).toBeUndefined()
})

test('INVITE_NOT_FOUND elsewhere keeps the current path as the redirect', () => {
  const b = browser(`${org}/users`)
  b.onFailure(refusal('INVITE_NOT_FOUND'))
  expect(b.did.logins).toEqual([{ reason: 'INVITE_NOT_FOUND', redirect: `${org}/users` }])
})

test('INVITE_NOT_FOUND on the login itself only shows the reason and drops the invite', () => {
  const b = browser('/login?inviteId=42')
  b.onFailure(refusal('INVITE_NOT_FOUND'))
  expect(b.did.logins).toEqual([{ reason: 'INVITE_NOT_FOUND' }])
})

test('an invalid invite never loops: login follows neither the invite nor a redirect to it', () => {
  const origin = 'https://rookery.example'
  expect(afterLogin({ reason: 'INVITE_NOT_FOUND', inviteId: '42' }, origin)).toBe('/onboarding')
  expect(afterLogin({ reason: 'INVITE_NOT_FOUND', redirect: '/invite?inviteId=42' }, origin)).toBe('/onboarding')
})

test('IDENTIFIERS_ERROR leads to /onboarding', () => {
  const b = browser('/nonsense/project/nonsense/dashboard')
  b.onFailure(refusal('IDENTIFIERS_ERROR'))
  expect(b.did).toMatchObject({ visited: ['/onboarding'], cleared: 0, toasts: [] })
})

test('IDENTIFIERS_ERROR on /onboarding stays there and says so', () => {
  const b = browser('/onboarding')
  b.onFailure(refusal('IDENTIFIERS_ERROR'))
  expect(b.did).toMatchObject({ visited: [], toasts: ['Organization or Project ID is missing'] })
})

test("if all calls of a page fail with IDENTIFIERS_ERROR, it's left once, silently", () => {
  const b = browser('/nonsense/project/nonsense/dashboard')
  for (let i = 0; i < 5; i += 1) b.onFailure(refusal('IDENTIFIERS_ERROR'))
  expect(b.did).toMatchObject({ visited: ['/onboarding'], toasts: [] })
})

test("a page that onboarding leads back to isn't left a second time", () => {
  const b = browser(`${org}/dashboard`)
  for (let round = 0; round < 5; round += 1) {
    b.onFailure(refusal('IDENTIFIERS_ERROR'))
    b.goes(`${org}/dashboard`)
  }
  expect(b.did.visited).toEqual(['/onboarding'])
  expect(b.did.toasts).toHaveLength(4)
  b.waits(60_000)
  b.onFailure(refusal('IDENTIFIERS_ERROR'))
  expect(b.did.visited).toEqual(['/onboarding', '/onboarding'])
})

test('USER_NOT_CONFIRMED leads to /signup/verify once, from anywhere', () => {
  const b = browser('/onboarding')
  b.onFailure(refusal('USER_NOT_CONFIRMED'))
  b.onFailure(refusal('USER_NOT_CONFIRMED'))
  expect(b.did).toMatchObject({ visited: ['/signup/verify'], cleared: 0, toasts: [] })
})

test('AI_PROMPT_GENERATION_ERROR shows nothing', () => {
  const b = browser(`${org}/compose`)
  b.onFailure(refusal('AI_PROMPT_GENERATION_ERROR'))
  expect(b.did).toMatchObject({ visited: [], toasts: [], cleared: 0 })
})

const special: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INVITE_NOT_FOUND',
  'IDENTIFIERS_ERROR',
  'USER_NOT_CONFIRMED',
  'SECOND_FACTOR_NEEDED',
  'AI_PROMPT_GENERATION_ERROR',
]
test.each(errorCodes.filter((code) => !special.includes(code)))(
  '%s toasts the message of the server and stays',
  (code) => {
    const b = browser(`${org}/calendar`)
    b.onFailure(refusal(code, 'The words of the server'))
    expect(b.did).toEqual({ toasts: ['The words of the server'], visited: [], cleared: 0, logins: [], upgrades: [] })
  },
)

test('a failure without a message shows the fallback in a toast', () => {
  const b = browser(`${org}/calendar`)
  b.onFailure(new ApiFailure({ code: 'UNREADABLE', status: 502, title: 'Bad Gateway', detail: undefined }))
  b.onFailure(refusal('INTERNAL', ''))
  b.onFailure(new TypeError('a mistake of ours'))
  expect(b.did.toasts).toEqual([FALLBACK_MESSAGE, FALLBACK_MESSAGE, FALLBACK_MESSAGE])
  expect(FALLBACK_MESSAGE).toBe('Something went wrong. Please Try again later.')
})

test('a lost connection has a message', () => {
  const b = browser(`${org}/calendar`)
  b.onFailure(networkFailure(new TypeError('Failed to fetch')))
  expect(b.did.toasts).toEqual(["We can't reach Rookery. Check your connection and try again."])
})

test('a caller that shows a failure itself keeps it from the toast, except for the end of a session', () => {
  const b = browser(`${org}/channels`)
  b.onFailure(refusal('CHANNEL_REFUSED'), ['CHANNEL_REFUSED'])
  b.onFailure(refusal('NAME_TAKEN'), true)
  expect(b.did.toasts).toEqual([])
  b.onFailure(refusal('NAME_TAKEN'), ['CHANNEL_REFUSED'])
  expect(b.did.toasts).toEqual([errorCatalog.NAME_TAKEN.detail])
  b.onFailure(refusal('UNAUTHORIZED'), true)
  expect(b.did.logins).toHaveLength(1)
})

test("PLAN_LIMIT opens its gate's upgrade dialog; an unknown gate is a toast", () => {
  const b = browser(`${org}/roles`)
  const limit = (meta: Record<string, unknown>) =>
    new ApiFailure({ code: 'PLAN_LIMIT', status: 402, title: 'Plan', detail: "Your plan doesn't include this.", meta })
  b.onFailure(limit({ gate: 'custom_roles' }))
  // the general message says less than the dialog
  const closed = { gate: 'custom_roles', detail: undefined, usedOnTrial: false }
  expect(b.did).toMatchObject({ upgrades: [closed], toasts: [] })
  b.onFailure(limit({ gate: 'a gate of tomorrow' }))
  expect(b.did).toMatchObject({ upgrades: [closed], toasts: ["Your plan doesn't include this."] })
  b.onFailure(limit({ gate: 'users' }), ['PLAN_LIMIT'])
  expect(b.did.upgrades).toEqual([closed])
})

test("the upgrade dialog gets the server's reason, and that capacity isn't the problem", () => {
  const b = browser(`${org}/channels`)
  const detail = 'This account was already used in a free trial. Choose a plan to connect it.'
  const meta = { gate: 'channels', usedOnTrial: true }
  b.onFailure(new ApiFailure({ code: 'PLAN_LIMIT', status: 402, title: 'Plan', detail, meta }))
  expect(b.did.upgrades).toEqual([{ gate: 'channels', detail, usedOnTrial: true }])
})

test('an organization that requires a second factor leads to its setup page, once', () => {
  const b = browser(`${org}/channels?page=2`)
  b.onFailure(refusal('SECOND_FACTOR_NEEDED'), true)
  b.onFailure(refusal('SECOND_FACTOR_NEEDED'))
  expect(b.did.visited).toEqual([`/second-step?redirect=${encodeURIComponent(`${org}/channels?page=2`)}`])
  expect(b.did.toasts).toEqual([])
})

test("a canceled call isn't a failure", () => {
  const b = browser(`${org}/channels`)
  b.onFailure(new DOMException('canceled', 'AbortError'))
  expect(b.did.toasts).toEqual([])
})
