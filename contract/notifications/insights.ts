import { z } from 'zod'
import { figureText, termOf } from '../analytics/labels.ts'
import type { FigureKey } from '../analytics/names.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { platformLabel } from '../platforms/registry.ts'
import { webLinks } from '../webLinks.ts'
import { count, inProject, notification } from './define.ts'

/* About figures that are out of the ordinary. */

/** The figures that are looked at each day. */
export const alertFigures = [
  'followersLost',
  'viewsAndImpressions',
  'engagements',
] as const satisfies readonly FigureKey[]
const AlertFigure = z.enum(alertFigures)
export type AlertFigure = z.infer<typeof AlertFigure>
/** So many are named in a notification; the others are counted. */
export const ALERT_SHOWN = 3

const unusual = z.object({
  handle: z.string(),
  platform: PlatformKey,
  figure: AlertFigure,
  value: z.number(),
  /** What is usual on that weekday. */
  low: z.number(),
  high: z.number(),
  standing: z.enum(['above', 'below']),
})

export const insightNotifications = {
  'figures-unusual': notification({
    topic: 'insights',
    params: z.object({
      /** In the project's zone. */
      day: z.iso.date(),
      count,
      figures: z.array(unusual).min(1),
    }),
    title: ({ day, count: n }) =>
      `${n === 1 ? 'A figure was' : `${n} figures were`} out of the ordinary on ${dayOf(day)}`,
    body: ({ count: n, figures }) => {
      const more = n - figures.length
      return `${figures.map(sentence).join(' ')}${more > 0 ? ` And ${more} more.` : ''}`
    },
    link: (_params, place) => inProject(place, webLinks.insights),
  }),
}

/** "@rook on Bluesky: 2,310 engagements, more than the usual 1,200 to 1,900." */
const sentence = ({ handle, platform, figure, value, low, high, standing }: z.infer<typeof unusual>): string =>
  `${handle} on ${platformLabel(platform)}: ${figureText(figure, value)} ${termOf(platform, 'channel', figure).toLowerCase()}, ${standing === 'above' ? 'more' : 'fewer'} than the usual ${figureText(figure, low)} to ${figureText(figure, high)}.`

/** "November 20" */
const dayOf = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
