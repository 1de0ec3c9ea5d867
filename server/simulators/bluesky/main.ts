import { startBlueskySimulator } from './start.ts'

/*
 * The simulator as a separate process: `node server/simulators/bluesky/main.ts [port]`. Prints its URL. POST
 * /sim/faults sets faults; GET /sim/ledger reads the ledger.
 */
const simulator = await startBlueskySimulator({ port: Number(process.argv[2] ?? 0) })
console.log(simulator.origin)
