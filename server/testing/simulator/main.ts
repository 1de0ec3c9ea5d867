import { startBlueskySimulator } from './bluesky.ts'

/*
 * The simulator as a process of its own: `node server/testing/simulator/main.ts [port]`. Prints its address; faults are
 * set at POST /sim/faults, the ledger is read at GET /sim/ledger.
 */
const simulator = await startBlueskySimulator({ port: Number(process.argv[2] ?? 0) })
console.log(simulator.origin)
