import { bestBy } from '#contract/analytics/bestBy.ts'
import { postTitle } from '#contract/analytics/labels.ts'
import { isCountedHere, type FigureKey } from '#contract/analytics/names.ts'
import { ownColumn } from '#contract/analytics/postColumns.ts'
import { dateText } from '#contract/format.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { excerptText } from '#contract/postLists.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { picturesFor } from '../../analytics/postPictures.ts'
import { readPostTable } from '../../analytics/postTable.ts'
import { isWorkedOut, platformsOf, type Scope } from '../../analytics/scope.ts'
import { pictureSource } from '../../channels/pictures.ts'
import { coverKeys } from '../../media/preview.ts'
import type { DocumentPost } from '../document.ts'
import { narrowedText, nothing, NO_CHANNELS, type Built } from './block.ts'
import { termsOf, valueOf } from './figureWords.ts'
import { linkOf, NO_POSTS } from './posts.ts'
import { onlyPlatform, type Reading } from './reading.ts'
import type { WantedPicture } from './pictures.ts'

const HEADING = 'Best posts'
/** Figures beside the one that decides. */
const BESIDE: readonly FigureKey[] = ['viewsAndImpressions', 'engagementRate']

/** The posts that have most of a figure. Those whose terms forbid ranking are left out, which is said. */
export async function readTopPosts(reading: Reading, block: BlockOf<'topPosts'>): Promise<Built> {
  const { c } = reading
  const scope = reading.scopeOf(block)
  if (scope.channels.length === 0) return nothing(HEADING, NO_CHANNELS)
  const only = onlyPlatform(scope)
  const platforms = platformsOf(scope.channels)
  const { by, beside } = chosenBy(scope, only, ownColumn(block.by, platforms))
  // of several platforms, only those that may be compared
  const ranked =
    only === undefined && !isCountedHere(by) ? platforms.filter((one) => !scope.apart.includes(one)) : platforms
  const left = platforms.filter((one) => !ranked.includes(one))
  const columns = [by, ...beside]
  const { posts } = await readPostTable(
    c,
    { ...scope, channels: scope.channels.filter(({ platformName }) => ranked.includes(platformName)) },
    { sort: by, order: 'desc', limit: block.count, columns },
    // our own server fetches what is on platforms, so their addresses stay as they are
    picturesFor(c.project, (_orgId, url) => pictureSource(url)),
  )
  const shown = posts.filter(({ figures }) => figures[by] !== undefined)
  const wanted = await wantedOf(reading, shown)
  const platformOf = new Map(scope.channels.map(({ channelId, platformName }) => [channelId, platformName]))
  const notes = left.length === 0 ? [] : [leftText(left)]
  if (shown.length === 0)
    return { ...nothing(HEADING, posts.length === 0 ? NO_POSTS : `No posts with figures in these days.`), notes }
  return {
    heading: HEADING,
    about: [`The most ${postTitle(by, only).toLowerCase()} first`, narrowedText(reading, block)]
      .filter(Boolean)
      .join('. '),
    parts: [
      {
        kind: 'posts',
        posts: shown.flatMap((post): DocumentPost[] => {
          const platform = platformOf.get(post.channelId)
          if (platform === undefined) return []
          return [
            {
              channel: reading.nameOf(post.channelId),
              platform,
              published: dateText(new Date(post.publishedAt), c.project.zone),
              excerpt: excerptText(post.excerpt),
              link: linkOf(post),
              picture: wanted.some(({ key }) => key === keyOf(post.postId)) ? keyOf(post.postId) : null,
              figures: columns.map((name) => ({
                title: postTitle(name, only),
                value: valueOf(name, post.figures[name]),
              })),
            },
          ]
        }),
      },
    ],
    notes,
    wanted,
  }
}

/** What posts are ranked by: what is worked out of figures where terms allow that, else what the platform reports. */
function chosenBy(scope: Scope, only: PlatformKey | undefined, by: FigureKey): { by: FigureKey; beside: FigureKey[] } {
  if (only === undefined) return { by, beside: BESIDE.filter((name) => name !== by) }
  const isApart = scope.apart.includes(only)
  const own = bestBy(only, isApart)
  const first = isApart && isWorkedOut(by) ? own.by : by
  const beside = own.beside.map((name) => ownColumn(name, [only]))
  return {
    by: first,
    beside: [own.by, ...beside].filter((name, i, all) => name !== first && all.indexOf(name) === i).slice(0, 2),
  }
}

const leftText = (left: readonly PlatformKey[]): string =>
  `Posts on ${left.map(platformLabel).join(' and ')} aren't listed, because ${termsOf(left)} don't allow ranking them with others.`

const keyOf = (postId: string): string => `post-${postId}`

type Shown = { postId: string; origin: 'here' | 'elsewhere'; thumbnailUrl: string | null }

/** Where the posts' pictures are: those of posts from here in the media library, others on their platforms. */
async function wantedOf({ c }: Reading, posts: readonly Shown[]): Promise<WantedPicture[]> {
  const pictured = posts.filter(({ thumbnailUrl }) => thumbnailUrl !== null)
  const ours = pictured.filter(({ origin }) => origin === 'here').map(({ postId }) => postId)
  const rows =
    ours.length === 0
      ? []
      : await c.tx
          .selectFrom('post')
          .select(['id', 'contents'])
          .where('org_id', '=', c.org.orgId)
          .where('project_id', '=', c.project.projectId)
          .where('id', '=', (eb) => eb.fn.any(eb.val(ours)))
          .execute()
  const covers = await coverKeys(
    c,
    rows.map(({ contents }) => contents),
  )
  const stored = new Map(rows.map(({ id }, i) => [id, covers[i]]))
  return pictured.flatMap(({ postId, origin, thumbnailUrl }): WantedPicture[] => {
    const key = keyOf(postId)
    if (origin === 'elsewhere') return thumbnailUrl === null ? [] : [{ key, address: thumbnailUrl }]
    const storeKey = stored.get(postId)
    return storeKey === undefined ? [] : [{ key, storeKey }]
  })
}
