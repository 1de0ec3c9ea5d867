import { startPlatforms } from './start.ts'

/*
 * The simulated platforms as a separate process: `node server/simulators/main.ts [port]`. Prints its URL. POST
 * /sim/faults sets faults, POST /sim/expire ends tokens, POST /sim/latency {ms} delays every response, POST /sim/people
 * {platform, count} adds people, and POST /sim/write {platform, from, text, parent, visibility} lets one of them write.
 * GET /sim/posts/{platform} returns what was published.
 */
const platforms = await startPlatforms({ port: Number(process.argv[2] ?? 0) })
console.log(platforms.base)
