import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { runNode } from './lib/run.js'

// Regenerates what follows from server/db/migrations and server/db/functions: run it after every change there.
await main(async () => {
  await ensureInstalled()
  const { code } = await runNode([at('server', 'testing', 'schema', 'write.ts')])
  process.exitCode = code
})
