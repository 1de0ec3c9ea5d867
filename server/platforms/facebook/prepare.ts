import type { Publish } from '../platform.ts'
import { shapeOf, withSecret } from './client.ts'
import { Prepared } from './schemas.ts'
import { uploadInOneStream, uploadInPieces, uploadPhoto } from './upload.ts'

/** After how many pictures progress is stored. */
const STORED_EVERY = 5

export const needsPrepare: Publish['needsPrepare'] = ({ contents }) => (contents[0]?.media.length ?? 0) > 0

/** Uploads what the post shows. Nobody sees any of it before the post is sent. */
export const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  const files = post.contents[0]?.media ?? []
  const [first] = files
  const saved = Prepared.parse(post.progress)
  if (!first) return { kind: 'prepared', progress: post.progress }
  const shape = shapeOf(post)
  const bench = { reach, secret: own, file: first, saved, progress: post.progress }
  if (shape === 'video') return await uploadInPieces(bench)
  if (shape === 'reel' || shape === 'videoStory') return await uploadInOneStream(bench, shape)
  const photos = [...saved.photos]
  for (const file of files.slice(photos.length, photos.length + STORED_EVERY)) {
    const uploaded = await uploadPhoto(reach, own, file)
    if (uploaded.kind !== 'photo') return uploaded
    photos.push(uploaded.id)
  }
  const progress = { ...post.progress, ...saved, photos }
  return photos.length < files.length
    ? { kind: 'preparing', progress, checkAfterSeconds: 0 }
    : { kind: 'prepared', progress }
})
