import type { ReplyOf } from '#contract/endpoint.ts'
import { addressesOf, linkRules } from '#contract/links/apply.ts'
import type { postLinks } from '#contract/links/postLinks.ts'
import { linkTarget } from '#contract/links/sentLinks.ts'
import { shortAddress } from '#contract/links/shortCode.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectContext } from '../http/route.ts'
import { codesOf } from '../links/codes.ts'
import { dayIn } from '../publishing/outgoing.ts'
import { findPost } from './access.ts'
import { saysOf } from './content.ts'

/** The links of a post and what is published for each, by what is stored with it; short ones once they have a code. Throws NOT_FOUND. */
export async function shownLinks(c: ProjectContext, postId: string): Promise<ReplyOf<typeof postLinks>> {
  const post = await findPost(c, postId)
  const says = saysOf(post)
  const channel =
    post.channel_id === null
      ? undefined
      : await c.tx
          .selectFrom('channel')
          .select('platform')
          .where('org_id', '=', c.org.orgId)
          .where('id', '=', post.channel_id)
          .executeTakeFirst()
  if (!channel) return { links: [] }
  const platform = PlatformKey.parse(channel.platform)
  const rules = linkRules(says.details, platform, dayIn(post.zone, post.due_at ?? c.now))
  const codes = rules?.shorten ? await codesOf(c.tx, { orgId: c.org.orgId, postId }) : new Map<string, string>()
  const { linkFacts } = says.details
  return {
    links: addressesOf(says, platformRules[platform]).map((address) => {
      const target = rules && linkTarget(address, rules)
      const code = target === undefined ? undefined : codes.get(target)
      return {
        address,
        target: target ?? null,
        shortUrl: linkFacts && code !== undefined ? shortAddress(linkFacts.shortUrl, code) : null,
        shortened: target !== undefined && rules?.shorten === true,
      }
    }),
  }
}
