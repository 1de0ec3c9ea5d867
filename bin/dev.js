import { createRequire } from 'node:module'
import { ensureInstalled } from './lib/install.js'
import { at, main } from './lib/places.js'
import { environment, hold, start } from './lib/run.js'

// The server restarts and the pages update when files are saved. Simulated channels can be connected.
await main(async () => {
  await ensureInstalled()
  const port = process.env.PORT ?? '3000'
  const api = process.env.ROOKERY_API_PORT ?? String(Number(port) + 1)
  const simulated = process.env.SIMULATED_CHANNELS ?? '1'
  const env = environment({
    NODE_ENV: 'development',
    SIMULATED_CHANNELS: simulated,
    // set to another program's URL, or left out together with the channels
    ...(/^(1|true)$/.test(simulated) && {
      SIMULATED_PLATFORMS: process.env.SIMULATED_PLATFORMS ?? 'http://127.0.0.1:4456',
    }),
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
    ROOKERY_API: `http://127.0.0.1:${api}`,
  })
  const vite = createRequire(at('package.json')).resolve('vite/package.json').replace('package.json', 'bin/vite.js')
  const server = start(['--watch', '--watch-preserve-output', at('server', 'main.ts')], { ...env, PORT: api })
  const web = start([vite, '--port', port, '--strictPort', '--host', '127.0.0.1'], env)
  const first = await Promise.race([hold(server), hold(web)])
  server.kill('SIGTERM')
  web.kill('SIGTERM')
  process.exitCode = first
})
