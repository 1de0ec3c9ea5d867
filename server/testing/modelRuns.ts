/**
 * Tests that play random sequences, with how many they play: all (`full`), or those of every run of the gate (`gate`).
 * `each` is how many milliseconds one may take on a busy machine.
 */
const MODELS = {
  'subscription model': { full: 10_000, gate: 2000, each: 50 },
  'billing model': { full: 200, gate: 40, each: 5000 },
  'inbox ledger': { full: 1000, gate: 300, each: 1000 },
  'inbox counts': { full: 200, gate: 12, each: 10_000 },
  'Facebook inbox model': { full: 32, gate: 8, each: 15_000 },
  'posts model': { full: 200, gate: 80, each: 5000 },
  // fewer may miss a state
  'posts model alone': { full: 10_000, gate: 10_000, each: 50 },
  'draft race': { full: 40, gate: 10, each: 10_000 },
  'queues model': { full: 60, gate: 15, each: 10_000 },
  'dashboard model': { full: 60, gate: 25, each: 5000 },
  'analytics model': { full: 10, gate: 5, each: 15_000 },
  'held figures': { full: 60, gate: 6, each: 15_000 },
  'accounts model': { full: 15, gate: 8, each: 10_000 },
  'paid readings': { full: 20, gate: 6, each: 10_000 },
  'sending at random': { full: 4, gate: 2, each: 60_000 },
  'roles at random': { full: 25, gate: 10, each: 10_000 },
  'climbing roles': { full: 20, gate: 10, each: 20_000 },
  'hostile paths': { full: 300, gate: 100, each: 1000 },
  'uploads by two nodes': { full: 40, gate: 15, each: 5000 },
} satisfies Record<string, { full: number; gate: number; each: number }>
/** The largest file that adapters upload: more pieces, or two of the largest piece (TikTok's and YouTube's have 8 MB). */
const BYTES = { full: 40_000_000, gate: 17_000_000 }

type ModelName = keyof typeof MODELS
type Variables = Record<string, string | undefined>

export type ModelRuns = {
  /** How many sequences to play. */
  runs: number
  /** Of the random generator: new in each run, or the one that is repeated. */
  seed: number
  /** For `it`, in milliseconds. */
  timeout: number
}

/**
 * How many sequences a test plays, and from which seed, which is printed. From the environment:
 *
 * - `MODEL_RUNS=full`: each test plays all. `MODEL_RUNS=5000`: so many.
 * - `MODEL_CHOICE=<a commit's hash>`: the one test that the hash chooses plays all, the others what the gate plays.
 * - `MODEL_SEED=42`: instead of a new seed, which repeats a run.
 */
export function modelRuns(name: ModelName, env: Variables = process.env): ModelRuns {
  const { full, gate, each } = MODELS[name]
  const { MODEL_RUNS: asked = '', MODEL_SEED: given = '' } = env
  const runs = /^[1-9]\d*$/.test(asked) ? Number(asked) : isPlayedInFull(name, env) ? full : gate
  const seed = given === '' ? Math.floor(Math.random() * 2 ** 31) : Number(given)
  if (!Number.isInteger(seed)) throw new Error(`MODEL_SEED is "${given}" instead of a number`)
  console.log(`${name}: ${runs} of ${full}, MODEL_SEED=${seed}`)
  return { runs, seed, timeout: timeoutFor(runs, each) }
}

/** The size of the largest file that the tests of uploads send. */
export const modelBytes = (env: Variables = process.env): number =>
  BYTES[isPlayedInFull('uploads', env) ? 'full' : 'gate']

/**
 * How long a test may take that does something so many times, each of which takes at most so many milliseconds on a
 * busy machine. Whatever it does, it has two minutes.
 */
export const timeoutFor = (times: number, each: number): number => 120_000 + times * each

const names = [...Object.keys(MODELS), 'uploads']
const isPlayedInFull = (name: string, env: Variables): boolean =>
  env['MODEL_RUNS'] === 'full' || chosenBy(env['MODEL_CHOICE'] ?? '') === name

function chosenBy(commit: string): string | undefined {
  return /^[0-9a-f]{7,64}$/.test(commit) ? names[Number(BigInt(`0x${commit}`) % BigInt(names.length))] : undefined
}
