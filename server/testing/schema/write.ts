import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDatabase } from '../../db/database.ts'
import { asClient } from '../../db/roles.ts'
import { nextLanded } from '../../db/sqlFiles.ts'
import { generatedFiles } from './generated.ts'

// What `node bin/schema.js` runs: writes landed.json, and schema.sql and schema.ts from a database made for it.

const write = (name: string, text: string): void => writeFileSync(new URL(`../../db/${name}`, import.meta.url), text)

write('landed.json', `${JSON.stringify(nextLanded(), null, 2)}\n`)
const dataDir = mkdtempSync(join(tmpdir(), 'rookery-schema-'))
const database = await startDatabase({ dataDir, fsync: false })
try {
  const files = await asClient(database.settings.owner, generatedFiles)
  for (const [name, text] of Object.entries(files)) write(name, text)
} finally {
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
