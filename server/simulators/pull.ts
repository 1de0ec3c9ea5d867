/** The file at a URL: counted, not stored. */
export type Pulled = { bytes: number; contentType: string }

export type Fetcher = (url: string) => Promise<Response>

export type Surroundings = {
  /** Fetches files from URLs. */
  pull: Fetcher
}

/**
 * Fetches a file as a platform would: from any reachable URL, with an accepted type and size. Returns why not, as text.
 */
export async function pull(
  fetcher: Fetcher,
  url: string,
  takes: { types: readonly string[]; bytes: number },
): Promise<Pulled | string> {
  const answer = await fetcher(url).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  if (typeof answer === 'string') return `cannot be fetched: ${answer}`
  if (!answer.ok) return `answers ${answer.status}`
  const contentType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
  if (!takes.types.includes(contentType)) return `is ${contentType || 'of no type'}, not ${takes.types.join(' or ')}`
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > takes.bytes) return `is larger than ${takes.bytes} bytes`
  }
  return bytes === 0 ? 'is empty' : { bytes, contentType }
}
