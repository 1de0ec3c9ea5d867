import { expect, test } from 'vitest'
import { afterLogin, insideApp, needsNoSession } from './redirect.ts'

const origin = 'https://rookery.example'

test.each([
  ['/a/project/b/calendar?view=week#top', '/a/project/b/calendar?view=week#top'],
  ['/profile', '/profile'],
  ['https://evil.example/', undefined],
  ['//evil.example/x', undefined],
  ['/\\evil.example/x', undefined],
  ['/.//evil.example/x', undefined],
  ['/profile/..//evil.example', undefined],
  ['/%2e/\\evil.example', undefined],
  ['/\t/evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['evil', undefined],
  ['/login?redirect=/login', undefined],
  ['/signup', undefined],
  ['', undefined],
  [undefined, undefined],
])('a redirect to %s is followed as %s', (target, followed) => {
  expect(insideApp(target, origin)).toBe(followed)
})

test('a login leads to the invite, otherwise to the redirect, otherwise to /onboarding', () => {
  expect(afterLogin({ inviteId: 'a b', redirect: '/profile' }, origin)).toBe('/invite?inviteId=a%20b')
  expect(afterLogin({ redirect: '/profile' }, origin)).toBe('/profile')
  expect(afterLogin({ redirect: 'https://evil.example' }, origin)).toBe('/onboarding')
  expect(afterLogin({}, origin)).toBe('/onboarding')
})

test("confirming the address needs a session, signing up doesn't", () => {
  expect([
    needsNoSession('/signup'),
    needsNoSession('/signup/verify'),
    needsNoSession('/legal/privacy-policy'),
    needsNoSession('/loginx'),
  ]).toEqual([true, false, true, false])
})
