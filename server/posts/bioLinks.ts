import type { AdditionalDetails } from '#contract/content.ts'
import { BioUrl, isOwnRedirect } from '#contract/linkInBio/links.ts'
import { problem, type PostProblem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import type { PostDeps } from './schedule.ts'

/** `at`: the path of the post's fields in the request, such as `channels.0.`. */
type Asking = { at: string; details: AdditionalDetails }

/**
 * Throws POST_REFUSED if a post asks for a place on a link in bio page that the project doesn't have, or with a link that no page shows.
 * For content that people send: a post that only moves keeps what it asks for, even if its page is gone by then.
 */
export async function mustHaveBioPages(
  c: ProjectContext,
  { env }: Pick<PostDeps, 'env'>,
  asking: readonly Asking[],
): Promise<void> {
  const wanted = asking.flatMap(({ at, details: { bioLink } }) => (bioLink ? [{ at, ...bioLink }] : []))
  if (wanted.length === 0) return
  const pages = await bioPagesOf(
    c,
    wanted.map(({ pageId }) => pageId),
  )
  const origins = [env.publicUrl, env.shortUrl]
  const problems = wanted.flatMap(({ at, pageId, url }): [string, PostProblem[]][] => {
    const link = BioUrl.safeParse(url)
    const found = [
      ...(pages.has(pageId) ? [] : [problem('bio-page-gone')]),
      ...(link.success ? [] : [problem('bio-link-invalid')]),
      ...(link.success && isOwnRedirect(link.data, origins) ? [problem('bio-link-leads-on')] : []),
    ]
    return found.length === 0 ? [] : [[`${at}additionalDetails.bioLink`, found]]
  })
  if (problems.length > 0) throw fail('POST_REFUSED', { problems: Object.fromEntries(problems) })
}

async function bioPagesOf(
  { tx, org, project }: ProjectContext,
  pageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('bio_page')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', 'in', [...new Set(pageIds)])
    .execute()
  return new Set(rows.map(({ id }) => id))
}
