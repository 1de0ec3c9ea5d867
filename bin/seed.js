import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { runNode } from './lib/run.js'

// Fills DATA_DIR (or DATABASE_URL) with a lively demo organization.
await main(async () => {
  await ensureInstalled()
  const { code } = await runNode([at('server', 'seed', 'main.ts'), ...process.argv.slice(2)], {
    env: { SIMULATED_CHANNELS: '1' },
  })
  if (code === 0) console.log('Simulated channels work with npm run dev.')
  process.exitCode = code
})
