import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { imageLimits, motionOf } from '#contract/checkMedia.ts'
import type { ImageRules } from '#contract/platforms/rules.ts'
import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'
import { NeedsFirst, type Enter } from '../http/needsFirst.ts'
import { codeOf } from '../http/problem.ts'
import type { ProjectContext } from '../http/route.ts'
import type { AssetRow } from './access.ts'
import { mediaFactsOf } from './facts.ts'
import { fitImage, type FitLimits } from './fitImage.ts'
import { keepPicture } from './keep.ts'
import type { MediaStore } from './store.ts'

/** An image that a channel takes only converted or smaller. `at`: where a refusal is reported, in the request. */
export type WantedCopy = { asset: AssetRow; rules: ImageRules; at: string }

/**
 * The copies that channels get instead of images, in their order: made once per file and limits, and kept as long as a
 * post uses them. Throws NeedsFirst for those that have to be made, which happens outside of the transaction; that
 * throws POST_REFUSED for an image that can't be made to fit.
 */
export async function copiesOf(
  c: ProjectContext,
  store: MediaStore,
  wanted: readonly WantedCopy[],
): Promise<AssetRow[]> {
  const found = await findCopies(c, wanted)
  const missing = wanted.filter((one) => !found.has(nameOf(one)))
  if (missing.length > 0)
    throw new NeedsFirst<ProjectContext>(async (enter) => {
      for (const one of new Map(missing.map((each) => [nameOf(each), each])).values())
        await makeCopy(enter, c.org.orgId, store, one)
    })
  return wanted.flatMap((one) => found.get(nameOf(one)) ?? [])
}

/** Throws POST_REFUSED at the image if it can't be made to fit. */
async function makeCopy(
  enter: Enter<ProjectContext>,
  orgId: string,
  store: MediaStore,
  { asset, rules, at }: WantedCopy,
): Promise<void> {
  const fitted = await fitImage(() => store.read(asset.store_key), limitsOf(asset, rules), orgId)
  if (!fitted) throw fail('POST_REFUSED', { problems: { [at]: [problem('image-not-small-enough')] } })
  const fittedFor = keyOf(limitsOf(asset, rules))
  await keepPicture({ org: { orgId }, inTenant: enter }, store, fitted, {
    name: asset.file_name,
    altText: asset.alt_text,
    derivedFrom: asset.id,
    fittedFor,
    // it goes when no post uses it
    unlisted: true,
  }).catch((error: unknown) => {
    // another call has made it at the same time
    if (codeOf(error) !== UNIQUE) throw error
  })
}
const UNIQUE = '23505'

/**
 * The copies that exist, by name. They stay for another day from now, so that none is removed before the post that
 * uses it is stored, and follow the file's alt text.
 */
async function findCopies(
  { tx, org, now }: Pick<ProjectContext, 'tx' | 'org' | 'now'>,
  wanted: readonly WantedCopy[],
): Promise<Map<string, AssetRow>> {
  const names = wanted.map(({ asset, rules }) => ({ original: asset.id, fit: keyOf(limitsOf(asset, rules)) }))
  const { rows } = await sql<AssetRow & { fitted_for: string }>`
    update asset a set deleted_at = ${now}, alt_text = o.alt_text
    from json_to_recordset(${JSON.stringify(names)}::json) as w(original uuid, fit text) join asset o on o.org_id = ${org.orgId} and o.id = w.original
    where a.org_id = ${org.orgId} and a.derived_from = w.original and a.fitted_for = w.fit and a.state = 'ready'
    returning a.*`.execute(tx)
  return new Map(rows.map((row) => [`${row.derived_from} ${row.fitted_for}`, row]))
}

const nameOf = ({ asset, rules }: WantedCopy): string => `${asset.id} ${keyOf(limitsOf(asset, rules))}`

/** What a copy of this file has to keep to. */
function limitsOf(asset: AssetRow, rules: ImageRules): FitLimits {
  const facts = mediaFactsOf(asset)
  if (motionOf(rules, facts)) return { ...imageLimits(rules, facts), moving: true }
  // a still copy has another type, whose limits are those of all
  return {
    types: rules.types,
    bytes: rules.bytes,
    ...(rules.largest && { largest: rules.largest }),
    ...(rules.pixels !== undefined && { pixels: rules.pixels }),
  }
}

/** The same for the same limits, whatever platform they're of. Copies of other versions of the code are others. */
const keyOf = ({ types, bytes, largest, pixels, moving }: FitLimits): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, [...types].toSorted(), bytes, largest, pixels, moving]))
    .digest('base64url')
    .slice(0, 22)
const VERSION = 1
