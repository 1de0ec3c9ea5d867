/** Of all pictures of a document together, in bytes: what is beyond it is left out. */
const MOST = 24_000_000

/** The pictures of a document as files of its template; their names by their keys. What isn't JPEG or PNG is left out. */
export function picturesOf(
  pictures: ReadonlyMap<string, Uint8Array>,
  files: Record<string, Uint8Array>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  let sum = 0
  for (const [key, bytes] of pictures) {
    const type = typeOf(bytes)
    if (type === null || sum + bytes.byteLength > MOST) continue
    sum += bytes.byteLength
    const name = `/pictures/${names.size}.${type}`
    files[name] = bytes
    names.set(key, name)
  }
  return names
}

/** By their first bytes. */
const typeOf = ([a, b, c, d]: Uint8Array): 'jpg' | 'png' | null =>
  a === 0xff && b === 0xd8 && c === 0xff ? 'jpg' : a === 0x89 && b === 0x50 && c === 0x4e && d === 0x47 ? 'png' : null
