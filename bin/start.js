import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { become } from './lib/run.js'
import { builtServer, ensureServerBuilt } from './lib/server.js'
import { ensureWebBuilt } from './lib/web.js'

const returnMemory = () => pathToFileURL(at('bin', 'lib', 'returnMemory.js')).href

// Everything between a fresh clone and a running app. Skips what it did before.
await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  await ensureServerBuilt()
  // V8's young generation grows to its limit and stays there: a quarter of the usual limit keeps the idle app 35 MB
  // smaller. glibc keeps freed memory in up to eight arenas per core, and at the end of each as much as was once needed
  // (docs/operations.md, "Memory"); the rest is returned by lib/returnMemory.js, whose way to call glibc is experimental
  const flags = [
    '--max-semi-space-size=4',
    '--expose-gc',
    '--import',
    returnMemory(),
    '--disable-warning=ExperimentalWarning',
  ]
  await become([...flags, builtServer()], {
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1',
    MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? '131072',
  })
})
