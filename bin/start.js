import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { become } from './lib/run.js'
import { ensureWebBuilt } from './lib/web.js'

// Everything between a fresh clone and a running app. Skips what it did before.
await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  // V8's young generation grows to its limit and stays there: half the usual limit keeps the idle app 15 MB smaller
  await become(['--max-semi-space-size=8', at('server', 'main.ts')], { NODE_ENV: process.env.NODE_ENV ?? 'production' })
})
