import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/**
 * What isn't possible without the missing permissions: "publish posts and show metrics". Undefined if none is missing.
 */
export function cannotWithout(platform: PlatformKey, missing: readonly string[]): string | undefined {
  const { rights } = platformRules[platform].app ?? {}
  // a permission without words keeps the platform's name
  const things = [...new Set(missing.map((right) => rights?.[right] ?? `use ${right}`))]
  return things.length === 0 ? undefined : new Intl.ListFormat('en', { type: 'conjunction' }).format(things)
}
