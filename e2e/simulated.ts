import { startPlatforms, type RunningPlatforms } from '#server/simulators/start.ts'
import { journey, playApart, type Stage } from './harness.ts'
import type { Person } from './people.ts'
import { freePort } from './product.ts'

export type Simulated = { platforms: RunningPlatforms; /** Where the simulated Bluesky answers. */ bluesky: string }

/** The app in development, with a simulator of every platform behind it, and somebody with a project. */
export async function onSimulators(
  stage: Stage,
  play: (person: Person, simulated: Simulated) => Promise<void>,
): Promise<void> {
  const platforms = await startPlatforms()
  const [port, simulatorPort] = [await freePort(), await freePort()]
  // platforms fetch files from the address that is named to the outside
  const env = {
    NODE_ENV: 'development',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SIMULATED_CHANNELS: '1',
    SIMULATED_PLATFORMS: platforms.base,
    SIMULATOR_PORT: String(simulatorPort),
  }
  const part = journey(
    'simulated',
    async ({ newPerson }) =>
      await play(await newPerson({ upTo: 'project' }), { platforms, bluesky: `http://127.0.0.1:${simulatorPort}` }),
  )
  try {
    await playApart(stage, env, part)
  } finally {
    await platforms.stop()
  }
}
