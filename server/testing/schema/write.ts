import { writeFileSync } from 'node:fs'
import { nextLanded } from '../../db/sqlFiles.ts'

writeFileSync(new URL('../../db/landed.json', import.meta.url), `${JSON.stringify(nextLanded(), null, 2)}\n`)
