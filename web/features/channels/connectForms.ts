import { lazy, type ComponentType } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ConnectFormProps } from './connectFormProps.ts'

/** The platforms whose accounts are connected with a form here. */
export const connectForms: Partial<Record<PlatformKey, ComponentType<ConnectFormProps>>> = {
  bluesky: lazy(async () => ({ default: (await import('./bluesky/ConnectBlueskyForm.tsx')).ConnectBlueskyForm })),
}

/** The other way's name, if a platform's own page comes first. */
export const formNames: Partial<Record<PlatformKey, string>> = { bluesky: 'Use an app password instead' }
