import { fileURLToPath } from 'node:url'
import { readEnv } from './env.ts'
import { startProduct, type Product } from './product.ts'

/** A request or a send may take this long to finish after SIGTERM, in milliseconds. */
const PATIENCE = 30_000

let stopping = false
const starting = start()

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())

async function start(): Promise<Product | undefined> {
  try {
    const product = await startProduct(readEnv(), fileURLToPath(new URL('../dist/web', import.meta.url)))
    if (!stopping) console.log(`Rookery is ready at ${product.address}`)
    return product
  } catch (error) {
    console.error(error instanceof Error ? sentenceOf(error) : error)
    process.exitCode = 1
    return undefined
  }
}

async function stop(): Promise<void> {
  // a second signal does not wait
  if (stopping) process.exit(130)
  stopping = true
  setTimeout(() => process.exit(1), PATIENCE).unref()
  await (await starting)?.stop()
  process.exit(process.exitCode ?? 0)
}

function sentenceOf(error: Error): string {
  if ('code' in error && error.code === 'EADDRINUSE')
    return `The port is taken by another program: stop it, or choose another one with PORT.`
  return `Rookery could not start: ${error.message}`
}
