import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRoles, type Permissions } from '#contract/permissions.ts'
import { migrate } from '../db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

/* Roles that were stored before internal notes had rights of their own and direct messages had four actions. */

let database: TestDatabase
const [orgId, projectId, personId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()]
const sql = (text: string, values: unknown[] = []) => database.owner.query(text, values)

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  await migrate(database.settings, '0056-locked-at')
  await sql(
    "insert into person (id, email, first_name, last_name, password_hash, created_at) values ($1, 'olive@rook.example', 'Olive', 'Owner', 'x', now())",
    [personId],
  )
  await sql(
    "insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ($1, 'Rook', 'organization', '2-10', now(), $2)",
    [orgId, personId],
  )
  await sql(
    "insert into project (org_id, id, name, description, zone, onboarding_step, created_at, created_by) values ($1, $2, 'Nest', '', 'UTC', 'done', now(), $3)",
    [orgId, projectId, personId],
  )
})
afterAll(() => database.drop())

const stored = {
  // what the three system roles held then
  admin: {
    ...withoutNotes(systemRoles.admin.permissions),
    dm: ['view', 'edit', 'create', 'delete', 'publish', 'needs_approval'],
  },
  editor: {
    ...withoutNotes(systemRoles.editor.permissions),
    dm: ['view', 'edit', 'create', 'delete', 'publish', 'needs_approval'],
  },
  user: withoutNotes(systemRoles.user.permissions),
  talks: { channel: ['view'], post: ['view', 'needs_approval'] },
  looks: { channel: ['view'], post: ['view'], comment: ['view', 'create'] },
  messages: { channel: ['view'], dm: ['publish', 'view', 'create'] },
} satisfies Record<string, Permissions>

function withoutNotes(held: Permissions): Permissions {
  return Object.fromEntries(Object.entries(held).filter(([resource]) => resource !== 'note'))
}

it('keeps who reads and writes notes, and takes the two actions from direct messages', async () => {
  for (const [name, permissions] of Object.entries(stored))
    await sql(
      'insert into role (org_id, id, project_id, kind, name, permissions, created_at) values ($1, $2, $3, $4, $5, $6, now())',
      [orgId, randomUUIDv7(), projectId, name in systemRoles ? name : 'custom', name, JSON.stringify(permissions)],
    )
  await migrate(database.settings)
  const { rows } = await sql('select name, permissions from role')
  const now: Record<string, Permissions> = Object.fromEntries(
    rows.map((row: { name: string; permissions: Permissions }) => [row.name, row.permissions]),
  )
  for (const [kind, { permissions }] of Object.entries(systemRoles))
    for (const [resource, actions] of Object.entries(permissions))
      expect(
        Object.entries(now[kind] ?? {})
          .find(([held]) => held === resource)?.[1]
          .toSorted(),
        `${kind} ${resource}`,
      ).toEqual([...actions].toSorted())
  expect(now['talks']).toEqual({ ...stored.talks, note: ['view', 'create'] })
  expect(now['looks']).toEqual({ ...stored.looks, note: ['view'] })
  expect(now['messages']).toEqual({ channel: ['view'], dm: ['view', 'create'] })
})
