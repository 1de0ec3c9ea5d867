import { Pool } from 'undici'

/*
 * The load: asks one address over and over on 32 connections for some seconds, in a process of its own, and prints how
 * many answers it got and how long they took. `node bench/_load.ts <origin> <path> <cookie> <seconds> <connections>`
 */
const [origin = '', path = '', cookie = '', seconds = '3', connections = '32'] = process.argv.slice(2)
const pool = new Pool(origin, { connections: Number(connections), pipelining: 1 })
const times: number[] = []
let bytes = 0
const end = performance.now() + Number(seconds) * 1000

async function ask(): Promise<void> {
  while (performance.now() < end) {
    const begun = performance.now()
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: cookie ? { cookie } : {} })
    const text = await body.arrayBuffer()
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${Buffer.from(text).toString().slice(0, 300)}`)
    bytes = text.byteLength
    times.push(performance.now() - begun)
  }
}

await Promise.all(Array.from({ length: Number(connections) }, ask))
await pool.close()
times.sort((a, b) => a - b)
const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
process.stdout.write(JSON.stringify({ rate: times.length / Number(seconds), p50: at(0.5), p99: at(0.99), bytes }))
