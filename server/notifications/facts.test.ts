import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const sources = globSync('server/**/*.ts', { exclude: ['**/node_modules/**'] })
  .filter((path) => !/\.test\.ts$|^server\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

it('finds the places that create notifications', () => {
  const callers = sources.filter(({ text }) => /\bcreateNotification\(|\bnotifyAdmins\(|\bnotify\(/.test(text))
  expect(callers.length).toBeGreaterThan(10)
})

it('creates notifications from facts: no caller passes a title or body', () => {
  const worded = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:createNotification|notifyAdmins|notify)\(([\s\S]*?)\n\s*\)/g)].flatMap(([, call = '']) =>
      /^\s*(?:title|body|message|bodyToAsk)\b\s*[:,]/m.test(call) ? [path] : [],
    ),
  )
  expect(worded).toEqual([])
})

it('words notifications in the contract alone, and never from a stored text', () => {
  const describers = sources.flatMap(({ path, text }) => (text.includes('describeNotification(') ? [path] : []))
  expect(describers).toEqual(['server/notifications/list.ts', 'server/notifications/mails.ts'])
})

it('builds the URLs of the web app in one place', () => {
  const handWritten = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/`[^`\n]*`/g)].flatMap(([literal]) =>
      /^`(?:\$\{[^}]*publicUrl\})?\/\$\{[^}]+\}\/project\/\$\{/.test(literal) ||
      /publicUrl\}\/(?:login|signup|forgot-password|reset-password|invite|approve|unsubscribe|profile|onboarding)\b/.test(
        literal,
      )
        ? [`${path}: ${literal}`]
        : [],
    ),
  )
  expect(handWritten).toEqual([])
})
