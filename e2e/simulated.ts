import { connectSimulated } from '#contract/connect.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { startPlatforms, type RunningPlatforms } from '#server/simulators/start.ts'
import { callAs } from './api.ts'
import type { Stage } from './harness.ts'
import type { Person } from './people.ts'
import { freePort } from '#server/testing/freePort.ts'
import { startProduct } from './product.ts'

export type Simulated = { platforms: RunningPlatforms }

/**
 * A separate app in development mode for the journey, with a simulator of every platform, and someone with a project
 * there.
 */
export async function onSimulators(stage: Stage): Promise<Simulated & { person: Person; dataDir: string }> {
  const platforms = await startPlatforms()
  const [port, simulatorPort] = [await freePort(), await freePort()]
  // platforms fetch files from the public URL
  const product = await startProduct({
    NODE_ENV: 'development',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SIMULATED_CHANNELS: '1',
    SIMULATED_PLATFORMS: platforms.base,
    SIMULATOR_PORT: String(simulatorPort),
  })
  const stop = async () => {
    await product.stop()
    await platforms.stop()
  }
  const { newPerson } = await stage.apart(Promise.resolve({ ...product, stop }))
  return { person: await newPerson(), platforms, dataDir: product.dataDir }
}

/** Connects an account of the simulated platform, by the call of its one click. */
export async function connect({ page, ids }: Person, platform: PlatformKey): Promise<void> {
  await callAs(page, connectSimulated, { params: { ...ids, platform } })
}
