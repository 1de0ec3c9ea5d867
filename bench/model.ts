import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/*
 * All 10,000 random sequences of actions on posts, run over HTTP next to the model (`npm test -- long` plays 200). `--short` runs
 * 1,000; `--sequences=n` that many. Prints what the test prints; fails at the first difference.
 */
const asked = process.argv.find((word) => word.startsWith('--sequences='))?.slice(12)
const sequences = asked ?? (process.argv.includes('--short') ? '1000' : '10000')
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'api', 'server/posts/model.test.ts', '-t', 'the product matches'],
  { stdio: 'inherit', env: { ...process.env, MODEL_RUNS: sequences } },
)
process.exitCode = status ?? 1
