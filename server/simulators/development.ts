import { join } from 'node:path'
import { PLC_DIRECTORY, type Env } from '../env.ts'
import type { Log } from '../log.ts'
import { PAST_FILE, readPast, type Past } from './past.ts'

type Running = { address: string; stop: () => Promise<void> }
type Settings = Pick<Env, 'SIMULATOR_PORT' | 'SIMULATED_PLATFORMS' | 'DATA_DIR'>

/**
 * Development: starts the simulators for simulated channels, unless one already runs, and logs each. Another node on
 * this machine, or `npm run dev`, may already serve an address. Returns a function that stops those that were started.
 */
export async function simulatePlatforms(
  { SIMULATOR_PORT: port, SIMULATED_PLATFORMS: others, DATA_DIR: dataDir }: Settings,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<() => Promise<void>> {
  const past = readPast(join(dataDir, PAST_FILE))
  const bluesky = { service: `http://127.0.0.1:${port}`, start: () => simulateBluesky(port, past) }
  const wanted = [
    bluesky,
    ...(others === undefined ? [] : [{ service: others, start: () => simulateOthers(others, past) }]),
  ]
  const started = await Promise.all(
    wanted.map(async ({ service, start }) => {
      try {
        const running = await start()
        log.info({ service: running.address }, 'simulated channels are ready')
        return running
      } catch (error) {
        if (isTaken(error)) log.info({ service }, 'another process serves simulated channels at this address')
        else log.warn({ err: error, service }, "simulated channels couldn't be started")
        return undefined
      }
    }),
  )
  return async () => {
    await Promise.all(started.map((one) => one?.stop() ?? Promise.resolve()))
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

async function simulateBluesky(port: number, past: Past): Promise<Running> {
  const { startBlueskySimulator } = await import('./bluesky/start.ts')
  const simulator = await startBlueskySimulator({ port, otherAccounts: PLC_DIRECTORY, past })
  return { address: simulator.origin, stop: () => simulator.stop() }
}

async function simulateOthers(address: string, past: Past): Promise<Running> {
  const { startPlatforms } = await import('./start.ts')
  const { base, stop } = await startPlatforms({ port: Number(new URL(address).port) || 80, past })
  return { address: base, stop }
}
