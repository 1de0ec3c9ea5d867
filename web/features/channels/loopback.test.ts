import { expect, it } from 'vitest'
import { otherLoopback } from './loopback.ts'

it("redirects to this machine's other name, once", () => {
  const hop = otherLoopback('http://127.0.0.1:3000/oauth/bluesky/callback?state=a&code=b%2Bc')
  expect(hop).toBe('http://localhost:3000/oauth/bluesky/callback?state=a&code=b%2Bc&hop=1')
  expect(otherLoopback(hop ?? '')).toBeUndefined()
  expect(otherLoopback('http://localhost:3000/oauth/x/callback')).toBe('http://127.0.0.1:3000/oauth/x/callback?hop=1')
})

it('never redirects to another machine', () => {
  expect(otherLoopback('https://rookery.example/oauth/bluesky/callback?state=a')).toBeUndefined()
  expect(otherLoopback('https://localhost.example/oauth/bluesky/callback')).toBeUndefined()
})
