import { existsSync } from 'node:fs'
import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { become, runNode } from './lib/run.js'
import { ensureWebBuilt } from './lib/web.js'

// The built app with a demo organization and simulated channels, in a data folder of its own. Nothing leaves this
// machine: platforms, payments and emails are simulated.
await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  const settings = {
    DATA_DIR: process.env.DATA_DIR ?? at('data-demo'),
    NODE_ENV: 'development',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    SIMULATED_CHANNELS: '1',
    // requests are checked against them by tests and developers
    PLATFORM_SPECS: 'none',
    SIMULATED_PLATFORMS: process.env.SIMULATED_PLATFORMS ?? 'http://127.0.0.1:4456',
  }
  if (!existsSync(settings.DATA_DIR)) console.log('Creating the demo organization. This takes about half a minute…')
  // says the login; a second run finds the organization there
  const { code } = await runNode([at('server', 'seed', 'main.ts')], { env: settings })
  if (code !== 0) process.exitCode = code
  else await become(['--max-semi-space-size=4', at('server', 'main.ts')], settings)
})
