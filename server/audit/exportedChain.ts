import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { checkChain, type Link } from './chain.ts'
import { readLinks, type Verdict } from './verify.ts'

/** The file in an organization's data export that has its sealed audit log, so that others can verify it. */
export const CHAIN_FILE = 'audit-chain.jsonl'

const hex = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((text) => Buffer.from(text, 'hex'))
const Head = z.object({
  orgId: z.uuid(),
  createdAt: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  seq: z.int(),
  seal: hex,
})
const Line = z.object({
  org_id: z.string(),
  id: z.string(),
  at: z.string(),
  project_id: z.string().nullable(),
  person_id: z.string().nullable(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string().nullable(),
  detail: z.string(),
  sealed_seq: z.int(),
  seal: hex,
})

/** The file's lines: the chain's end, then each sealed entry in order, as it was sealed. */
export async function* chainLines(tx: Tx, orgId: string): AsyncGenerator<string> {
  const end = await tx.selectFrom('audit_seal').select(['seq', 'seal']).where('org_id', '=', orgId).executeTakeFirst()
  const { created_at: createdAt } = await tx
    .selectFrom('organization')
    .select('created_at')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const head = {
    orgId,
    createdAt: createdAt.toISOString(),
    seq: end?.seq ?? 0,
    seal: toHex(end?.seal ?? Buffer.alloc(32)),
  }
  yield `${JSON.stringify(head)}\n`
  for await (const link of readLinks(tx, orgId)) yield `${JSON.stringify({ ...link, seal: toHex(link.seal) })}\n`
}
const toHex = (seal: Buffer) => seal.toString('hex')

/**
 * Verifies the file of an export, also against a head stored elsewhere. Throws with a message if it isn't such a file.
 */
export async function verifyExport(path: string, now: Date, head?: string): Promise<Verdict> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  let check: ReturnType<typeof checkChain> | undefined
  let first: z.output<typeof Head> | undefined
  let place = 0
  for await (const line of lines) {
    place += 1
    if (!check) {
      first = parsed(Head, line, path, place)
      check = checkChain({ createdAt: first.createdAt, now, head })
    } else if (!check.add(linkOf(parsed(Line, line, path, place), first?.orgId))) break
  }
  if (!check || !first) throw new Error(`${path} is empty.`)
  return { orgId: first.orgId, waiting: 0, ...check.finish(first) }
}

/** An entry of another organization was never part of this chain, whatever its seal. */
const linkOf = (link: z.output<typeof Line>, orgId: string | undefined): Link => ({
  ...link,
  org_id: orgId ?? link.org_id,
})

function parsed<S extends z.ZodType>(schema: S, line: string, path: string, place: number): z.output<S> {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    throw new Error(`Line ${place} of ${path} isn't a line of ${CHAIN_FILE}. Unpack the copy and name that file.`)
  }
}
