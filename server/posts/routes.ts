import { bulkPosts } from '#contract/bulkPosts.ts'
import { campaignPosts } from '#contract/campaigns.ts'
import { deleteDraft, saveDraft } from '#contract/drafts.ts'
import {
  draftQuery,
  listPostChanges,
  listPosts as postLists,
  PostFilter,
  postFilters,
  postStatistics,
} from '#contract/postLists.ts'
import { postLinks } from '#contract/links/postLinks.ts'
import * as contract from '#contract/posts.ts'
import { editingPost } from '#contract/presence.ts'
import { submitPost } from '#contract/submit.ts'
import { seeCampaign } from '../campaigns/access.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import { bulk } from './bulk.ts'
import { listChanges } from './changes.ts'
import { deletePostHere, restore } from './delete.ts'
import { discard, save } from './drafts.ts'
import { editAnywhere } from './editPublished.ts'
import { listDrafts, listPosts } from './list.ts'
import type { LiveDeps } from './liveChanges.ts'
import { sayPresence } from './presence.ts'
import { readPostAndCommit } from './read.ts'
import { reschedule } from './reschedule.ts'
import { retry } from './retry.ts'
import { shownLinks } from './shownLinks.ts'
import { resolveUnconfirmed } from './resolveUnconfirmed.ts'
import { filters, statistics } from './statistics.ts'
import { submit } from './submit.ts'

export function postRoutes(deps: LiveDeps): Route[] {
  return [
    handle(submitPost, (c) => submit(c, deps)),
    handle(postLists, (c) => listPosts(c, c.query)),
    handle(campaignPosts, async (c) => {
      const { id } = await seeCampaign(c, c.params.campaignId)
      return await listPosts(c, PostFilter.parse({ ...c.query, campaign: [id] }))
    }),
    handle(listPostChanges, (c) => listChanges(c, c.query)),
    handle(draftQuery, (c) => listDrafts(c, c.query)),
    handle(postStatistics, statistics),
    handle(postFilters, filters),
    handle(contract.getPost, (c) => readPostAndCommit(c, c.params.postId, deps.platforms)),
    handleDetached(contract.editPost, (c) => editAnywhere(c, deps)),
    handleDetached(contract.deletePost, (c) => deletePostHere(c, deps)),
    handle(contract.restorePost, (c) => restore(c, deps)),
    handle(saveDraft, save),
    handle(deleteDraft, discard),
    handle(contract.reschedulePost, (c) => reschedule(c, deps)),
    handle(postLinks, (c) => shownLinks(c, c.params.postId)),
    handle(contract.retryPost, (c) => retry(c, deps)),
    handleDetached(bulkPosts, (c) => bulk(c, deps)),
    handle(editingPost, sayPresence),
    handle(contract.settlePost, (c) => resolveUnconfirmed(c, deps)),
  ]
}
