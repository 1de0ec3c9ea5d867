import { expect, it } from 'vitest'
import { callbackParams } from './callback.ts'

it('passes on everything a platform sends, and nothing else', () => {
  expect(
    callbackParams({ state: 's', code: 'abc#_', hop: '1', scope: 'a b', granted_scopes: 'a', missing: undefined }),
  ).toEqual({ state: 's', code: 'abc', scope: 'a b', granted_scopes: 'a' })
  expect(callbackParams({ code: 'abc#_=_' })).toEqual({ code: 'abc' })
  expect(callbackParams({ code: 'a#b', error_code: '1349126' })).toEqual({ code: 'a#b', error_code: '1349126' })
})
