import type { PlatformKey } from '../platforms/rules.ts'
import { platformFigure, platformFigures } from './catalog/catalog.ts'
import { definitionOf, FigureName } from './catalog/names.ts'
import { viewNames, type FigureKey, type FigureSubject } from './names.ts'

/*
 * What a platform itself calls a figure. Its screens, charts, tables and files say only this; figures of several platforms together
 * have our names (labels.ts). A test makes sure that no platform has two words for one figure, or one word for two.
 */

/** The platform's own word for a figure of its posts or channels, of the other of both if only that has one; undefined without any. */
export function platformWord(platform: PlatformKey, name: FigureKey, subject: FigureSubject): string | undefined {
  const known = knownAs(platform, name)
  if (known === undefined) return undefined
  const other = subject === 'post' ? 'channel' : 'post'
  const term = (platformFigure(platform, subject, known) ?? platformFigure(platform, other, known))?.term
  // all that the profile has, beside those that were published in these days
  return term !== undefined && known === 'posts' ? `${term} on the profile` : term
}

/** The figure of the catalog: a platform reports either views or impressions. */
function knownAs(platform: PlatformKey, name: FigureKey): FigureName | undefined {
  if (name === 'viewsAndImpressions')
    return viewNames.find((part) =>
      [...platformFigures[platform].post, ...platformFigures[platform].channel].some((one) => one.name === part),
    )
  return FigureName.safeParse(name).data
}

/** The figure that contains this one, if the platform reports both; of any platform without one. */
export function wholeOf(name: FigureKey, platform?: PlatformKey): FigureName | undefined {
  const known = FigureName.safeParse(name).data
  const whole = known === undefined ? undefined : FigureName.safeParse(definitionOf(known).partOf).data
  if (whole === undefined || platform === undefined) return whole
  return platformWord(platform, whole, 'post') === undefined ? undefined : whole
}
