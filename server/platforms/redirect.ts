import type { PlatformKey } from '#contract/platforms/rules.ts'

/** Where a platform sends the browser back. */
export const redirectAddress = (publicUrl: string, platform: PlatformKey): string =>
  `${publicUrl}/oauth/${platform}/callback`
