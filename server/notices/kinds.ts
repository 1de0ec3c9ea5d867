import type { NoticeTopic } from '#contract/notices.ts'

/** Every kind of notice there is, and the topic under which people choose how to hear of it. */
const topics = {
  'post-failed': 'failed_posts',
  'post-unconfirmed': 'failed_posts',
  'post-overdue': 'failed_posts',
  'boost-trouble': 'failed_posts',
  'channel-signed-out': 'channels',
  'channel-sign-in-ends': 'channels',
  'approval-wanted': 'approvals',
  'approval-decided': 'approvals',
  'post-edited': 'approvals',
  'note-mention': 'notes',
  'note-reply': 'notes',
  'publishing-held': 'publishing',
  'zones-changed': 'publishing',
  'trial-ends': 'plan',
  'trial-ended': 'plan',
  'payment-failed': 'plan',
  'payment-received': 'plan',
  'plan-renews': 'plan',
  'card-ends': 'plan',
  'plan-ended': 'plan',
  'plan-shrank': 'plan',
  'plan-reader': 'plan',
  'plan-member': 'plan',
  'paid-twice': 'plan',
  'charged-back': 'plan',
} as const satisfies Record<string, NoticeTopic>

export type NoticeKind = keyof typeof topics

// keys of a const object are its literal union
const noticeKinds = Object.keys(topics) as NoticeKind[]

/** The topic of a stored kind. One that only a newer node knows counts as publishing until this one is updated too. */
export function topicOf(kind: string): NoticeTopic {
  const known = noticeKinds.find((one) => one === kind)
  return known === undefined ? 'publishing' : topics[known]
}

export const kindsOf = (topic: NoticeTopic): NoticeKind[] => noticeKinds.filter((kind) => topics[kind] === topic)
