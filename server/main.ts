import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { systemClock } from './clock.ts'
import { plainMessage } from './db/plainErrors.ts'
import { readEnv } from './env.ts'
import { startProduct, type Product } from './product.ts'

/** A request or a send may take this long to finish after SIGTERM, in milliseconds. */
const PATIENCE = 30_000

/**
 * One request to stop often arrives twice: Ctrl-C and service managers reach every process of a group, and npm passes the
 * signal on as well. Within this many milliseconds it is the same request.
 */
const SAME_REQUEST = 2000

let stoppingSince: number | undefined
const starting = start()

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())

async function start(): Promise<Product | undefined> {
  try {
    const product = await startProduct(readEnv(), fileURLToPath(new URL('../dist/web', import.meta.url)))
    if (stoppingSince === undefined) console.log(`Rookery is ready at ${product.address}`)
    // kept now, not when it ends: a start after a crash takes half the time, too
    flushCompileCache()
    return product
  } catch (error) {
    console.error(error instanceof Error ? sentenceOf(error) : error)
    process.exitCode = 1
    return undefined
  }
}

async function stop(): Promise<void> {
  const now = systemClock.monotonic()
  if (stoppingSince !== undefined) {
    // a person who asks again doesn't want to wait
    if (now - stoppingSince > SAME_REQUEST) process.exit(130)
    return
  }
  stoppingSince = now
  setTimeout(() => process.exit(1), PATIENCE).unref()
  await (await starting)?.stop()
  process.exit(process.exitCode ?? 0)
}

function sentenceOf(error: Error): string {
  if ('code' in error && error.code === 'EADDRINUSE')
    return `Another program is using this port. Stop it, or set another PORT.`
  return `Rookery couldn't start: ${plainMessage(error)}`
}
