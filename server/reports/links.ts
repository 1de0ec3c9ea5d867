import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { createReportLink, ReportLink } from '#contract/reports/links.ts'
import { fail } from '../errors.ts'
import { hashToken } from '../http/session.ts'
import { namesOf } from '../people/names.ts'
import { hasReports, lockReport, seeReport, seesReport, type Asker, type Saved } from './access.ts'
import { standingOf, type Standing } from './standing.ts'

type Changer = Asker & { caller: { personId: string } }
const DAY_MS = 86_400_000

/** The report's open links, newest first, with why one shows nothing. Throws NOT_FOUND. */
export async function listLinks(c: Changer, reportId: string): Promise<ReportLink[]> {
  const report = await seeReport(c, reportId)
  const { tx, org, project, now } = c
  const rows = await openLinks(c, reportId).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  const people = [...new Set(rows.map((row) => row.person_id))]
  const names = await namesOf(tx, org.orgId, people)
  const troubles = new Map<string, ReportLink['trouble']>()
  for (const personId of people) {
    const standing = await standingOf(tx, { orgId: org.orgId, projectId: project.projectId, personId, now })
    troubles.set(personId, troubleOf(standing, report))
  }
  return rows.map((row) => ({
    linkId: row.id,
    linkName: row.name,
    createdAt: row.created_at.toISOString(),
    createdBy: {
      userId: row.person_id,
      name: names.get(row.person_id) ?? 'Someone',
      isYou: row.person_id === c.caller.personId,
    },
    expiresAt: row.expires_at.toISOString(),
    firstOpenedAt: row.opened_at?.toISOString() ?? null,
    lastOpenedAt: row.last_opened_at?.toISOString() ?? null,
    trouble: troubles.get(row.person_id) ?? null,
  }))
}

const openLinks = ({ tx, org, now }: Asker, reportId: string) =>
  tx
    .selectFrom('report_link')
    .where('org_id', '=', org.orgId)
    .where('report_id', '=', reportId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)

/** Why a person's link or schedule shows nothing of the report now; null if it does. */
export function troubleOf(standing: Standing | null, { content }: Pick<Saved, 'content'>): ReportLink['trouble'] {
  if (!standing || !seesReport(standing, content)) return 'owner'
  return hasReports(standing) ? null : 'plan'
}

/** Creates a link with the caller's name on it; only its hash is stored. Throws NOT_FOUND, LIMIT_EXCEEDED. */
export async function createLink(
  c: Changer,
  reportId: string,
  { linkName, days }: BodyOf<typeof createReportLink>,
): Promise<{ linkId: string; token: string }> {
  // locked, so that the limit holds
  await lockReport(c, reportId)
  // nobody can tell an ended link from an unknown one, so they needn't be kept: links without number could be made and ended
  await sql`delete from report_link where org_id = ${c.org.orgId} and report_id = ${reportId} and (revoked_at is not null or expires_at <= ${c.now})`.execute(
    c.tx,
  )
  const { n } = await openLinks(c, reportId)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= REPORTS.links)
    throw fail('LIMIT_EXCEEDED', { detail: `A report can have ${REPORTS.links} links. End one first.` })
  const [linkId, token] = [randomUUIDv7(), randomBytes(32).toString('base64url')]
  await c.tx
    .insertInto('report_link')
    .values({
      org_id: c.org.orgId,
      id: linkId,
      report_id: reportId,
      name: linkName,
      token_hash: hashToken(token),
      person_id: c.caller.personId,
      created_at: c.now,
      expires_at: new Date(c.now.getTime() + days * DAY_MS),
    })
    .execute()
  return { linkId, token }
}

/** Ends a link. Throws NOT_FOUND, also for one that has ended. */
export async function revokeLink(c: Asker, reportId: string, linkId: string): Promise<void> {
  await seeReport(c, reportId)
  const { rows } = await sql`
    update report_link set revoked_at = ${c.now} where org_id = ${c.org.orgId} and report_id = ${reportId} and id = ${linkId} and revoked_at is null and expires_at > ${c.now} returning id`.execute(
    c.tx,
  )
  if (rows.length === 0) throw fail('NOT_FOUND')
}
