import { randomUUIDv7 } from 'node:crypto'
import { asTenant } from '../../db/tenant.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { MediaStore } from '../../media/store.ts'
import { LostRun, asHolder, noteRun, type RunOrder, type RunReason } from './run.ts'
import type { Claimed } from './claim.ts'
import type { MadeReport, MakeRefusal, ReportMakers } from './makers.ts'
import type { Audience } from './readers.ts'
import { Rights, rightsKey, rightsOf } from './rights.ts'
import { readerStanding } from './standings.ts'

export type FileDeps = { makers: ReportMakers; media: MediaStore }
export type MadeFile = { audience: Audience; fileId: string }

/** The files of a run, or why it ends without. Audiences that can't see the report have none. */
export type MadeFiles = { files: readonly MadeFile[] } | { ended: RunReason }

/**
 * Makes a file for each audience that has none yet. Its row is written first, with the key of its bytes, so that none are left over
 * wherever this is cut off.
 */
export async function makeFiles(
  deps: FileDeps,
  context: JobContext,
  run: Claimed,
  order: RunOrder & { today: string },
  audiences: readonly Audience[],
): Promise<MadeFiles> {
  const files: MadeFile[] = []
  for (const audience of audiences) {
    const file = await asHolder(context, run, (tx, now) => rowOf(tx, run, audience, now))
    if (file.pages === 0) {
      const made = await deps.makers.make({
        orgId: run.orgId,
        projectId: run.projectId,
        reportId: order.reportId,
        personId: audience.personId,
        today: order.today,
        now: context.clock.now(),
      })
      if ('refused' in made) {
        await asHolder(context, run, (tx) =>
          tx.deleteFrom('report_file').where('org_id', '=', run.orgId).where('id', '=', file.fileId).execute(),
        )
        const ended = endsWith(made)
        if (ended) return { ended }
        continue
      }
      await keep(deps, context, run, { order, audience, file, made })
    }
    files.push({ audience, fileId: file.fileId })
  }
  return { files }
}

const endsWith = ({ refused }: MakeRefusal): RunReason | undefined =>
  refused === 'owner' || refused === 'gone' ? undefined : refused

type Tx = Parameters<Parameters<typeof asHolder>[2]>[0]
type FileRow = { fileId: string; mediaKey: string; pages: number }

async function rowOf(tx: Tx, run: Claimed, { rights }: Audience, now: Date): Promise<FileRow> {
  const known = await tx
    .selectFrom('report_file')
    .select(['id', 'media_key', 'pages', 'rights'])
    .where('org_id', '=', run.orgId)
    .where('run_id', '=', run.runId)
    .execute()
  const same = known.find((row) => rightsKey(Rights.parse(row.rights)) === rightsKey(rights))
  if (same && same.media_key !== null) return { fileId: same.id, mediaKey: same.media_key, pages: same.pages }
  const fileId = randomUUIDv7()
  const mediaKey = `${run.orgId}/${fileId}`
  await tx
    .insertInto('report_file')
    .values({
      org_id: run.orgId,
      id: fileId,
      run_id: run.runId,
      rights: JSON.stringify(rights),
      media_key: mediaKey,
      bytes: 0,
      pages: 0,
      created_at: now,
    })
    .execute()
  return { fileId, mediaKey, pages: 0 }
}

async function keep(
  { media }: FileDeps,
  context: JobContext,
  run: Claimed,
  { order, audience, file, made }: { order: RunOrder; audience: Audience; file: FileRow; made: MadeReport },
): Promise<void> {
  await media.put(file.mediaKey, made.pdf)
  try {
    await asHolder(context, run, async (tx, now) => {
      const of = { orgId: run.orgId, projectId: run.projectId, now }
      const standing = await readerStanding(tx, audience.personId, order.content, of)
      // their role was changed meanwhile, so others with these rights must not get this file
      if (!standing || rightsKey(rightsOf(standing)) !== rightsKey(audience.rights))
        throw new Error("a reader's rights changed while the report was made")
      await tx
        .updateTable('report_file')
        .set({
          bytes: made.pdf.length,
          pages: Math.max(1, made.pages),
          not_final: JSON.stringify(made.notFinal),
        })
        .where('org_id', '=', run.orgId)
        .where('id', '=', file.fileId)
        .execute()
      await noteRun(tx, run, order.reportId, { range: made.range }, now)
    })
  } catch (error) {
    if (error instanceof LostRun) await deleteWithoutRow(media, context, run, file)
    throw error
  }
}

/** The schedule may have been deleted while its bytes were written: then no row names them. */
async function deleteWithoutRow(
  media: MediaStore,
  { databases }: JobContext,
  { orgId }: Claimed,
  { fileId, mediaKey }: FileRow,
): Promise<void> {
  const row = await asTenant(databases.background, orgId, (tx) =>
    tx.selectFrom('report_file').select('id').where('org_id', '=', orgId).where('id', '=', fileId).executeTakeFirst(),
  )
  if (!row) await media.delete(mediaKey)
}
