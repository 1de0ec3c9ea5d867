import type { ConversationKind } from '../inbox/terms.ts'
import { inboxRules } from './inboxRegistry.ts'
import { withLimits, type ChannelLimits } from './limits.ts'
import { platformRules } from './registry.ts'
import type { PlatformKey, PostRules, PostType } from './rules.ts'

/**
 * What a reply's files must be on an account: the images that its posts take, as many as a reply takes, and nothing else.
 * `postType` is that of these posts. Undefined where replies have no files.
 */
export function replyFiles(
  platform: PlatformKey,
  kind: ConversationKind,
  limits: ChannelLimits | null,
): { rules: PostRules; postType: PostType } | undefined {
  const pictures = inboxRules[platform].kinds[kind]?.reply?.pictures ?? 0
  const [first] = platformRules[platform].posts
  if (pictures === 0 || !first) return undefined
  const rules = withLimits(first, limits)
  return {
    postType: first.postType,
    rules: {
      ...rules,
      images: { ...rules.images, most: Math.min(pictures, rules.images.most) },
      videos: { ...rules.videos, most: 0 },
      documents: { ...rules.documents, most: 0 },
      mixedMedia: false,
    },
  }
}
