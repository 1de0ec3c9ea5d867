import { isCountedHere, type FigureKey } from '#contract/analytics/names.ts'
import { postTitle, unitOf } from '#contract/analytics/labels.ts'
import { ownColumn } from '#contract/analytics/postColumns.ts'
import type { PostMedian, PostTableRow } from '#contract/analytics/posts.ts'
import { count, dateText } from '#contract/format.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { excerptText } from '#contract/postLists.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { readPostMedians } from '../../analytics/postMedians.ts'
import { readPostTable } from '../../analytics/postTable.ts'
import { platformsOf, type Scope } from '../../analytics/scope.ts'
import type { Part } from '../document.ts'
import { narrowedText, nothing, NO_CHANNELS, type Built } from './block.ts'
import { termsOf, valueOf } from './figureWords.ts'
import { onlyPlatform, type Reading } from './reading.ts'

type Table = Extract<Part, { kind: 'table' }>
type Cells = Table['rows'][number]

/** Tables show no pictures. */
const noPictures = { link: () => null, mayOpen: false }
const HEADING = 'Posts'

/** Published posts with their figures to date, and what all of them have together. */
export async function readPostRows(reading: Reading, block: BlockOf<'postTable'>): Promise<Built> {
  const { c } = reading
  const scope = reading.scopeOf(block)
  const only = onlyPlatform(scope)
  if (scope.channels.length === 0) return nothing(HEADING, NO_CHANNELS)
  const platforms = platformsOf(scope.channels)
  const columns = [...new Set(block.columns.map((name) => ownColumn(name, platforms)))]
  const sort = block.sort === 'publishedAt' ? block.sort : ownColumn(block.sort, platforms)
  const { posts, total } = await readPostTable(
    c,
    scope,
    { sort, order: block.order, limit: block.rows, columns },
    noPictures,
  )
  if (posts.length === 0) return nothing(HEADING, NO_POSTS)
  const { medians, without } = await readPostMedians(c, scope, columns)
  const all = total ?? posts.length
  return {
    heading: HEADING,
    about: narrowedText(reading, block),
    parts: [
      {
        kind: 'table',
        columns: [
          { title: 'Published', align: 'start', unit: null },
          { title: 'Channel', align: 'start', unit: null },
          { title: 'Post', align: 'start', unit: null },
          ...columns.map((name) => ({
            title: postTitle(name, only),
            align: 'end' as const,
            unit: unitOf(name).unit,
          })),
        ],
        rows: posts.map((post) => rowOf(reading, post, columns)),
        ...(medians && medians.length > 0 && all > 1 ? { foot: footOf(medians, columns) } : {}),
      },
    ],
    notes: [
      ...(all > posts.length ? [`Shows ${posts.length.toLocaleString('en')} of ${count(all, 'post')}.`] : []),
      ...(sort === 'publishedAt' ? [] : unranked(scope, sort)),
      ...(medians && medians.length > 0 && all > 1
        ? [`Total and median are those of all posts of these days that have the figure.${withoutText(without)}`]
        : []),
    ],
  }
}
export const NO_POSTS = 'No posts were published in these days.'

function rowOf({ c, nameOf }: Reading, post: PostTableRow, columns: readonly FigureKey[]): Cells {
  const link = linkOf(post)
  return [
    { text: dateText(new Date(post.publishedAt), c.project.zone) },
    { text: nameOf(post.channelId) },
    { text: excerptText(post.excerpt), ...(link === null ? {} : { link }) },
    ...columns.map((name) => {
      const { text, value } = valueOf(name, post.figures[name])
      return { text, value }
    }),
  ]
}

/** Where people see the post on its platform: only what is a link on the web. */
export const linkOf = ({ permalink }: Pick<PostTableRow, 'permalink'>): string | null =>
  permalink !== null && /^https?:\/\//iu.test(permalink) && URL.canParse(permalink) ? permalink : null

/** The totals and medians of all posts. */
function footOf(medians: readonly PostMedian[], columns: readonly FigureKey[]): Cells[] {
  const row = (title: string, of: (median: PostMedian) => number | null): Cells => [
    { text: title },
    { text: '' },
    { text: '' },
    ...columns.map((name) => {
      const median = medians.find((one) => one.name === name)
      const { text, value } = valueOf(name, median ? of(median) : null)
      return { text, value }
    }),
  ]
  return [row('Total', ({ total }) => total), row('Median', ({ median }) => median)]
}

const withoutText = (without: readonly PlatformKey[]): string =>
  without.length === 0
    ? ''
    : ` Posts on ${without.map(platformLabel).join(' and ')} aren't in them, because ${termsOf(without)} don't allow adding their figures to others.`

/** Which posts aren't ranked by a figure, because their platforms' terms forbid it. */
function unranked(scope: Scope, by: FigureKey): string[] {
  const platforms = platformsOf(scope.channels)
  const apart = platforms.filter((platform) => scope.apart.includes(platform))
  return apart.length === 0 || platforms.length === 1 || isCountedHere(by)
    ? []
    : [
        `Posts on ${apart.map(platformLabel).join(' and ')} come last, because ${termsOf(apart)} don't allow ranking them with others.`,
      ]
}
