import { z } from 'zod'
import { AdditionalDetails, assetIdsOf, PostContent } from '#contract/content.ts'
import { linkRules, sentLinks, shortenedTargets, type SentLinks } from '#contract/links/apply.ts'
import { shortAddress, someShortCode } from '#contract/links/shortCode.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { PostType } from '#contract/platforms/rules.ts'
import { wallText, wallTimeOf } from '#contract/time.ts'
import type { MediaFile, Outgoing } from '../platforms/platform.ts'
import type { OpenMedia } from '../delivery/subject.ts'
import type { ShortCodes } from '../links/codes.ts'
import type { PostClaim } from './loaded.ts'

const Stored = z.object({ contents: z.array(PostContent).min(1), details: AdditionalDetails, post_type: PostType })

type Saying = { contents: readonly PostContent[]; details: AdditionalDetails }

/** A post with the content that is to be sent, or read to decide whether it can be. */
export type ToSend = Saying & {
  postId: string
  postType: PostType
  firstComment?: string
  createdAt: Date
  sendKey: string
  progress: Record<string, unknown>
  /** A file's alt text: the post's own, otherwise the file's. */
  altText?: string
  /** Its texts and details with the links that are sent; without it, as they were written. */
  links?: SentLinks
}

/**
 * Builds what is sent for a post, in this one place: texts are trimmed, as they are for counting, and links are tagged and
 * shortened. Undefined when a file is missing.
 */
export function outgoingOf(post: ToSend, files: ReadonlyMap<string, MediaFile>): Outgoing | undefined {
  const { contents, details, firstComment, altText, links } = post
  const sent = (text: string) => links?.text(text.trim()) ?? text.trim()
  if (assetIdsOf(post).some((id) => !files.has(id))) return undefined
  const picture = details.linkCard?.imageAssetId
  return {
    postId: post.postId,
    postType: post.postType,
    contents: contents.map(({ title, text, media }) => ({
      ...(title !== undefined && { title: title.trim() }),
      text: sent(text),
      media: media.flatMap((item) => withAltText(files.get(item.assetId), item.altText ?? altText)),
    })),
    details: links?.details(details) ?? details,
    firstComment: sent(firstComment ?? '') || null,
    extraMedia: new Map(picture ? withAltText(files.get(picture)).map((file) => [picture, file] as const) : []),
    createdAt: post.createdAt,
    sendKey: post.sendKey,
    progress: post.progress,
  }
}

const withAltText = (file: MediaFile | undefined, altText = file?.altText): MediaFile[] =>
  file ? [{ ...file, altText: altText ?? '' }] : []

/**
 * What an adapter gets to see of a post, or undefined when its row or files are incomplete. Throws when files or the codes
 * of its short links can't be reached now. The same in every try.
 */
export async function buildOutgoing(
  claim: PostClaim,
  openMedia: OpenMedia,
  shortCodes: ShortCodes,
): Promise<Outgoing | undefined> {
  const { orgId, postId, post } = claim
  const stored = Stored.safeParse(post)
  if (!stored.success) return undefined
  const { post_type: postType, ...says } = stored.data
  const ids = [...new Set(assetIdsOf(says))]
  const toSend: ToSend = {
    ...says,
    postType,
    postId,
    firstComment: post.first_comment,
    // the same in every try, and never days before the post is visible
    createdAt: post.dated_at ?? post.due_at,
    sendKey: post.send_key ?? '',
    progress: post.progress,
    // an approved post keeps the alt texts that were approved: a file's own may have changed since
    ...(post.approval_state === 'approved' && { altText: '' }),
    ...(await linksOf(claim, { ...says, firstComment: post.first_comment }, shortCodes)),
  }
  return outgoingOf(toSend, ids.length === 0 ? new Map() : await openMedia(orgId, ids))
}

/** What happens to the links of a post: by what is stored with it, on the day it's due. Most posts have none. */
async function linksOf(
  { orgId, postId, platform, post }: PostClaim,
  says: Saying & { firstComment: string },
  shortCodes: ShortCodes,
): Promise<{ links?: SentLinks }> {
  const { linkFacts } = says.details
  const rules = linkFacts && linkRules(says.details, platform, dayIn(post.zone, post.due_at))
  if (!linkFacts || !rules) return {}
  const finder = platformRules[platform]
  const targets = shortenedTargets(says, rules, finder, shortAddress(linkFacts.shortUrl, someShortCode))
  const codes: ReadonlyMap<string, string> =
    targets.length === 0 ? new Map() : await shortCodes({ orgId, projectId: post.project_id, postId }, targets)
  const shortOf = (target: string) => {
    const code = codes.get(target)
    return code === undefined ? target : shortAddress(linkFacts.shortUrl, code)
  }
  return { links: sentLinks(rules, finder, shortOf) }
}

/** The day in the zone, such as 2026-11-30. */
export const dayIn = (zone: string, at: Date): string => wallText(wallTimeOf(at, zone)).slice(0, 10)
