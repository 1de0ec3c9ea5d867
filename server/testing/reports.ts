import type { ReportBlock, ReportContent } from '#contract/reports/content.ts'
import { ReportContent as Content } from '#contract/reports/content.ts'
import { asTenant } from '../db/tenant.ts'
import { addDays } from '../rangeDays.ts'
import { documentBuilder, type ReportSource } from '../reports/blocks/build.ts'
import type { ReportReader } from '../reports/blocks/reading.ts'
import type { DocumentBlock, Part, ReportDocument } from '../reports/document.ts'
import { standingOf } from '../reports/standing.ts'
import type { figuresOn } from './figures.ts'
import type { TestHome, TestPerson } from './people.ts'
import type { TestApp } from './startApp.ts'

/** A block as it's saved, without what is usual. */
type Own<B> = B extends ReportBlock ? Pick<B, 'kind'> & Partial<B> : never
export type TestBlock = Own<ReportBlock>

/** A report of these blocks over the week that ended on 21 November, against the week before. */
export const contentWith = (blocks: readonly TestBlock[], more: Partial<ReportContent> = {}): ReportContent =>
  Content.parse({
    days: { span: 'custom', from: '2026-11-15', to: '2026-11-21', compare: 'before' },
    channelIds: null,
    platforms: null,
    ...more,
    blocks: blocks.map((block, i) => ({ blockId: `b${i + 1}`, ...block })),
  })

/** Documents of reports as one of the project's people sees them. */
export function documentsOn(app: TestApp) {
  /** Runs `fn` with the rights of someone, as links and schedules do. */
  const inTenant =
    (home: TestHome, who: Pick<TestPerson, 'personId'> = home.person) =>
    <T>(fn: (c: ReportReader) => Promise<T>): Promise<T> =>
      asTenant(app.parts.databases.web, home.orgId, async (tx) => {
        const now = app.clock.now()
        const { personId } = who
        const standing = await standingOf(tx, { orgId: home.orgId, projectId: home.projectId, personId, now })
        if (!standing) throw new Error('no such person in the project')
        return await fn({ tx, now, ...standing })
      })

  const sourceOf = (content: ReportContent, more: Partial<ReportSource> = {}): ReportSource => ({
    name: 'November',
    content,
    organization: 'Elm Street',
    project: 'Rooks',
    accent: null,
    logo: null,
    ...more,
  })
  const builder = documentBuilder(app.parts)
  type Options = Partial<ReportSource> & { who?: Pick<TestPerson, 'personId'> }
  const found = (home: TestHome, content: ReportContent, { who, ...more }: Options) =>
    inTenant(home, who)((c) => builder.read(c, sourceOf(content, more)))

  const read = async (home: TestHome, content: ReportContent, options: Options = {}): Promise<ReportDocument> =>
    (await found(home, content, options)).document
  /** The same with its pictures. */
  const build = async (home: TestHome, content: ReportContent, options: Options = {}): Promise<ReportDocument> =>
    await builder.withPictures(await found(home, content, options))

  return { read, build, inTenant, deps: { accepted: app.parts.env.analyticsTerms } }
}

/** The block's part of a kind. Throws if it has none. */
export function partOf<K extends Part['kind']>(block: DocumentBlock | undefined, kind: K): Extract<Part, { kind: K }> {
  const found = block?.parts.find((part): part is Extract<Part, { kind: K }> => part.kind === kind)
  if (!found) throw new Error(`no ${kind} among ${JSON.stringify(block?.parts)}`)
  return found
}

/** Everything that a document shows, as text. */
export const everythingIn = (document: ReportDocument): string => JSON.stringify({ ...document, pictures: [] })

/** Posts and channels' days on three platforms, in the week that `contentWith` covers and in the one before it. Returns the posts. */
export async function fillWeeks(
  figures: ReturnType<typeof figuresOn>,
  home: TestHome,
  { facebook, x, youtube }: { facebook: string; x: string; youtube: string },
): Promise<string[]> {
  const posts: string[] = []
  for (const [i, channelId] of [facebook, x, youtube].entries())
    for (let day = 0; day < 14; day += 2) {
      const at = `${addDays('2026-11-08', day)}T12:00:00Z`
      const id = await figures.published(home, channelId, at)
      const name = channelId === x ? 'impressions' : 'views'
      await figures.reading(id, `${addDays('2026-11-08', day)}T13:00:00Z`, { [name]: 10, reactions: 1, comments: 0 })
      await figures.reading(id, `${addDays('2026-11-09', day)}T13:00:00Z`, {
        [name]: 40 + 7 * i,
        reactions: 3 + day,
        comments: 1,
      })
      posts.push(id)
    }
  for (let day = 0; day < 14; day += 1)
    await figures.channelDay(facebook, addDays('2026-11-08', day), {
      views: 100 + day,
      interactions: 9 + day,
      followers: 1000 + day,
    })
  for (let day = 0; day < 13; day += 1)
    await figures.channelDay(youtube, addDays('2026-11-08', day), { views: 5000 + day })
  return posts
}
