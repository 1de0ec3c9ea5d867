import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/**
 * What can't be done without the missing rights, in plain words: "publish posts and show figures". Undefined when none
 * is missing.
 */
export function cannotWithout(platform: PlatformKey, missing: readonly string[]): string | undefined {
  const { rights } = platformRules[platform].app ?? {}
  // a right that nobody put into words keeps the platform's own
  const things = [...new Set(missing.map((right) => rights?.[right] ?? `use ${right}`))]
  return things.length === 0 ? undefined : new Intl.ListFormat('en', { type: 'conjunction' }).format(things)
}
