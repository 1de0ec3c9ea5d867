import { expect, it } from 'vitest'
import { CannedResponseBody, fillIn, unknownVariables } from './cannedResponses.ts'

it('fills in what is known, the fallback word where it is not, and nothing without one', () => {
  const text = 'Hi {{name|there}}, {{ agent }} here{{post_link}}.'
  expect(fillIn(text, { name: 'Maya', agent: 'Edda', post_link: ': https://x.example' })).toBe(
    'Hi Maya, Edda here: https://x.example.',
  )
  expect(fillIn(text, { name: ' ', agent: 'Edda' })).toBe('Hi there, Edda here.')
})

it('fills in no variable that someone wrote into a name', () => {
  expect(fillIn('Hi {{name}}', { name: '{{agent}}', agent: 'Edda' })).toBe('Hi {{agent}}')
})

it.each(['{{nickname}}', '{{Name}}', '{{name }} {{ 1 }}', '{{}}', '{{first name|you}}'])('refuses %s', (text) => {
  expect(unknownVariables(text)).toHaveLength(1)
  expect(CannedResponseBody.safeParse({ name: 'A', text }).success).toBe(false)
})

it('takes known variables and plain braces', () => {
  expect(unknownVariables('{{name}} {{channel|us}} {not one} {{')).toEqual([])
})
