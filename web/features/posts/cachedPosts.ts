import type { QueryClient } from '@tanstack/react-query'
import { listPosts, type PostRow } from '#contract/postLists.ts'
import { getPost, type Post } from '#contract/posts.ts'
import type { HeldPosts } from '#web/lib/keptPosts.ts'

/**
 * Changes one post wherever the cache has it, before the server has responded. Returns a function that only undoes this
 * post's change and leaves what arrived in between.
 */
export function showChanged(queries: QueryClient, postId: string, change: Partial<PostRow>): () => void {
  const before = new Map<string, PostRow>()
  const paint = (pick: (row: PostRow) => Partial<PostRow> | undefined) => {
    queries.setQueriesData<HeldPosts>({ queryKey: [listPosts.path] }, (list) => {
      if (!list?.posts.some((row) => row.postId === postId)) return list
      return { ...list, posts: list.posts.map((row) => (row.postId === postId ? { ...row, ...pick(row) } : row)) }
    })
    queries.setQueriesData<Post>({ queryKey: [getPost.path] }, (post) =>
      post?.postId === postId ? { ...post, ...pick(post) } : post,
    )
  }
  paint((row) => {
    before.set(postId, row)
    return change
  })
  const was = before.get(postId)
  if (!was) return () => undefined
  const back = Object.fromEntries(Object.keys(change).map((key) => [key, Reflect.get(was, key)]))
  return () => paint(() => back)
}
