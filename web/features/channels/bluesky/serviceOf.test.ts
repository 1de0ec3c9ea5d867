import { expect, it } from 'vitest'
import { serviceOf } from './serviceOf.ts'

it('only names other servers', () => {
  expect(serviceOf(null)).toBe('')
  expect(serviceOf('https://bsky.social')).toBe('')
  expect(serviceOf('https://amanita.us-east.host.bsky.network')).toBe('')
  expect(serviceOf('pds.example.org')).toBe('https://pds.example.org')
  expect(serviceOf('localhost:2583')).toBe('http://localhost:2583')
  expect(serviceOf('http://localhost:2583')).toBe('http://localhost:2583')
})
