import type { PlatformApp } from '#contract/apps.ts'
import { appNamed, platformRules } from '#contract/platforms/registry.ts'
import type { Tone } from '#web/ui/tones.ts'

/** The name of each state of a registration. */
export const appLook: Record<PlatformApp['state'], { word: string; tone: Tone }> = {
  organization: { word: 'Set up by your organization', tone: 'ok' },
  installation: { word: 'Set up by your administrator', tone: 'ok' },
  simulated: { word: 'Simulated', tone: 'wait' },
  missing: { word: 'Not set up', tone: 'neutral' },
  unneeded: { word: 'Nothing to set up', tone: 'ok' },
  unavailable: { word: 'Not available yet', tone: 'neutral' },
}

/** The name of an app: the platform's, or its own if a platform has two. */
export const appName = ({ app }: PlatformApp): string => appNamed(app).label

/** Whether values can be entered for it. */
export const takesApp = ({ state }: PlatformApp): boolean => state !== 'unneeded' && state !== 'unavailable'

/** The other platform's app that accounts can be connected with while this one has none: Facebook's for Instagram. */
export function standsIn({ app, platform, state }: PlatformApp, apps: readonly PlatformApp[]): PlatformApp | undefined {
  if (state !== 'missing' || app !== platform) return undefined
  const others = (platformRules[platform].app?.variants ?? []).flatMap(({ appOf }) => appOf ?? [])
  return apps.find(
    (one) =>
      one.platform !== platform &&
      others.includes(one.app) &&
      (one.state === 'organization' || one.state === 'installation'),
  )
}
