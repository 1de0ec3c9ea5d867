/*
 * One index of a channel's posts that aren't published, in place of four: what counts towards its cap, its queue, what
 * failed, and what AI wrote for it. Which query uses which index is in docs/posts.md.
 */
create index post_waiting on post (org_id, channel_id, state, due_at)
  where state in ('DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'FAILED');
drop index post_ai_drafts;
drop index post_failed;
drop index post_pending;
drop index post_queue;
