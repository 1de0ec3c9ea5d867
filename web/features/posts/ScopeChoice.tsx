import type { PostRow } from '#contract/postLists.ts'
import type { Scope } from '#contract/posts.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

type Props = {
  post: Pick<PostRow, 'series'>
  value: Scope
  onChange: (scope: Scope) => void
  /** What the change means for the others. */ hint?: string
  className?: string
}

/** Which posts of its series a change applies to. */
export function ScopeChoice({ post, value, onChange, hint, className }: Props) {
  const { index = 0, count = 1 } = post.series ?? {}
  return (
    <div className={className}>
      <RadioGroup
        label={`Post ${index + 1} of ${count} of a series. Change`}
        value={value}
        onChange={onChange}
        choices={[
          { value: 'this', label: 'This post' },
          { value: 'following', label: 'This and later posts' },
          { value: 'all', label: 'All posts in the series' },
        ]}
      />
      {hint && value !== 'this' ? <p className="mt-2 text-sm text-ink-muted">{hint}</p> : null}
    </div>
  )
}
