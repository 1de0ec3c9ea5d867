import type { CalendarPost } from '#contract/postLists.ts'
import { postStates } from '#contract/postStates.ts'
import { postStatusLook } from '#web/ui/postStatus.ts'

/** "2 published, 1 scheduled": the states of a day's posts, in the order of the states. */
export function figuresOf(posts: readonly Pick<CalendarPost, 'status'>[]): string {
  return postStates
    .map(
      (state) =>
        [posts.filter(({ status }) => status === state).length, postStatusLook[state].word.toLowerCase()] as const,
    )
    .filter(([many]) => many > 0)
    .map(([many, word]) => `${many} ${word}`)
    .join(', ')
}
