import { toldWith, type PlatformFigures } from './define.ts'
import type { FigureName } from './names.ts'

/** Clicks on posts' links that are counted here: of posts of every platform, and no platform's terms apply to them. */
export const clickNames = ['shortLinkClicks', 'bioClicks'] as const satisfies readonly FigureName[]

const clicks = toldWith({ delayHours: 0, historyDays: null }, [
  ['shortLinkClicks', 'Short link clicks', 'counted here'],
  ['bioClicks', 'Link in bio clicks', 'counted here'],
])

/** A platform's figures with those that are counted here. */
export const withClicks = (platform: PlatformFigures): PlatformFigures => ({
  ...platform,
  post: [...platform.post, ...clicks],
})
