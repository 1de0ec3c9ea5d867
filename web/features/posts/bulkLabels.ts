import type { PostRow } from '#contract/postLists.ts'

type Labeled = Pick<PostRow, 'postId' | 'labels'>
/** What is given and what is taken. */
export type LabelChange = { add: string[]; remove: string[] }

/** Whether all, some or none of the posts carry the label. */
export function carriedBy(posts: readonly Labeled[], labelId: string): 'all' | 'some' | 'none' {
  const carrying = posts.filter(({ labels }) => labels.some((label) => label.labelId === labelId)).length
  return carrying === 0 ? 'none' : carrying === posts.length ? 'all' : 'some'
}

/**
 * What takes a change of labels back: what each post got is taken and what it lost is given, those with the same change
 * together. Labels that a post carried before stay.
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
