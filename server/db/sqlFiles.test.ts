import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrationFiles, nextLanded, readLanded } from './sqlFiles.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-migrations-'))
  for (const part of ['migrations', 'functions', 'landed.json'])
    cpSync(join(import.meta.dirname, part), join(folder, part), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('landed.json', () => {
  it('has every migration and function file as it is; otherwise run `node bin/schema.js`', () => {
    expect(nextLanded()).toEqual(readLanded())
  })

  it('refuses a changed and a deleted migration that has landed', () => {
    appendFileSync(join(folder, 'migrations', '0002-people.sql'), 'drop table person;\n')
    rmSync(join(folder, 'migrations', '0001-tenancy.sql'))
    expect(() => nextLanded(folder)).toThrow('0001-tenancy, 0002-people: a migration that has landed is never changed')
  })

  it('adds a new migration, and keeps the version of the functions', () => {
    writeFileSync(join(folder, 'migrations', '9999-new.sql'), 'select 1;\n')
    const next = nextLanded(folder)
    expect(Object.keys(next.migrations)).toContain('9999-new')
    expect(next.functionsVersion).toBe(readLanded().functionsVersion)
  })

  it('raises the version when a function changes, so that older programs recognize a newer database', () => {
    appendFileSync(join(folder, 'functions', 'enter.sql'), '-- changed\n')
    expect(nextLanded(folder).functionsVersion).toBe(readLanded().functionsVersion + 1)
  })
})

it("refuses a migration whose name wouldn't sort", () => {
  writeFileSync(join(folder, 'migrations', '2-people.sql'), '')
  expect(() => migrationFiles(folder)).toThrow('unlike 2-people.sql')
})
