import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { squarePicture } from '../media/image.ts'
import type { Dependencies } from '../dependencies.ts'
import { limits } from './limits.ts'
import { assertWithinLimit, count } from '../http/attempts.ts'
import { addressOfPicture } from '../people/person.ts'

/** The side of a picture of a person, in pixels. */
const PICTURE_SIDE = 256

/**
 * Makes the file the person's picture. It's redrawn, so that only its pixels are kept, and gets a new URL; the previous
 * one is deleted. Returns the URL. Throws MEDIA_REFUSED with a message at `image`; RATE_LIMITED after 30 in an hour,
 * because drawing costs CPU time.
 */
export async function setPicture(
  { databases, clock }: Dependencies,
  personId: string,
  file: Uint8Array,
): Promise<string> {
  const now = clock.now()
  const asked = await asSystem(databases.system, (tx) => count(tx, limits.picture, personId, now))
  assertWithinLimit(asked)
  const drawn = await squarePicture(file, PICTURE_SIDE)
  if (drawn.kind === 'refused') throw fail('MEDIA_REFUSED', { detail: drawn.reason, errors: { image: [drawn.reason] } })
  const id = randomUUIDv7()
  await asSystem(databases.system, async (tx) => {
    await dropPicture(tx, personId)
    await tx
      .insertInto('person_picture')
      .values({ id, person_id: personId, bytes: drawn.bytes, created_at: now })
      .execute()
    await tx.updateTable('person').set({ picture_id: id }).where('id', '=', personId).execute()
  })
  return addressOfPicture(id)
}

/** Removes the person's picture, if there is one. */
export async function removePicture({ databases }: Dependencies, personId: string): Promise<void> {
  await asSystem(databases.system, (tx) => dropPicture(tx, personId))
}

/** Locks the person, so that of two simultaneous pictures one is kept. */
async function dropPicture(tx: Tx, personId: string): Promise<void> {
  await tx.updateTable('person').set({ picture_id: null }).where('id', '=', personId).execute()
  await tx.deleteFrom('person_picture').where('person_id', '=', personId).execute()
}

/** A picture as WebP, for its person and people in the same organizations. Throws NOT_FOUND. */
export async function readPicture({ databases }: Dependencies, viewerId: string, pictureId: string): Promise<Buffer> {
  const picture = await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('person_picture as picture')
      .select('picture.bytes')
      .where('picture.id', '=', pictureId)
      .where((e) =>
        e.or([
          e('picture.person_id', '=', viewerId),
          e.exists(
            e
              .selectFrom('member as theirs')
              .innerJoin('member as mine', 'mine.org_id', 'theirs.org_id')
              .select('theirs.org_id')
              .whereRef('theirs.person_id', '=', 'picture.person_id')
              .where('mine.person_id', '=', viewerId)
              .where('theirs.removed_at', 'is', null)
              .where('mine.removed_at', 'is', null),
          ),
        ]),
      )
      .executeTakeFirst(),
  )
  if (!picture) throw fail('NOT_FOUND')
  return picture.bytes
}
