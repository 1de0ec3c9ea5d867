import type { PostRow } from '#contract/postLists.ts'

type Labeled = Pick<PostRow, 'postId' | 'labels'>
/** What is added and removed. */
export type LabelChange = { add: string[]; remove: string[] }

/** Whether all, some or none of the posts have the label. */
export function carriedBy(posts: readonly Labeled[], labelId: string): 'all' | 'some' | 'none' {
  const carrying = posts.filter(({ labels }) => labels.some((label) => label.labelId === labelId)).length
  return carrying === 0 ? 'none' : carrying === posts.length ? 'all' : 'some'
}

/**
 * What undoes a change of labels: what each post got is removed and what it lost is added, those with the same change
 * together. Labels that a post had before stay.
 */
export function takingBack(
  posts: readonly Labeled[],
  { add, remove }: LabelChange,
): (LabelChange & { postIds: string[] })[] {
  const groups = new Map<string, LabelChange & { postIds: string[] }>()
  for (const { postId, labels } of posts) {
    const carried = new Set(labels.map(({ labelId }) => labelId))
    const back = { add: remove.filter((id) => carried.has(id)), remove: add.filter((id) => !carried.has(id)) }
    if (back.add.length + back.remove.length === 0) continue
    const key = JSON.stringify(back)
    const group = groups.get(key)
    if (group) group.postIds.push(postId)
    else groups.set(key, { ...back, postIds: [postId] })
  }
  return [...groups.values()]
}
