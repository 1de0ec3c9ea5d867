import { scopes, type Post } from '#contract/posts.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Select } from '#web/ui/Select.tsx'
import { useComposer, useComposerState } from './ComposerContext.ts'

type Props = { series: Pick<NonNullable<Post['series']>, 'count' | 'index'>; isLocked: boolean }

/** For a post in a series: which of its posts change. */
export function SeriesScope({ series: { count, index }, isLocked }: Props) {
  const { store } = useComposer()
  const { scope, overwrite } = useComposerState(({ sending }) => sending.series)
  return (
    <>
      <Select
        aria-label="Posts in the series"
        disabled={isLocked}
        value={scope}
        onChange={({ target }) =>
          store.dispatch({
            type: 'seriesScopeChosen',
            series: { scope: scopes.find((one) => one === target.value) ?? 'this' },
          })
        }
        options={[
          { value: 'this', label: 'This post' },
          { value: 'following', label: `This and following posts (${count - index})` },
          { value: 'all', label: `All posts in the series (${count})` },
        ]}
        className="w-56"
      />
      {scope === 'this' ? null : (
        <Checkbox
          label="Include posts that were edited separately"
          disabled={isLocked}
          checked={overwrite}
          onChange={({ target }) =>
            store.dispatch({ type: 'seriesScopeChosen', series: { overwrite: target.checked } })
          }
        />
      )}
    </>
  )
}
