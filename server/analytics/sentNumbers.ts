import { sql, type RawBuilder } from 'kysely'

/*
 * Many numbers from the database: in the form that it sends arrays in, one after the other, which is read without a text, an object or an
 * array for each.
 */

/** Arrays of 8-byte numbers or instants in the form that `numbersInto` reads. */
export const sentTogether = (arrays: readonly RawBuilder<unknown>[]): RawBuilder<Buffer> =>
  sql<Buffer>`${sql.join(
    arrays.map((array) => sql`array_send(${array})`),
    sql` || `,
  )}`

const HEADER = 20
/**
 * Reads arrays of one length that were sent together, each into one of these, which are replaced if they're too short. NaN for null. A
 * number that none holds is rounded. Returns their length.
 */
export function numbersInto(columns: Float64Array[], all: Buffer): number {
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
  let length = 0
  let at = 0
  for (let nth = 0; nth < columns.length; nth += 1) {
    // dimensions, whether there are nulls, the type, and of the dimension its length and first index
    length = view.getInt32(at + 12)
    at += HEADER
    const known = columns[nth]
    const numbers = known && known.length >= length ? known : new Float64Array(2 * length)
    columns[nth] = numbers
    for (let i = 0; i < length; i += 1) {
      const isNull = view.getInt32(at) < 0
      numbers[i] = isNull ? Number.NaN : view.getInt32(at + 4) * 2 ** 32 + view.getUint32(at + 8)
      at += isNull ? 4 : 12
    }
  }
  return length
}
