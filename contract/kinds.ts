/** Kinds of data that live events report. `taxonomy` is a label, a campaign, a hashtag group or a workflow; `bio` is a link in bio page, `report` a report with its links, schedules and runs. */
export const liveKinds = [
  'post',
  'channel',
  'notice',
  'plan',
  'member',
  'organization',
  'project',
  'asset',
  'presence',
  'taxonomy',
  'note',
  'queue',
  'bulk',
  'conversation',
  'discussion',
  'competitor',
  'goal',
  'bio',
  'report',
] as const

/** Kinds that only the person who changes them has on screen, so no event reports them. `app` belongs to admins. */
const ownKinds = [
  'profile',
  'security',
  'session',
  'preference',
  'view',
  'upload',
  'export',
  'app',
  'canned-response',
] as const

/** What a cached reply can consist of, and what a call or an event can change. */
export type Kind = (typeof liveKinds)[number] | (typeof ownKinds)[number]
