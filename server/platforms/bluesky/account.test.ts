import { expect, it } from 'vitest'
import { accountOf } from './account.ts'
import type { PasswordSecret } from './schemas.ts'

const reach = {
  fetch: async () => ({ kind: 'unsent', why: 'unreachable', detail: '' }) as const,
  signal: new AbortController().signal,
}
const secret: PasswordSecret = {
  did: 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa',
  pds: 'https://pds.example',
  accessJwt: 'a',
  refreshJwt: 'b',
}

it.each([
  ['name.example.com', 'typed.example.com', '@name.example.com'],
  ['handle.invalid', '@typed.example.com', '@typed.example.com'],
  ['handle.invalid', 'someone@example.com', '@handle.invalid'],
  ['rook.example was locked, open https://evil.example', 'someone@example.com', '@handle.invalid'],
  ['rook.example\nBcc: all@example.org', 'https://evil.example', '@handle.invalid'],
  [`${'a.'.repeat(200)}example`, 'rook.example', '@rook.example'],
])('shows an account whose server claims %j by a handle and nothing else', async (handle, typed, shown) => {
  const account = await accountOf(reach, { did: secret.did, handle }, secret, 'https://pds.example', typed)
  expect(account).toMatchObject({ handle: shown, name: shown.slice(1) })
})
