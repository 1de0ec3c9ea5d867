import { startBlueskySimulator } from './start.ts'

/*
 * The simulator as a process of its own: `node server/simulators/bluesky/main.ts [port]`. Prints its address; faults are
 * set at POST /sim/faults, the ledger is read at GET /sim/ledger.
 */
const simulator = await startBlueskySimulator({ port: Number(process.argv[2] ?? 0) })
console.log(simulator.origin)
