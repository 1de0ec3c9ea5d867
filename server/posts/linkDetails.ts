import { channelsById } from '../access/channels.ts'
import type { ProjectContext } from '../http/route.ts'
import { fillAll, mayHaveLinks } from '../links/fill.ts'
import { linkHosts } from '../links/hosts.ts'
import { noLinkSettings, readLinkSettings } from '../links/settings.ts'
import type { PostRecord } from './access.ts'
import { saysOf, type Says } from './content.ts'
import type { PostDeps } from './schedule.ts'
import { isSame } from './stale.ts'

/** An edit's content as it's compared with what is stored: what the server knew of its links isn't the caller's to say. */
export function withStoredFacts(says: Says, stored: Says): Says {
  const { linkFacts: _theirs, ...details } = says.details
  const { linkFacts } = stored.details
  return { ...says, details: linkFacts ? { ...details, linkFacts } : details }
}

/**
 * The content of an existing post with what happens to its links. Content that doesn't change keeps what was stored with
 * it, whatever the settings became, except the name of a changed campaign. A published post only gets what it had.
 */
export async function withLinkDetails(
  c: ProjectContext,
  { env }: Pick<PostDeps, 'env'>,
  post: PostRecord,
  says: Says,
  campaignIds?: readonly string[],
): Promise<Says> {
  const stored = saysOf(post)
  const isKept = post.state !== 'DRAFTS' && isSame(says, stored)
  const { linkFacts, ...details } = says.details
  if (!mayHaveLinks(says) || post.channel_id === null) return { ...says, details }
  if (isKept && (!linkFacts || !campaignIds)) return says
  const channel = (await channelsById(c, [post.channel_id])).get(post.channel_id)
  if (!channel) return says
  const settings = post.state === 'PUBLISHED' && !stored.details.linkFacts ? noLinkSettings : await readLinkSettings(c)
  const campaigns = campaignIds ? { campaignIds } : { postId: post.id }
  const [filled] = await fillAll(c, [{ ...says, channel }], { settings, hosts: linkHosts(env), campaigns })
  const campaign = filled?.details.linkFacts?.campaign ?? ''
  if (isKept && linkFacts) return { ...says, details: { ...says.details, linkFacts: { ...linkFacts, campaign } } }
  return { ...says, details: filled?.details ?? details }
}
