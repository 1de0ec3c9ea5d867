import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openDatabases, openOwnerPool, type Databases, type DatabaseSettings } from '../db/pools.ts'
import { asClient, embeddedSettings } from '../db/roles.ts'
import './cluster.ts'

/** A test file's own database, migrated and empty as after the first start. */
export type TestDatabase = {
  settings: DatabaseSettings
  /** The pools as the app opens them. */
  databases: Databases
  /** Sees every tenant: to prepare data and to look behind the policies. */
  owner: pg.Pool
  /** Closes the pools and drops the database. */
  drop(): Promise<void>
}

/**
 * Clones the template (some 20 ms), or creates one without any schema. Call it in `beforeAll`, and `drop` in
 * `afterAll`.
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { superuser, passwords, template } = inject('cluster')
  const name = `test_${randomBytes(8).toString('hex')}`
  const from = empty ? 'template0' : template
  await asClient(superuser, (client) =>
    client.query(`create database ${name} template ${from} owner rookery_owner strategy file_copy`),
  )
  const settings = embeddedSettings(superuser, passwords, name)
  const databases = openDatabases(settings)
  const owner = openOwnerPool(settings)
  return {
    settings,
    databases,
    owner,
    drop: async () => {
      await Promise.all([databases.close(), owner.end()])
      await asClient(superuser, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}
