import { platformLabel } from '../platforms/registry.ts'
import type { ComparedGroup, GroupMissing } from './compared.ts'
import { missingWords } from './insightWords.ts'
import { figureName } from './labels.ts'
import type { FigureKey } from './names.ts'
import type { MissingReason } from './overview.ts'

/* What campaigns and labels lack beside each other, in words. */

/** The figures of campaigns and labels, in the order of the table. */
export const groupFigures = [
  'viewsAndImpressions',
  'engagements',
  'engagementRate',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
] as const satisfies readonly FigureKey[]

/** What is the same for all posts of a platform: it's said once, below the table. */
const isOfPlatform = (reason: MissingReason): boolean =>
  reason === 'notReported' || reason === 'countedDifferently' || reason === 'termsForbid'

/** Of the figures that the table has: which are missing of which platform's posts for a reason of their own. */
export const missingIn = ({ missing }: Pick<ComparedGroup, 'missing'>, figures: readonly FigureKey[]): GroupMissing[] =>
  missing
    .map((one) => ({ ...one, names: one.names.filter((name) => figures.includes(name)) }))
    .filter(({ names, reason }) => names.length > 0 && !isOfPlatform(reason))

/** Which figures of the table don't have which platforms' posts, whatever the group, a sentence for all with the same ones. */
export function lackingNotes(
  groups: readonly Pick<ComparedGroup, 'missing'>[],
  figures: readonly FigureKey[],
): string[] {
  const lacking = groups.flatMap(({ missing }) => missing.filter(({ reason }) => isOfPlatform(reason)))
  const sentences = [...Map.groupBy(lacking, ({ platform }) => platform)].flatMap(([platform, ones]) => {
    const of = (reason: MissingReason) =>
      figures.filter((name) => ones.some((one) => one.reason === reason && one.names.includes(name)))
    const unreported = of('notReported')
    return [
      ...(of('termsForbid').length > 0 ? [{ platform, text: BY_TERMS }] : []),
      ...(unreported.length > 0
        ? [{ platform, text: unreported.length === figures.length ? 'no figures of posts' : withoutText(unreported) }]
        : []),
      ...(of('countedDifferently').length > 0 ? [{ platform, text: NO_RATE }] : []),
    ]
  })
  return [...Map.groupBy(sentences, ({ text }) => text)].map(
    ([text, ones]) =>
      `${listed(
        ones.map(({ platform }) => platformLabel(platform)),
        'and',
      )}: ${text}.`,
  )
}

/** "no views and impressions or clicks": without the rate, which follows from what it's worked out of. */
function withoutText(names: readonly FigureKey[]): string {
  const isMadeOf = names.some((name) => name === 'viewsAndImpressions' || name === 'engagements')
  const said = names.filter((name) => name !== 'engagementRate' || !isMadeOf)
  return `no ${listed(said.map(figureName), 'or').toLowerCase()}`
}
const BY_TERMS = "not included, because terms don't allow adding its figures to others"
const NO_RATE = 'no engagement rate, because views and engagements are counted in different ways'

const listed = (names: readonly string[], word: 'and' | 'or'): string =>
  new Intl.ListFormat('en', { type: word === 'and' ? 'conjunction' : 'disjunction' }).format(names)

/** Why a group has no value of a figure that others have: each platform's reason. */
export function whyMissing({ posts, missing }: Pick<ComparedGroup, 'posts' | 'missing'>, name: FigureKey): string {
  if (posts === 0) return 'No posts in these days'
  const why = missing.filter(({ names }) => names.includes(name))
  return why.length === 0
    ? 'No figures in these days'
    : why.map(({ platform, reason }) => `${platformLabel(platform)}: ${missingWords[reason]}`).join('. ')
}
