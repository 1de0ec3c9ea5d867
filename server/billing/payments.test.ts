import { expect, it } from 'vitest'
import { testClock } from '../clock.ts'
import { readEnv } from '../env.ts'
import { TEST_NOW } from '../testing/startApp.ts'
import { composePayments } from './payments.ts'

/* Who takes the money depends on where the product can be reached: test cards don't work for people from outside. */

const kindWith = (variables: Record<string, string>) =>
  composePayments({ env: readEnv(variables), clock: testClock(TEST_NOW) }).kind

it.each([
  ['on this machine alone', {}, 'local'],
  ['under another address of this machine', { PUBLIC_URL: 'http://127.0.0.1:3000' }, 'local'],
  ['open to a network', { HOST: '0.0.0.0' }, 'none'],
  ['under a public address', { PUBLIC_URL: 'https://rookery.example' }, 'none'],
  ['behind a proxy that was named, though no address was', { TRUST_PROXY: '127.0.0.1' }, 'none'],
  ['where they are wanted all the same', { TRUST_PROXY: '127.0.0.1', PAYMENTS: 'local' }, 'local'],
  ['where nobody shall pay', { PAYMENTS: 'none' }, 'none'],
] as const)('test payments %s', (_, variables, kind) => {
  expect(kindWith(variables)).toBe(kind)
})
