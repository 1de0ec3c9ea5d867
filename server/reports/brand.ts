import { randomUUIDv7 } from 'node:crypto'
import { fail } from '../errors.ts'
import type { OrgContext } from '../http/route.ts'
import { pictureInside } from '../media/image.ts'

type Asker = Pick<OrgContext, 'tx' | 'org'>

/** The largest a logo is stored, in pixels: sharp on paper at 6 cm, small on the wire. */
const LOGO = { width: 720, height: 300 }

/** How the organization's reports look. */
export async function readBrand({ tx, org }: Asker): Promise<{ accent: string | null; logoUrl: string | null }> {
  const row = await tx
    .selectFrom('organization_brand')
    .select(['accent', 'logo_id'])
    .where('org_id', '=', org.orgId)
    .executeTakeFirst()
  return {
    accent: row?.accent ?? null,
    logoUrl: row?.logo_id ? `/api/${org.orgId}/brand/${row.logo_id}` : null,
  }
}

/** A logo as it's stored: redrawn as PNG, so that only its pixels are kept. Throws MEDIA_REFUSED with a message at `logo`. */
export async function drawLogo(file: Uint8Array, whose: string): Promise<Buffer> {
  const drawn = await pictureInside(file, LOGO, { whose })
  if (drawn.kind === 'refused') throw fail('MEDIA_REFUSED', { detail: drawn.reason, errors: { logo: [drawn.reason] } })
  return drawn.bytes
}

/** Stores both; without `logo`, that stays as it is. */
export async function writeBrand(
  { tx, org, now }: Asker & Pick<OrgContext, 'now'>,
  { accent, logo }: { accent: string | null; logo: Buffer | null | undefined },
): Promise<void> {
  const picture = logo === undefined ? {} : { logo, logo_id: logo === null ? null : randomUUIDv7() }
  const row = { accent, updated_at: now, ...picture }
  await tx
    .insertInto('organization_brand')
    .values({ org_id: org.orgId, ...row })
    .onConflict((at) => at.column('org_id').doUpdateSet(row))
    .execute()
}

/** The logo's PNG; undefined if there's none, or another one by now. */
export async function readLogo({ tx, org }: Asker, logoId: string | null): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('organization_brand')
    .select(['logo', 'logo_id'])
    .where('org_id', '=', org.orgId)
    .executeTakeFirst()
  return row?.logo && (logoId === null || row.logo_id === logoId) ? row.logo : undefined
}
