/** A reader's position among the events: the transaction and the row after which it continues. In the API `xid-id`. */
export type Cursor = { xid: bigint; id: bigint }

const pattern = /^(\d{1,20})-(\d{1,19})$/

/** The cursor as browsers store it and send it back. */
export const writeCursor = ({ xid, id }: Cursor) => `${xid}-${id}`

/** Undefined for anything that isn't a cursor of ours. */
export function readCursor(text: string): Cursor | undefined {
  const [, xid, id] = pattern.exec(text) ?? []
  if (xid === undefined || id === undefined) return undefined
  const cursor = { xid: BigInt(xid), id: BigInt(id) }
  return cursor.xid < 2n ** 63n && cursor.id < 2n ** 63n ? cursor : undefined
}
