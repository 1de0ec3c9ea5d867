import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { hashOf } from './lib/web.js'

const folder = mkdtempSync(join(tmpdir(), 'rookery-web-hash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('recognizes what was built from the same files in another folder, and not what was built from others', () => {
  const [clone, copy] = [join(folder, 'clone'), join(folder, 'copy')]
  mkdirSync(join(clone, 'web', 'app'), { recursive: true })
  writeFileSync(join(clone, 'web', 'app', 'main.tsx'), 'first')
  cpSync(clone, copy, { recursive: true })
  expect(hashOf(['web'], copy)).toBe(hashOf(['web'], clone))
  writeFileSync(join(copy, 'web', 'app', 'main.tsx'), 'second')
  expect(hashOf(['web'], copy)).not.toBe(hashOf(['web'], clone))
})
