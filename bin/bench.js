import { readdirSync } from 'node:fs'
import { ensureInstalled } from './lib/install.js'
import { at, exists, main, Problem } from './lib/places.js'
import { runNode } from './lib/run.js'

// npm run bench runs all of them; npm run bench -- faults publishing only those.
await main(async () => {
  await ensureInstalled()
  const known = readdirSync(at('bench'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('_'))
    .map((file) => file.slice(0, -3))
    .toSorted()
  const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'))
  const options = process.argv.slice(2).filter((word) => word.startsWith('-'))
  const unknown = asked.find((name) => !exists('bench', `${name}.ts`))
  if (unknown) throw new Problem(`Unknown bench "${unknown}". Available: ${known.join(', ') || 'none yet'}.`)
  let failed = 0
  for (const name of asked.length > 0 ? asked : known) {
    process.stdout.write(`\n# ${name}\n`)
    const { code } = await runNode([at('bench', `${name}.ts`), ...options])
    if (code !== 0) failed += 1
  }
  if (failed > 0) throw new Problem(`${failed} benches failed.`)
})
