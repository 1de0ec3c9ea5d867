import { mediaErrors } from '#contract/checkMedia.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { limitsOf } from '../access/channels.ts'
import type { ProjectContext } from '../http/route.ts'
import { assetsById, type AssetRow } from '../media/access.ts'
import { copiesOf, type WantedCopy } from '../media/copies.ts'
import { mediaFactsOf } from '../media/facts.ts'
import type { MediaStore } from '../media/store.ts'
import type { PostRecord } from './access.ts'
import { platformOf, type Composed } from './checks.ts'
import type { Says } from './content.ts'
import { composedOf } from './updatePost.ts'

/**
 * The posts with a copy in place of each image that their channel only takes as another type or smaller: what is
 * approved and shown is what is sent. The copies are added to `assets`. Throws NeedsFirst while some have to be made.
 */
export async function withFittedFiles<P extends Composed>(
  c: ProjectContext,
  store: MediaStore,
  composed: readonly P[],
  assets: Map<string, AssetRow>,
): Promise<P[]> {
  const wanted = composed.flatMap((post) => wantedBy(post, assets))
  if (wanted.length === 0) return [...composed]
  const copies = await copiesOf(c, store, wanted)
  for (const copy of copies) assets.set(copy.id, copy)
  const copyAt = new Map(wanted.map(({ at }, i) => [at, copies[i]]))
  return composed.map((post) => ({
    ...post,
    contents: post.contents.map((content, i) => ({
      ...content,
      media: content.media.map((item, j) => ({
        ...item,
        assetId: copyAt.get(placeOf(post, i, j))?.id ?? item.assetId,
      })),
    })),
  }))
}

/** The same for what a post will say; unchanged for one without files. */
export async function withFittedSays(
  c: ProjectContext,
  store: MediaStore,
  post: PostRecord,
  says: Says,
): Promise<Says> {
  const ids = says.contents.flatMap(({ media }) => media.map(({ assetId }) => assetId))
  if (ids.length === 0) return says
  const [fitted] = await withFittedFiles(c, store, [await composedOf(c, post, says)], await assetsById(c, ids))
  return fitted ? { ...says, contents: fitted.contents } : says
}

const placeOf = ({ at }: Pick<Composed, 'at'>, i: number, j: number): string => `${at}contents.${i}.media.${j}`

function wantedBy(post: Composed, assets: ReadonlyMap<string, AssetRow>): WantedCopy[] {
  if (post.contents.every(({ media }) => media.length === 0)) return []
  const rules = rulesFor(platformOf(post.channel), post.postType, limitsOf(post.channel))
  if (!rules) return []
  return post.contents.flatMap(({ media }, i) =>
    media.flatMap(({ assetId }, j) => {
      const asset = assets.get(assetId)
      return asset?.state === 'ready' && mediaErrors(rules, mediaFactsOf(asset), '').some(({ fix }) => fix === 'fit')
        ? [{ asset, rules: rules.images, at: placeOf(post, i, j) }]
        : []
    }),
  )
}
