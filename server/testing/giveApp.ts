import { afterAll } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import type { AppSetup, PlatformKey } from '#contract/platforms/rules.ts'

/**
 * Registers an app at a platform, for tests that shouldn't depend on a real one. Call it outside of tests; it applies
 * to their file, since files share what they change (vitest.config.ts).
 */
export function giveApp(platform: PlatformKey, setup: Partial<AppSetup> = {}): void {
  const real = platformRules[platform]
  const app: AppSetup = {
    register: { label: 'Developers', url: 'https://platform.example/apps' },
    steps: ['Make an app.', 'Allow {redirect}.'],
    clientId: 'App ID',
    clientSecret: 'App secret',
    scopes: ['read', 'publish'],
    publicHttps: false,
    ...setup,
  }
  platformRules[platform] = { ...real, app }
  afterAll(() => {
    platformRules[platform] = real
  })
}
