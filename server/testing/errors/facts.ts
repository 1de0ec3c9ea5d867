import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Column } from './codes.ts'

/*
 * The codes in section 7 of the collected facts about the platforms. They aren't part of this repository: they're next
 * to the folder that PLATFORM_SPECS names.
 */

const folder = process.env.PLATFORM_SPECS ?? resolve(import.meta.dirname, '../../../../shared/platform-specs')
export const factsFile = join(folder, '..', 'platform-facts.md')

const columns = ['dead', 'slow', 'duplicate', 'permanent'] as const satisfies readonly Column[]
const keys: Readonly<Record<string, PlatformKey>> = { gbp: 'googlemybusiness' }
/** Names of headers and fields, amounts and units. */
const noCodes = [
  /serviceErrorCode|fail_reason|failureCode/g,
  /x-[\w-]+|ratelimit-reset|retry-after/gi,
  /\b(?:HTTP )?200 can\b/g,
  /\d+ (?:MB|h|d|characters)\b/g,
  /\(.*?"[^"]*".*?\)|"[^"]*"/g,
  /> \d/g,
  /\d\d:\d\d/g,
]
const code =
  /[A-Za-z]+_+[A-Za-z_]+|[A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+|[A-Z]{6,}|\b(?:usage-capped|client-forbidden|invalid-request|cashtag|5xx|forbidden|spam_risk|internal)\b|\b\d{1,7}(?:-\d{3,7})?\b/g

export type Fact = { platform: PlatformKey; column: Column; code: string }

/** Every code in the facts; undefined if they aren't available. */
export function codesInFacts(): Fact[] | undefined {
  if (!existsSync(factsFile)) return undefined
  const section =
    readFileSync(factsFile, 'utf8')
      .split(/^## /m)
      .find((one) => one.startsWith('7.')) ?? ''
  const table = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').slice(1, 6))
  const cells = new Map<PlatformKey, readonly string[]>(
    table.map(([name = '', ...rest]) => {
      const [key = ''] = name.trim().split(' ')
      // the names in the first column are our keys
      return [keys[key] ?? (key as PlatformKey), rest]
    }),
  )
  return [...cells].flatMap(([platform, texts]) =>
    columns.flatMap((column, at) =>
      codesIn(inherited(cells, texts[at] ?? '', at)).map((one) => ({ platform, column, code: one })),
    ),
  )
}

/** Resolves "as facebook" to that platform's entry. */
function inherited(cells: ReadonlyMap<PlatformKey, readonly string[]>, text: string, at: number): string {
  const [, other] = /\bas (facebook|youtube)\b/.exec(text) ?? []
  return other === 'facebook' || other === 'youtube' ? `${text} ${cells.get(other)?.[at] ?? ''}` : text
}

const codesIn = (text: string): string[] => [
  ...new Set(noCodes.reduce((rest, one) => rest.replace(one, ' '), text).match(code) ?? []),
]
