import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { insightsHashtags, MOST_HASHTAGS, HASHTAG_DAYS } from '#contract/analytics/hashtags.ts'
import { HASHTAG } from '#contract/analytics/filter.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { useChannels } from '../useChannels.ts'
import { HashtagPosts } from './HashtagPosts.tsx'
import { noHashtagText, usedText } from './hashtagWords.ts'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** Posts of others with a hashtag on Instagram, through one of its channels: both are in the address. */
export function HashtagSearch() {
  const ids = useProjectIds()
  const channels = [...useChannels(ids)].filter(([, { platformName }]) => platformName === 'instagram')
  const { hashtagChannelId, searchedHashtag } = route.useSearch()
  const channelId = channels.find(([id]) => id === hashtagChannelId)?.[0] ?? channels[0]?.[0]
  return (
    <Panel title="Hashtags on Instagram" className="gap-3!">
      <p className="text-sm text-pretty text-ink-muted">
        Public posts of everyone with a hashtag: the most popular ones, and those of the last 24 hours. Instagram lets
        each channel search for {MOST_HASHTAGS} different hashtags in {HASHTAG_DAYS} days, and doesn't tell who posted.
        Likes are missing where people hide them.
      </p>
      {channelId === undefined ? (
        <EmptyState title="No Instagram channel">
          Connect an Instagram channel through Facebook to search for hashtags.
        </EmptyState>
      ) : (
        <Search
          channelId={channelId}
          hashtag={searchedHashtag}
          options={channels.map(([value, { shownName }]) => ({ value, label: shownName }))}
        />
      )}
    </Panel>
  )
}

type Props = { channelId: string; hashtag: string | undefined; options: { value: string; label: string }[] }

function Search({ channelId, hashtag, options }: Props) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const navigate = route.useNavigate()
  const maySearch = useMay([['insights', 'create']]) !== 'no'
  const [text, setText] = useState(hashtag ?? '')
  const sought = hashtag !== undefined && HASHTAG.test(hashtag) ? hashtag : undefined
  const [wrong, setWrong] = useState(hashtag !== sought)
  // the address changed by itself, such as on the way back
  const [shownFor, setShownFor] = useState(hashtag)
  if (shownFor !== hashtag) {
    setShownFor(hashtag)
    setText(hashtag ?? '')
    setWrong(hashtag !== sought)
  }
  const result = useCall(
    insightsHashtags,
    { params: ids, query: { channelId, ...(sought !== undefined && { hashtag: sought }) } },
    { handles: true },
  )
  const { data, error, isPending } = result
  const go = (change: { hashtagChannelId?: string; searchedHashtag?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false })
  return (
    <>
      <form
        className="grid items-start gap-3 sm:grid-cols-[14rem_minmax(0,1fr)]"
        onSubmit={(event) => {
          event.preventDefault()
          const word = text.trim().replace(/^#/, '')
          if (HASHTAG.test(word)) go({ hashtagChannelId: channelId, searchedHashtag: word })
          else setWrong(true)
        }}
      >
        <Field label="Channel to search with">
          <Select
            value={channelId}
            options={options}
            onChange={(event) => go({ hashtagChannelId: event.target.value })}
          />
        </Field>
        {maySearch ? (
          <Field label="Hashtag" error={wrong ? 'A hashtag has only letters, numbers and underscores.' : undefined}>
            <div className="flex gap-2">
              <TextInput
                className="grow"
                value={text}
                placeholder="#coffee"
                maxLength={101}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => {
                  setText(event.target.value)
                  setWrong(false)
                }}
              />
              <Button type="submit" disabled={text.trim() === ''} loading={sought !== undefined && isPending}>
                Search
              </Button>
            </div>
          </Field>
        ) : (
          <CountedHashtags
            channelId={channelId}
            hashtag={sought}
            onChange={(word) => go({ hashtagChannelId: channelId, searchedHashtag: word })}
          />
        )}
      </form>
      <div aria-live="polite" className="grid gap-3">
        {sought !== undefined && isPending ? <SkeletonRows rows={4} /> : null}
        {error ? <Banner tone="bad" title={error.detail ?? "The search didn't work."} /> : null}
        {data?.why ? <Banner tone="wait" title={noHashtagText(data.why, { hashtag: sought ?? '' })} /> : null}
        {data ? <p className="tnum text-sm text-ink-muted">{usedText(data.used, zone)}</p> : null}
      </div>
      {data?.found ? (
        <div className="grid gap-5 lg:grid-cols-2">
          <HashtagPosts
            title={`Most popular with #${data.found.hashtag}`}
            list={data.found.top}
            none="Instagram shows no popular posts with it."
          />
          <HashtagPosts
            title="Of the last 24 hours"
            list={data.found.recent}
            none="Nobody posted with it in the last 24 hours, as far as Instagram shows."
          />
        </div>
      ) : null}
    </>
  )
}

type CountedProps = { channelId: string; hashtag: string | undefined; onChange: (hashtag: string) => void }

/** The hashtags that count already, which cost the channel nothing, for roles that can't use up more. */
function CountedHashtags({ channelId, hashtag, onChange }: CountedProps) {
  const ids = useProjectIds()
  const { data } = useCall(insightsHashtags, { params: ids, query: { channelId } }, { handles: true })
  const words = data?.used.hashtags.map((used) => used.hashtag) ?? []
  return (
    <Field label="Hashtag" hint={`Your role can show what this channel searched for in the last ${HASHTAG_DAYS} days.`}>
      <Select
        value={hashtag !== undefined && words.includes(hashtag.toLowerCase()) ? hashtag.toLowerCase() : ''}
        disabled={words.length === 0}
        placeholder={data && words.length === 0 ? 'None yet' : 'Choose a hashtag'}
        options={words.map((word) => ({ value: word, label: `#${word}` }))}
        onChange={(event) => {
          if (event.target.value !== '') onChange(event.target.value)
        }}
      />
    </Field>
  )
}
