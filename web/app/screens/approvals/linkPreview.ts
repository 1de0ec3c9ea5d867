import type { ReplyOf } from '#contract/endpoint.ts'
import { readApprovalFile, type readApprovalLink } from '#contract/workflows.ts'
import type { Previewed } from '#web/features/posts/preview/previewed.ts'
import { storedPreview } from '#web/features/posts/preview/storedPreview.ts'
import { addressOf } from '#web/lib/client.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'

/** A post as someone outside sees it: its files come by the link itself, which needs no account. */
export function linkPreview(post: ReplyOf<typeof readApprovalLink>['post'], token: string): Previewed {
  return {
    ...storedPreview(post, (assetId) => addressOf(readApprovalFile, { params: { token }, query: { assetId } })),
    when: post.dueAt ? dayAndTimeOf(post.dueAt, post.timezone).split(' ').slice(1, 3).join(' ') : 'now',
  }
}
