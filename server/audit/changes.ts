import { z } from 'zod'
import type { AuditRow } from '#contract/audit.ts'
import type { Names, Reference } from './names.ts'

/** One field that an entry changed, as stored. A side is undefined if there was, or is, no value. */
export type RawChange = { key: string | null; before: unknown; after: unknown }

const Sides = z.looseObject({
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  given: z.array(z.string()).optional().catch(undefined),
  taken: z.array(z.string()).optional().catch(undefined),
})
const Fields = z.record(z.string(), z.unknown())
const fieldsOf = (side: unknown) => (Array.isArray(side) ? undefined : Fields.safeParse(side).data)

/**
 * What an entry changed, field by field, for any kind of entry. The two sides are `before` and `after`, or `from` and
 * `to` in older entries. A field that `after` doesn't contain didn't change; without an `after`, all of `before` was
 * removed, and without a `before`, all of `after` is new. `given` and `taken` are permissions.
 */
export function changesOf(detail: unknown): RawChange[] {
  const sides = Sides.safeParse(detail).data
  if (!sides) return []
  const isNew = sides.before !== undefined || sides.after !== undefined
  const [before, after] = isNew ? [sides.before, sides.after] : [sides.from, sides.to]
  return [
    ...differences(before ?? undefined, after ?? undefined),
    ...(sides.taken?.length ? [{ key: 'taken', before: sides.taken, after: undefined }] : []),
    ...(sides.given?.length ? [{ key: 'given', before: undefined, after: sides.given }] : []),
  ]
}

function differences(before: unknown, after: unknown): RawChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const all = old || now ? Object.keys(now ?? old ?? {}) : [null]
  return all
    .map((key) => (key === null ? { key, before, after } : { key, before: old?.[key], after: now?.[key] }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

type Kind = {
  label: string
  /** The kind of thing that its ids refer to. */
  names?: string
  words?: (value: string | number) => string
  /** What null means, if it isn't nothing. */
  none?: string
  /** Its value is self-explanatory: within another field it needs no name. */
  obvious?: true
}

const plans: Readonly<Record<string, string>> = { free: 'Free', individual: 'Individual', team: 'Team' }
export const planName = (planId: string): string => plans[planId] ?? planId
const statuses: Readonly<Record<string, string>> = {
  TRIAL_ACTIVE: 'Free trial',
  PAST_DUE: 'Payment overdue',
  CANCEL_SCHEDULED: 'Cancellation scheduled',
  CANCELLED: 'Ended',
}
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const humanized = (value: string | number) =>
  capital(
    String(value)
      .replaceAll(/[_-]/g, ' ')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  )
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Fields as screens call them, and how to read their values. A field that isn't listed appears under its own name. */
const kinds: Readonly<Record<string, Kind>> = {
  planId: { label: 'Plan', obvious: true, words: (id) => planName(String(id)) },
  status: { label: 'Status', words: (code) => statuses[String(code)] ?? humanized(code) },
  interval: { label: 'Billing', words: humanized },
  card: { label: 'Card', words: (last4) => `•••• ${last4}` },
  addonQuantity: { label: 'Add-ons' },
  planned: { label: 'Planned change' },
  orgName: { label: 'Name' },
  orgType: { label: 'Account type', words: humanized },
  orgSize: { label: 'Size' },
  requireSecondFactor: { label: 'Two-factor authentication required' },
  inboxKeepDays: { label: 'Inbox kept for', words: (days) => `${days} days` },
  projectName: { label: 'Name' },
  channelName: { label: 'Name' },
  name: { label: 'Name' },
  fileName: { label: 'Name' },
  altText: { label: 'Description' },
  folderId: { label: 'Folder', names: 'asset_folder' },
  parentId: { label: 'Folder', names: 'asset_folder' },
  roleId: { label: 'Role', names: 'role', none: 'View only' },
  channelIds: { label: 'Channels', names: 'channel', none: 'All channels' },
  projectIds: { label: 'Projects', names: 'project' },
  publishing: { label: 'Publishing', words: (choice) => (choice === 'full' ? 'Full Publishing' : 'No Access') },
  isOrgAdmin: { label: 'Organization admin' },
  given: { label: 'Permissions added', words: permission },
  taken: { label: 'Permissions removed', words: permission },
  latenessMinutes: { label: 'Lateness limit', words: (minutes) => `${minutes} min` },
  zone: { label: 'Time zone' },
  timezone: { label: 'Time zone' },
  startsOn: { label: 'Start' },
  endsOn: { label: 'End' },
  dueAt: { label: 'Time' },
  deletesAt: { label: 'Deletion on' },
  color: { label: 'Color' },
  state: { label: 'Status', words: humanized },
  day: { label: 'Day', obvious: true, words: (day) => days[Number(day)] ?? String(day) },
  time: { label: 'Time', obvious: true },
  hashTags: { label: 'Hashtags' },
  taxId: { label: 'Tax ID' },
}

/** A stored field's name on screens. */
export const fieldName = (key: string): string => kinds[key]?.label ?? humanized(key)

/** "post.needs_approval" -> "Post: needs approval" */
function permission(code: string | number): string {
  const [resource = '', action = ''] = String(code).split('.')
  return `${humanized(resource)}: ${action.replaceAll('_', ' ')}`
}

/** The things that changes reference by id. */
export const referencesIn = (changes: readonly RawChange[]): Reference[] =>
  changes.flatMap(({ key, before, after }) => {
    const kind = kinds[key ?? '']?.names
    return kind === undefined ? [] : [before, after].flatMap(idsIn).map((id) => ({ kind, id }))
  })
const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')

/** The changes as people read them. A side is null if there was, or is, no value. */
export function presentChanges(changes: readonly RawChange[], nameOf: Names): AuditRow['changes'] {
  return changes
    .map(({ key, before, after }) => ({
      field: key === null ? null : fieldName(key),
      before: textOf(key, before, nameOf),
      after: textOf(key, after, nameOf),
    }))
    .filter(({ before, after }) => before !== null || after !== null)
}

function textOf(key: string | null, value: unknown, nameOf: Names): string | null {
  const kind = kinds[key ?? '']
  if (value === null) return kind?.none ?? null
  if (Array.isArray(value)) return value.map((one) => textOf(key, one, nameOf) ?? '').join(', ') || null
  const fields = fieldsOf(value)
  if (fields)
    return (
      Object.entries(fields)
        .flatMap(([name, one]) => partOf(name, one, nameOf) ?? [])
        .join(', ') || null
    )
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (kind?.names !== undefined) return nameOf({ kind: kind.names, id: String(value) }) ?? 'Deleted'
  if (kind?.words) return kind.words(value)
  return inUtc(String(value)) || null
}

/** A nested field, with its name if its value alone isn't clear. */
function partOf(key: string, value: unknown, nameOf: Names): string | null {
  const text = textOf(key, value, nameOf)
  return text === null || kinds[key]?.obvious ? text : `${fieldName(key)}: ${text}`
}

const Moment = z.iso.datetime({ offset: true })
/** An instant with its zone, which is correct for every reader; any other text as it is. */
const inUtc = (text: string) =>
  Moment.safeParse(text).success ? `${new Date(text).toISOString().slice(0, 16).replace('T', ' ')} UTC` : text
