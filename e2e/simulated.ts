import { join } from 'node:path'
import { startPlatforms, type RunningPlatforms } from '#server/testing/platforms/start.ts'
import { openPage } from './browser.ts'
import type { Stage } from './harness.ts'
import { newPerson, type Person } from './people.ts'
import { freePort, startProduct } from './product.ts'

export type Simulated = { platforms: RunningPlatforms; /** Where the simulated Bluesky answers. */ bluesky: string }

/** The app in development, with a simulator of every platform behind it, and somebody with a project. */
export async function onSimulators({ bluesky, browser }: Stage, play: (person: Person, simulated: Simulated) => Promise<void>): Promise<void> {
  const platforms = await startPlatforms()
  const [port, simulatorPort] = [await freePort(), await freePort()]
  // platforms fetch files from the address that is named to the outside
  const product = await startProduct({ NODE_ENV: 'development', PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: platforms.base, SIMULATOR_PORT: String(simulatorPort) })
  const opened: Awaited<ReturnType<typeof openPage>>[] = []
  try {
    const scene = {
      ...product,
      bluesky,
      openPage: async () => {
        const watched = await openPage(browser, product.base)
        opened.push(watched)
        return watched.page
      },
    }
    await play(await newPerson(scene, { upTo: 'project' }), { platforms, bluesky: `http://127.0.0.1:${simulatorPort}` })
    const complaints = opened.flatMap((watched) => watched.complaints)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  } catch (error) {
    await opened.at(-1)?.page.screenshot({ path: join(import.meta.dirname, '..', '.cache', 'failures', 'simulated.png') }).catch(() => undefined)
    throw error
  } finally {
    await Promise.all(opened.map(({ page }) => page.context().close()))
    await product.stop()
    await platforms.stop()
  }
}
