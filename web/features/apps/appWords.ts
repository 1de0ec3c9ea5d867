import type { PlatformApp } from '#contract/apps.ts'
import type { Tone } from '#web/ui/tones.ts'

/** What each state of a registration is called. */
export const appLook: Record<PlatformApp['state'], { word: string; tone: Tone }> = {
  organisation: { word: 'Set up by the organization', tone: 'ok' },
  installation: { word: 'Set up by the installation', tone: 'ok' },
  simulated: { word: 'Simulated', tone: 'wait' },
  missing: { word: 'Not set up', tone: 'neutral' },
  unneeded: { word: 'Nothing to set up', tone: 'ok' },
  unavailable: { word: 'Not available yet', tone: 'neutral' },
}

/** Whether something can be entered for it. */
export const takesApp = ({ state }: PlatformApp): boolean => state !== 'unneeded' && state !== 'unavailable'
