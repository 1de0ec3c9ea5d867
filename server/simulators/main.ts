import { startPlatforms } from './start.ts'

/*
 * The simulated platforms as a process of their own: `node server/simulators/main.ts [port]`. Prints its address;
 * faults are set at POST /sim/faults, tokens end at POST /sim/expire, every answer
 * comes later by POST /sim/latency {ms}, more people are there by POST /sim/people {platform, count}, and one of them writes by
 * POST /sim/write {platform, from, text, parent, visibility}; what was published is read at GET /sim/posts/{platform}.
 */
const platforms = await startPlatforms({ port: Number(process.argv[2] ?? 0) })
console.log(platforms.base)
