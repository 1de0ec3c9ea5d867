import type { NoticeTopic } from '#contract/notices.ts'

/** Names of notifications' subjects: one part of the product creates them and another dismisses them. */
export const dedupeKeys = {
  /** A post that wasn't published, or isn't known to be. */
  post: (postId: string, state: string): string => `post:${postId}:${state}`,
  /** A follow-up of a live post that wasn't published, or isn't known to be. */
  followUps: (postId: string): string => `post:${postId}:parts`,
  /** A note on a post, for the people it mentions and the author of the note it replies to. */
  note: (noteId: string): string => `note:${noteId}`,
  /** A discussion that someone was added to, or that was resolved. */
  discussion: (discussionId: string): string => `discussion:${discussionId}`,
  /** Something new in a conversation. */
  received: (conversationId: string): string => `conversation:${conversationId}:received`,
  /** Something new in many conversations of a project, by topic. */
  receivedMany: (projectId: string, topic: NoticeTopic): string => `project:${projectId}:received:${topic}`,
  /** A conversation that was assigned to someone. */
  assignment: (conversationId: string): string => `conversation:${conversationId}:assigned`,
  /** Many conversations of a project that were assigned together. */
  assignments: (projectId: string): string => `project:${projectId}:assigned`,
  /** A conversation that was put off until today. */
  followUp: (conversationId: string): string => `conversation:${conversationId}:follow-up`,
  /** Conversations of a project that wait too long for an answer. */
  overdue: (projectId: string): string => `project:${projectId}:overdue`,
  /** A reply that wasn't sent, or isn't known to be. */
  reply: (replyId: string): string => `reply:${replyId}`,
  /** A channel whose conversations arrive late. */
  reading: (channelId: string): string => `channel:${channelId}:inbox`,
  /** A channel that has to be reconnected. */
  reconnect: (channelId: string): string => `channel:${channelId}:reconnect`,
  /** A channel whose sign-in ends soon. */
  signInEnds: (channelId: string): string => `channel:${channelId}:sign-in-ends`,
  /** A step of an approval that waits for its approvers. */
  approval: (approvalId: string, step: number): string => `approval:${approvalId}:${step}`,
  /** A promotion that needs attention. */
  boost: (boostId: string): string => `boost:${boostId}`,
}
