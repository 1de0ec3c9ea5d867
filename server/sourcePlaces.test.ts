import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inSources } from './sourcePlaces.ts'

const root = mkdtempSync(join(tmpdir(), 'rookery-places-'))
const built = join(root, 'dist', 'server', 'main.js')
beforeAll(async () => {
  mkdirSync(join(root, 'server'), { recursive: true })
  writeFileSync(
    join(root, 'server', 'main.ts'),
    "import { fails } from './fails.ts'\n\nexport const run = () => fails()\n",
  )
  writeFileSync(
    join(root, 'server', 'fails.ts'),
    "type Nothing = never\n\n\nexport function fails(): Nothing {\n  throw new Error('It failed')\n}\n",
  )
  const bundle = await rolldown({ input: join(root, 'server', 'main.ts'), platform: 'node' })
  await bundle.write({ dir: join(root, 'dist', 'server'), sourcemap: 'hidden', sourcemapExcludeSources: true })
  await bundle.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('are told for what failed in the built program', async () => {
  const program: { run: () => never } = await import(/* @vite-ignore */ pathToFileURL(built).href)
  let stack = ''
  try {
    program.run()
  } catch (error) {
    stack = error instanceof Error ? (error.stack ?? '') : ''
  }
  const [, first, second] = inSources(stack).split('\n')
  expect(first).toMatch(/^ {4}at fails \(server[/\\]fails\.ts:5:\d+\)$/)
  // as Node writes it for what was awaited
  const line = stack.match(/main\.js:(\d+)/)?.[1] ?? ''
  expect(inSources(`    at async ${built}:${line}:8`)).toMatch(/^ {4}at async server[/\\]fails\.ts:5:\d+$/)
  expect(second).toMatch(/^ {4}at \S+ \(server[/\\]main\.ts:3:\d+\)$/)
})

it('stay as they are for all else', () => {
  for (const line of [
    `    at run (file:///nowhere/dist/server/main.js:1:1)`,
    '    at async /somewhere/server/main.ts:1:1',
    'Error: in dist/server/main.js:1:1',
    '',
  ])
    expect(inSources(line)).toBe(line)
})
