import type { ClientBase } from 'pg'
import { readCatalog } from './catalog.ts'
import { schemaText } from './schemaText.ts'
import { typesText } from './typesText.ts'

/** The files in server/db that are generated from a migrated database, by name. */
export async function generatedFiles(client: ClientBase): Promise<Record<string, string>> {
  const catalog = await readCatalog(client)
  return { 'schema.sql': schemaText(catalog), 'schema.ts': typesText(catalog) }
}
