import { open, type FileHandle } from 'node:fs/promises'

/** An element of a WebM (RFC 8794): `start` is where its ID begins, `body` where its content does. */
type Element = { id: number; start: number; body: number; end: number }

const [SEGMENT, CLUSTER, VOID, CRC] = [0x18538067, 0x1f43b675, 0xec, 0xbf]
const [SEEK_HEAD, SEEK, SEEK_ID] = [0x114d9b74, 0x4dbb, 0x53ab]
const [INFO, DATE, TITLE] = [0x1549a966, 0x4461, 0x7ba9]
/** Where it was filmed, with what and by whom, and files that belong to it (RFC 9559, 5.1.6 and 5.1.8). */
const DESCRIBES = [0x1254c367, 0x1941a469]
/** More are of a crafted file; a video of twelve hours has fewer clusters. */
const MOST_ELEMENTS = 200_000

/**
 * Removes what describes a WebM, in the file itself: tags, attachments, its title and date become empty elements of the
 * same size, so that every other byte stays where it is. A recording whose parts have no length is only looked through
 * up to its first frames. Returns whether anything was changed.
 */
export async function blankWebm(path: string): Promise<boolean> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const left = { elements: MOST_ELEMENTS }
    let changed = false
    for await (const element of elements(file, 0, size, left)) {
      if (element.id !== SEGMENT) continue
      for await (const part of elements(file, element.body, element.end, left))
        changed = (await blankPart(file, part, left)) || changed
    }
    return changed
  } finally {
    await file.close()
  }
}

async function blankPart(file: FileHandle, part: Element, left: { elements: number }): Promise<boolean> {
  if (DESCRIBES.includes(part.id)) return await empty(file, part)
  if (part.id !== INFO && part.id !== SEEK_HEAD) return false
  let changed = false
  const sums: Element[] = []
  for await (const one of elements(file, part.body, part.end, left)) {
    if (one.id === CRC) sums.push(one)
    const describes = part.id === INFO ? one.id === DATE || one.id === TITLE : await leadsThere(file, one, left)
    if (describes) changed = (await empty(file, one)) || changed
  }
  // it would no longer be right
  if (changed) for (const sum of sums) await empty(file, sum)
  return changed
}

/** Whether an entry of the index says where a removed element is. */
async function leadsThere(file: FileHandle, entry: Element, left: { elements: number }): Promise<boolean> {
  if (entry.id !== SEEK) return false
  for await (const { id, body, end } of elements(file, entry.body, entry.end, left))
    if (id === SEEK_ID && end - body === 4) {
      const { buffer } = await file.read(Buffer.alloc(4), 0, 4, body)
      return DESCRIBES.includes(buffer.readUInt32BE(0))
    }
  return false
}

/** The elements between two places, up to one that is damaged or has no length, unless that is the whole. */
async function* elements(
  file: FileHandle,
  from: number,
  to: number,
  left: { elements: number },
): AsyncGenerator<Element> {
  for (let at = from; at < to && left.elements > 0; left.elements -= 1) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, at)
    const element = elementIn(buffer.subarray(0, bytesRead), at, to)
    if (!element) return
    yield element
    at = element.end
  }
}

function elementIn(head: Buffer, start: number, to: number): Element | undefined {
  const idLength = lengthOf(head[0], 4)
  const sizeLength = idLength && lengthOf(head[idLength], 8)
  if (!idLength || !sizeLength || head.length < idLength + sizeLength) return undefined
  const id = head.readUIntBE(0, idLength)
  const body = start + idLength + sizeLength
  const bytes = head.subarray(idLength, idLength + sizeLength)
  // all ones: it ends where the next one of its kind begins, which only the segment's own end says
  const isOpen = bytes.every((byte, i) => byte === (i === 0 ? 0xff >> (sizeLength - 1) : 0xff))
  if (isOpen) return id === CLUSTER ? undefined : { id, start, body, end: to }
  let length = (bytes[0] ?? 0) & (0xff >> sizeLength)
  for (const byte of bytes.subarray(1)) length = length * 256 + byte
  return body + length <= to ? { id, start, body, end: body + length } : undefined
}

/** How many bytes a number has, by the zeros before its first one. */
function lengthOf(first: number | undefined, most: number): number | undefined {
  const length = first === undefined ? 9 : Math.clz32(first) - 23
  return length <= most ? length : undefined
}

async function empty(file: FileHandle, { id, start, end }: Element): Promise<boolean> {
  if (id === VOID) return false
  const whole = end - start
  const head = whole < 129 ? Buffer.from([VOID, 0x80 | (whole - 2)]) : Buffer.alloc(9)
  if (whole >= 129) {
    head[0] = VOID
    head.writeUInt16BE(0x0100, 1)
    head.writeUIntBE(whole - 9, 3, 6)
  }
  await file.write(head, 0, head.length, start)
  const zeros = Buffer.alloc(64 * 1024)
  for (let at = start + head.length; at < end; at += zeros.length)
    await file.write(zeros, 0, Math.min(zeros.length, end - at), at)
  return true
}
