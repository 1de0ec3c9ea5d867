import type { Page } from '@playwright/test'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { startPlatforms, type RunningPlatforms } from '#server/simulators/start.ts'
import type { Stage } from './harness.ts'
import type { Person } from './people.ts'
import { freePort, startProduct } from './product.ts'

export type Simulated = { platforms: RunningPlatforms; /** Where the simulated Bluesky listens. */ bluesky: string }

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
  return {
    person: await newPerson(),
    platforms,
    bluesky: `http://127.0.0.1:${simulatorPort}`,
    dataDir: product.dataDir,
  }
}

/** Connects the first account that the platform's page offers, as a person would. */
export async function connect({ page, at }: Person, platform: PlatformKey, { bluesky }: Simulated): Promise<void> {
  const name = platformRules[platform].label
  await page.goto(at(`channels?connect=${platform}`))
  const dialog = page.getByRole('dialog', { name: `Connect ${name}` })
  if (platform === 'bluesky') {
    await dialog.getByRole('button', { name: 'Use an app password instead' }).click()
    await dialog.getByLabel('Handle').fill('rooks.sim.test')
    await dialog.getByLabel('App password').fill('simulated-password')
    await dialog.getByRole('button', { name: 'Other server' }).click()
    await dialog.getByLabel('Server').fill(bluesky)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  } else {
    if (platform === 'mastodon') await dialog.getByLabel('Server').fill('birdhouse.simulated')
    await dialog.getByRole('button', { name: `Continue to ${name}` }).click()
    await page.getByText(/^Simulated /).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await chooseFirst(page, name)
  }
  await page
    .getByRole('table', { name: 'Channels' })
    .getByRole('row')
    .filter({ hasText: name })
    .getByText('Connected', { exact: true })
    .waitFor()
}

/** A platform with only one account to offer doesn't ask. */
async function chooseFirst(page: Page, name: string): Promise<void> {
  const choice = page.getByRole('dialog', { name: `Choose ${name} accounts` })
  await choice
    .or(page.getByRole('table', { name: 'Channels' }))
    .first()
    .waitFor()
  if (!(await choice.isVisible())) return
  await choice.getByRole('checkbox').first().check()
  await choice.getByRole('button', { name: 'Connect', exact: true }).click()
}
