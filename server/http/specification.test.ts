import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'

/*
 * The calls and texts that the specification names, read from the folder in SPECIFICATION, or ../shared/checks next to
 * the checkout. Without them, this file says so in one line and compares nothing.
 */
const root = join(import.meta.dirname, '..', '..')
const folder = process.env['SPECIFICATION'] ?? join(root, '..', 'shared', 'checks')
const isThere = existsSync(join(folder, 'endpoints.txt'))
if (!isThere) process.stdout.write('specification lists are absent: calls and texts were not compared with them\n')

const linesOf = (file: string): string[] =>
  (isThere ? readFileSync(join(folder, file), 'utf8') : '')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))

/** Areas whose calls aren't all served yet. One that is complete doesn't belong here: the second test says so. */
const openAreas: readonly string[] = []

describe.runIf(isThere)('the calls of the specification', () => {
  // a call about each platform serves the words of the specification for one of them
  const served = Object.values(api).map(
    ({ method, path }) =>
      new RegExp(
        `^${method} ${path.replaceAll(':platform', '[a-z]+').replaceAll(/:\w+/g, '{}').replaceAll(/[{}]/g, '\\$&')}$`,
      ),
  )
  const calls = linesOf('endpoints.txt').map((line) => {
    const [method = '', path = '', area = ''] = line.split(' ')
    return { call: `${method} ${path}`.replaceAll('{platform}', 'bluesky'), area }
  })
  const isServed = (call: string): boolean =>
    served.some(
      (pattern) =>
        pattern.test(call) ||
        pattern.test(call.replaceAll(/(social\/)\{\}(\/(?:auth|callback|confirm))/g, '$1bluesky$2')),
    )
  const missing = calls.filter(({ call }) => !isServed(call))

  it('are all served, except in areas that are still open', () => {
    expect(missing.filter(({ area }) => !openAreas.includes(area)).map(({ call }) => call)).toEqual([])
  })

  it('leave no area open that is complete', () => {
    expect(openAreas.filter((area) => !missing.some((one) => one.area === area))).toEqual([])
  })
})

describe.runIf(isThere)('the texts of the specification', () => {
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.*', '**/testing/**'],
  })
  const source = files.map((file) => readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")).join('\n')
  const texts = linesOf('messages.txt')

  it('are used word for word', () => {
    expect(texts.filter((text) => !source.includes(text.trim()))).toEqual([])
  })
})
