import { ProjectParams } from '#contract/common.ts'
import { endpoint, everybody } from '#contract/endpoint.ts'
import { listPosts as contract } from '#contract/postLists.ts'
import type { Databases } from '#server/db/pools.ts'
import { asTenant } from '#server/db/tenant.ts'
import { handle } from '#server/http/route.ts'
import { listPosts } from '#server/posts/list.ts'
import { postRoutes } from '#server/posts/routes.ts'
import { check, compare, comparePairs, CONNECTIONS, cookieOf, fill, FROM, TO, wholeProject } from './_listing.ts'
import { openStage } from './_stage.ts'

/*
 * What access checks cost on the list of 300 posts: requested by a member with a custom role that names its three
 * channels (session, membership, role and channels are read again with every request), against the same query by the
 * same server without any checks. Both use HTTP, the same framework and the same tenant policies, in turns in one run.
 * The checks may add a tenth: the target is a ratio of 0.9.
 */
const TARGET = 0.9
const PAIRS = process.argv.includes('--short') ? 600 : 2000
const TURNS = process.argv.includes('--short') ? 16 : 80

/** The same list without any checks: the tenant and the project are taken from the URL as they are. */
const unchecked = endpoint({
  ...contract,
  path: '/api/unchecked/:orgId/project/:projectId/post',
  access: everybody,
  params: ProjectParams,
  audit: null,
})
const uncheckedRoute = (databases: Databases) =>
  handle(unchecked, async ({ params: { orgId, projectId }, query }) => {
    const nobody = { sessionId: '', personId: orgId, confirmed: true, secondFactor: false }
    const { org, project } = wholeProject(orgId, projectId)
    return await asTenant(databases.web, orgId, (tx) =>
      listPosts({ tx, org, project, caller: nobody, now: new Date() }, query),
    )
  })
const stage = await openStage((deps) => [...postRoutes(deps), uncheckedRoute(deps.databases)])
const { builders, owner, origin } = stage

try {
  const { home, channels } = await fill(builders, stage.content, owner)
  const member = await builders.colleague(home, 'user', { channelIds: channels })
  await owner.query(
    `with made as (insert into role (org_id, id, project_id, name, kind, permissions) select org_id, uuidv7(), project_id, 'Measured', 'custom', permissions from role where id = $1 returning id)
    update project_member set role_id = (select id from made) where person_id = $2`,
    [home.roles.editor, member.personId],
  )
  const list = `${home.orgId}/project/${home.projectId}/post?from=${FROM}&to=${TO}&view=month`
  const checked = { origin, path: `/api/${list}`, cookie: cookieOf(member) }
  const free = { origin, path: `/api/unchecked/${list}`, cookie: '' }
  await check(checked, free)
  await comparePairs(checked, free, 200)
  const times = await comparePairs(checked, free, PAIRS)
  console.log(
    `one request at a time, ${PAIRS} pairs: checked ${times.ours.toFixed(2)} ms, unchecked ${times.theirs.toFixed(2)} ms; ratio ${times.ratio.toFixed(3)}`,
  )
  const ratio = await compare(checked, free, ['checked', 'unchecked'], TURNS)
  console.log(
    `access checks on the list of 300 posts, ${CONNECTIONS} connections: ratio ${ratio.toFixed(2)} (median of ${TURNS}), target ${TARGET}`,
  )
  if (ratio < TARGET) process.exitCode = 1
} finally {
  await stage.close()
}
