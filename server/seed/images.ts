import { randomUUIDv7 } from 'node:crypto'
import sharp from 'sharp'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import { openFiles } from '../files.ts'
import { altTexts } from './content.ts'

/** Images in the product's own colors, one per alt text. */
export async function addImages(
  tx: Tx,
  env: Env,
  place: { orgId: string; projectId: string; owner: string },
  now: Date,
): Promise<string[]> {
  const { media: store } = await openFiles(env, { error: () => {} })
  const ids = []
  for (const [i, altText] of altTexts.entries()) {
    const assetId = randomUUIDv7()
    const bytes = await sharp(Buffer.from(picture(i)))
      .jpeg({ quality: 82 })
      .toBuffer()
    const key = `${place.orgId}/${assetId}`
    await store.put(key, bytes)
    await tx
      .insertInto('asset')
      .values({
        org_id: place.orgId,
        id: assetId,
        project_id: place.projectId,
        state: 'ready',
        file_name: `picture-${i + 1}.jpg`,
        content_type: 'image/jpeg',
        bytes: bytes.length,
        width: 1600,
        height: 1000,
        alt_text: altText,
        store_key: key,
        created_at: now,
        created_by: place.owner,
      })
      .execute()
    ids.push(assetId)
  }
  return ids
}

function picture(i: number): string {
  const [sky, light, dark] =
    [
      ['#f3d9b1', '#c98b54', '#5b3a29'],
      ['#cfe3e6', '#7fa7ad', '#2c4a52'],
      ['#e9e2d6', '#a58d6f', '#463a2c'],
      ['#d7dfc9', '#8aa06d', '#3d4a2e'],
    ][i % 4] ?? []
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset="1" stop-color="${light}"/></linearGradient></defs><rect width="1600" height="1000" fill="url(#g)"/><circle cx="${420 + i * 210}" cy="360" r="210" fill="${sky}" opacity="0.7"/><path d="M0 760 Q 400 ${620 + i * 30} 800 740 T 1600 700 V1000 H0Z" fill="${dark}" opacity="0.85"/><ellipse cx="1050" cy="690" rx="170" ry="52" fill="#fffaf2"/><path d="M880 690 q20 190 170 190 t170 -190Z" fill="#fffaf2"/><ellipse cx="1050" cy="690" rx="138" ry="38" fill="${dark}"/></svg>`
}
