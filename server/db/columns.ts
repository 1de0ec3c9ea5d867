import { types, type CustomTypesConfig } from 'pg'

const OID = { int8: 20, int8Array: 1016, date: 1082, dateArray: 1182, timestamp: 1114, timestampArray: 1115 } as const

/**
 * Reads an int8 as a number. Counts, sizes and sequences all fit; a larger one would be silently rounded, so it throws
 * a RangeError instead.
 */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a number`)
  return value
}

const TEXT_ARRAY = 1009
// pg's list of type ids leaves the array types out, its registry has them
const parseTextArray = types.getTypeParser(TEXT_ARRAY as number, 'text')

function parseInt8Array(text: string): (number | null)[] {
  // the parser of text[] returns strings and nulls, one level deep for the arrays that we use
  const items = parseTextArray(text) as (string | null)[]
  return items.map((item) => (item === null ? null : parseInt8(item)))
}

const same = (text: string): string => text

const ours = new Map<number, (text: string) => unknown>([
  [OID.int8, parseInt8],
  [OID.int8Array, parseInt8Array],
  // calendar dates and local times have no zone: a Date would move them by this machine's zone
  [OID.date, same],
  [OID.timestamp, same],
  [OID.dateArray, parseTextArray],
  [OID.timestampArray, parseTextArray],
])

/**
 * How columns become values: int8 a number (RangeError when unsafe), timestamptz a Date, date and timestamp their text
 * (for Temporal.PlainDate and PlainDateTime), numeric its text, json parsed, bytea a Buffer, the rest as node-postgres
 * reads them.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && ours.get(oid)) || types.getTypeParser(oid, format),
}
