import { Readable } from 'node:stream'
import { actorName } from '#contract/auditWords.ts'
import { harmless, writeCsv } from '#contract/csv.ts'
import type { Databases } from '../db/pools.ts'
import { asTenant } from '../db/tenant.ts'
import { readAudit, type Filters, type Place, type Told } from './list.ts'

const PORTION = 1000
const HEAD = [
  'Time (UTC)',
  'Person',
  'Action',
  'Entity type',
  'Entity name',
  'Target value',
  'Before',
  'After',
  'Project',
  'Entity id',
  'Person id',
  'Entry id',
]

/**
 * The audit log as CSV (RFC 4180, UTF-8 with a byte order mark for spreadsheets), newest first, read in short
 * transactions while it's sent, so it can have any length. Callers check permissions.
 */
export function auditCsv(databases: Pick<Databases, 'exports'>, orgId: string, filters: Filters): Readable {
  return Readable.from(portions(databases, orgId, filters), { objectMode: false })
}

async function* portions(
  databases: Pick<Databases, 'exports'>,
  orgId: string,
  filters: Filters,
): AsyncGenerator<string> {
  yield `\uFEFF${writeCsv([HEAD])}`
  for (let after: Place | undefined; ;) {
    const from: Place | undefined = after
    const entries = await asTenant(databases.exports, orgId, (tx) =>
      readAudit({ tx, org: { orgId } }, filters, { limit: PORTION, after: from }),
    )
    if (entries.length > 0) yield writeCsv(entries.map((entry) => cellsOf(entry).map(harmless)))
    if (entries.length < PORTION) return
    after = entries.at(-1)?.place
  }
}

const cellsOf = ({
  timestamp,
  user,
  action,
  entityType,
  entityName,
  targetValue,
  actor,
  changes,
  projectName,
  entityId,
  auditId,
}: Told): string[] => [
  timestamp,
  actorName({ actor, user }),
  action,
  entityType,
  entityName ?? '',
  targetValue ?? '',
  sideOf(changes, 'before'),
  sideOf(changes, 'after'),
  projectName ?? '',
  entityId ?? '',
  user?.userId ?? '',
  auditId,
]

/** One side of a change, as "Plan: Individual; Add-ons: 1". */
const sideOf = (changes: Told['changes'], side: 'before' | 'after'): string =>
  changes
    .flatMap((change) => {
      const text = change[side]
      return text === null ? [] : [change.field === null ? text : `${change.field}: ${text}`]
    })
    .join('; ')
