// verifies the sealed chains of the audit, in the database or in a copy, or prints their heads: audit verify [--org <organization>] [--head <head>] [--heads <file>] [--export <file>] | audit heads
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { systemClock } from '#server/clock.ts'
import { command } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { verifyExport } from '../exportedChain.ts'
import { describeVerdict, isSuspect, verifyAudit, type Verdict, type Wanted } from '../verify.ts'

const USAGE = `Usage: npm run rookery -- audit verify [--org <organization> [--head <head>]]
       npm run rookery -- audit verify --heads <file that "audit heads" wrote>
       npm run rookery -- audit verify --export <audit-chain.jsonl of a copy> [--head <head>]
       npm run rookery -- audit heads`

const text = { type: 'string' } as const
const Options = z.object({
  org: z.uuid().toLowerCase().optional(),
  head: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  heads: z.string().optional(),
  export: z.string().optional(),
})

await command(async ({ env }) => {
  const call = readCall()
  if (call.export !== undefined) return judge([await verifyExport(call.export, systemClock.now(), call.head)], call)
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      return judge(await verifyAudit(databases.system, systemClock.now(), wantedOf(call)), call)
    } finally {
      await databases.close()
    }
  })
})

/** The output. Throws it if someone has to look into it. */
function judge(verdicts: Verdict[], { verb }: Call): string {
  if (verdicts.some(isSuspect)) throw new Error(verdicts.map(describeVerdict).join('\n'))
  if (verb === 'heads') return verdicts.map(({ orgId, head }) => `${orgId} ${head}`).join('\n')
  return verdicts.map(describeVerdict).join('\n') || 'There are no organizations yet.'
}

type Call = {
  verb: 'verify' | 'heads'
  org?: string | undefined
  head?: string | undefined
  heads?: string | undefined
  export?: string | undefined
}

/** Throws the usage. */
function readCall(): Call {
  try {
    const options = { org: text, head: text, heads: text, export: text }
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const verb = z.tuple([z.enum(['verify', 'heads'])]).parse(positionals)[0]
    const call = { verb, ...Options.parse(values) }
    const sources = [call.org, call.heads, call.export].filter((one) => one !== undefined).length
    const isHeadOfNone = call.head !== undefined && call.org === undefined && call.export === undefined
    if (sources > 1 || isHeadOfNone || (verb === 'heads' && sources > 0)) throw new Error(USAGE)
    return call
  } catch {
    throw new Error(USAGE)
  }
}

function wantedOf({ org, head, heads }: Call): Wanted {
  if (org !== undefined) return { orgId: org, heads: new Map(head === undefined ? [] : [[org, head]]) }
  return heads === undefined ? {} : { heads: readHeads(heads) }
}

/** The lines "<organization> <head>" of a file. */
function readHeads(path: string): Map<string, string> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return new Map(
    lines.map((line, i) => {
      const found = /^([0-9a-f-]{36}) ([0-9a-f]{64})$/.exec(line.trim())
      if (!found?.[1] || !found[2]) throw new Error(`Line ${i + 1} of ${path} isn't "<organization> <head>".`)
      return [found[1], found[2]]
    }),
  )
}
