import type { AuditRow } from './audit.ts'

/** Kinds of things whose stored name differs from the screens'. */
const kinds: Readonly<Record<string, string>> = {
  organization: 'organization',
  invite: 'invitation',
  org_settings: 'organization settings',
  member_session: 'sessions',
  billing_details: 'billing details',
  active_items: 'paused items',
}

/** What was done, if action and kind don't say it together. The thing's name follows. */
const phrases: Readonly<Record<string, string>> = {
  'started checkout': 'started a checkout for',
  'checkout plan': 'started a checkout for',
  'started payment_method': 'started to change the payment method of',
  'begun payment_method': 'started to change the payment method of',
  'updated payment_method': 'changed the payment method of',
  'paid plan': 'paid for the plan of',
  'attempted payment': 'tried to pay for the plan of',
  'changed plan': 'changed the plan of',
  'canceled plan': 'canceled the plan of',
  'resumed plan': 'resumed the plan of',
  'planned plan': 'scheduled a smaller plan for',
  'kept plan': 'kept the current plan of',
  'renewed plan': 'renewed the plan of',
  'unpaid plan': "couldn't collect the payment for the plan of",
  'ended plan': 'ended the plan of',
  'expired plan': 'ended the trial of',
  'locked plan': "paused what the plan doesn't have room for in",
  'unlocked plan': 'reactivated what the plan has room for in',
  'chosen plan': 'chose what stays active in',
  'updated billing_details': 'changed the billing details of',
  'exported organization': 'requested a copy of',
  'downloaded organization': 'downloaded a copy of',
  'deleted organization': 'scheduled the deletion of',
  'kept organization': 'canceled the deletion of',
  'appointed member': 'changed the admin rights of',
  'left member': 'left the organization',
  'ended member_session': 'ended all sessions of',
  'logged_in_to account': 'logged in',
  'failed_to_log_in_to account': 'failed to log in as',
  'was_locked_out_of account': 'was locked out of the account of',
  'was_refused access': 'was refused access',
  'reminded post': 'reminded the approvers of post',
  'settled post': 'confirmed the outcome of post',
  'retried post': 'retried post',
  'set app': 'saved the platform app',
  'removed app': 'removed the platform app',
  'changed conversation': 'changed a conversation in',
  'assigned conversation': 'assigned a conversation in',
  'labeled conversation': 'labeled a conversation in',
  'judged conversation': 'set the sentiment of a conversation in',
  'replied conversation': 'replied in a conversation of',
  'edited reply': 'edited a reply in',
  'deleted reply': 'deleted a reply in',
  'retried reply': 'sent a reply again in',
  'confirmed reply': 'confirmed the outcome of a reply in',
  'hidden conversation': 'hid or showed a comment in',
  'reacted conversation': 'reacted to a comment in',
  'deleted inbox_item': 'deleted a comment in',
  'updated inbox_settings': 'changed the inbox settings of',
  'updated inbox_costs': 'changed the limit for inbox costs of',
  'updated link_settings': 'changed the link settings of',
  'updated channel_links': 'changed the link settings of',
  'shared report': 'created a link to report',
  'unshared report': 'ended a link to report',
  'created report_schedule': 'scheduled report',
  'updated report_schedule': 'changed a schedule of report',
  'deleted report_schedule': 'deleted a schedule of report',
  'sent report_schedule': 'sent report',
  'edited queue': 'changed the queue of',
  'reordered queue': 'reordered the queue of',
}
/** Kinds of things that are the person: their name would only repeat who did it. */
const unnamed: ReadonlySet<string> = new Set(['left member', 'was_refused access', 'logged_in_to account'])

const spoken = (code: string): string => code.replaceAll('_', ' ').toLowerCase()

/** A kind of thing: "hashtag_group" -> "hashtag group" */
export const entityWords = (entityType: string): string => kinds[entityType] ?? spoken(entityType)

/** An action on its own, as filters offer it: "canceled" -> "canceled" */
export const actionWords = (action: string): string =>
  ({ canceled: 'canceled', begun: 'started', checkout: 'started a checkout', settled: 'confirmed' })[action] ??
  spoken(action)

/** What someone did, in lower case and without their name: "canceled the plan of Acme". */
export function deedWords({ action, entityType, entityName }: Pick<AuditRow, 'action' | 'entityType' | 'entityName'>): {
  phrase: string
  name: string | null
} {
  const key = `${action} ${entityType}`
  const phrase = phrases[key] ?? `${actionWords(action)} ${entityWords(entityType)}`
  if (unnamed.has(key)) return { phrase, name: null }
  return { phrase: entityName === null ? phrase.replace(/ (of|for|in|as)$/, '') : phrase, name: entityName }
}

/** Who did it. */
export function actorName({ user, actor }: Pick<AuditRow, 'user' | 'actor'>): string {
  if (user !== null) return `${user.firstName} ${user.lastName}`.trim() || 'Deleted account'
  return actor === 'unknown' ? 'Someone' : actor === 'approver' ? 'External approver' : 'Rookery'
}
