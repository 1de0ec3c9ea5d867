import { z } from 'zod'
import { figureText, termOf } from '../analytics/labels.ts'
import type { FigureKey } from '../analytics/names.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { platformLabel } from '../platforms/registry.ts'
import { webLinks } from '../webLinks.ts'
import { count, inProject, notification, type Place } from './define.ts'

/* About figures that are out of the ordinary, and reports that aren't sent. */

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

const ofReport = { reportId: z.string(), reportName: z.string() }
const toReport = ({ reportId }: { reportId: string }, place: Place) =>
  inProject(place, (project) => webLinks.reportSchedules(project, reportId))

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
  'report-failed': notification({
    topic: 'reports',
    params: z.object({ ...ofReport, reason: z.enum(['tooLarge', 'tooSlow', 'broken', 'noRecipients']) }),
    title: ({ reportName }) => `${quoted(reportName)} wasn't sent`,
    body: ({ reason }) => failedWords[reason],
    link: toReport,
  }),
  'report-paused': notification({
    topic: 'reports',
    params: z.object({ ...ofReport, why: z.enum(['plan', 'owner']) }),
    title: ({ reportName }) => `The schedule of the report "${reportName}" is paused`,
    body: ({ why }) => pausedWords[why],
    link: toReport,
  }),
  'report-undelivered': notification({
    topic: 'reports',
    params: z.object({
      ...ofReport,
      /** Mails that were refused, failed after several tries, or may not have arrived. */
      refused: count,
      failed: count,
      unconfirmed: count,
    }),
    title: ({ reportName }) => `${quoted(reportName)} didn't reach everyone`,
    body: ({ refused, failed, unconfirmed }) =>
      [
        refused > 0 ? `${addresses(refused)} refused the email.` : '',
        failed > 0 ? `${failed === 1 ? 'One email' : `${failed} emails`} couldn't be sent.` : '',
        unconfirmed > 0
          ? `We don't know if ${emails(unconfirmed)} arrived, so we didn't send ${unconfirmed === 1 ? 'it' : 'them'} again.`
          : '',
        "You'll find them in the list of runs, where you can send them again.",
      ]
        .filter(Boolean)
        .join(' '),
    link: toReport,
  }),
}

const quoted = (reportName: string): string => `The report "${reportName}"`
const emails = (n: number): string => (n === 1 ? 'one email' : `${n} emails`)
const addresses = (n: number): string => (n === 1 ? 'One address' : `${n} addresses`)

const failedWords = {
  tooLarge: 'It has too much in it to be made into a PDF. Remove blocks or show fewer rows.',
  tooSlow: 'Making its PDF took too long. Remove blocks or choose a shorter range.',
  broken: 'Something went wrong on our side, three times. You can send it from its schedule.',
  noRecipients:
    'Nobody gets it at the moment: no address has confirmed, and no member among its recipients may see it.',
} as const
const pausedWords = {
  plan: "The organization's plan doesn't include it anymore. It continues when the plan does.",
  owner: "Its owner can't see the report anymore. It continues when they can, or when someone else takes it over.",
} as const

/** "@rook on Bluesky: 2,310 engagements, more than the usual 1,200 to 1,900." */
const sentence = ({ handle, platform, figure, value, low, high, standing }: z.infer<typeof unusual>): string =>
  `${handle} on ${platformLabel(platform)}: ${figureText(figure, value)} ${termOf(platform, 'channel', figure).toLowerCase()}, ${standing === 'above' ? 'more' : 'fewer'} than the usual ${figureText(figure, low)} to ${figureText(figure, high)}.`

/** "November 20" */
const dayOf = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
