import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A migration or a file of functions, named without its ending. */
export type SqlFile = { name: string; text: string; hash: string }

/**
 * What has landed: the hash of every file, and a number that is raised whenever a function changes, so that an older
 * program recognizes a newer database. `node bin/schema.js` writes it.
 */
const landed = z.object({
  functionsVersion: z.int(),
  migrations: z.record(z.string(), z.string()),
  functions: z.record(z.string(), z.string()),
})
export type Landed = z.infer<typeof landed>

const HERE = import.meta.dirname
const MIGRATION = /^\d{4}-[a-z0-9-]+$/

/** The migrations in order. Throws on a file with another kind of name. */
export function migrationFiles(folder = HERE): SqlFile[] {
  const files = readSql(join(folder, 'migrations'))
  const wrong = files.find(({ name }) => !MIGRATION.test(name))
  if (wrong) throw new Error(`A migration is named NNNN-what-it-does.sql, unlike ${wrong.name}.sql`)
  return files
}

/** Functions, views and triggers: each file can be applied repeatedly. */
export const functionFiles = (folder = HERE): SqlFile[] => readSql(join(folder, 'functions'))

export const readLanded = (folder = HERE): Landed =>
  landed.parse(JSON.parse(readFileSync(join(folder, 'landed.json'), 'utf8')))

function readSql(folder: string): SqlFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { name: file.slice(0, -'.sql'.length), text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

/**
 * landed.json for the current files. Throws if a migration that has landed was changed or deleted: databases have
 * applied it as it was, so a change is a new migration.
 */
export function nextLanded(folder = HERE): Landed {
  const before = readLanded(folder)
  const migrations = hashes(migrationFiles(folder))
  const changed = Object.keys(before.migrations).filter((name) => migrations[name] !== before.migrations[name])
  if (changed.length > 0)
    throw new Error(
      `${changed.join(', ')}: a migration that has landed is never changed or deleted. Restore it and write a new one; if it has not landed yet, remove its line from server/db/landed.json`,
    )
  const functions = hashes(functionFiles(folder))
  const same = JSON.stringify(functions) === JSON.stringify(before.functions)
  return { functionsVersion: before.functionsVersion + (same ? 0 : 1), migrations, functions }
}

const hashes = (files: SqlFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ name, hash }) => [name, hash]))
