import { UPLOAD } from '#contract/media.ts'
import { probe, type Probed } from './probe.ts'

/**
 * A file as it can be uploaded, and its facts. A HEIC photo becomes a JPEG here, because only some systems can read it
 * and our server can't; without facts, this browser couldn't either. Throws for a file that can't be read at all.
 */
export async function readable(given: File): Promise<{ file: Blob; facts: Probed | undefined }> {
  const facts = await probe(given)
  if (facts.contentType !== 'image/heic') return { file: given, facts }
  const jpeg = await import('./shrink.ts')
    .then(({ shrink }) => shrink(given, UPLOAD.imageBytes))
    // its code didn't arrive
    .catch(() => undefined)
  return { file: jpeg ?? given, facts: jpeg && (await probe(jpeg)) }
}
