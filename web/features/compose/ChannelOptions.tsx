import { memo, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { isAccountBound, isMixed } from './alike.ts'
import { postTypeFor, rulesOf } from './checks.ts'
import { Consent } from './Consent.tsx'
import { DetailField } from './DetailField.tsx'
import type { Details, Doc, Variant } from './doc.ts'
import { PostingAs } from './PostingAs.tsx'

type Props = {
  variants: Doc['variants']
  /** Those whose options are shown; channels of one platform are set together. */
  channels: readonly Channel[]
  /** What is wrong with the details. */
  errors: readonly { channelId: string; field: string; message: string }[]
  today: string
  /** Channels whose post holds pictures and no video. */
  pictured: ReadonlySet<string>
  /** The kind of a post that is edited stays as it is. */
  locked: boolean
  onVariant: (
    channelId: string,
    change: Pick<Partial<Variant>, 'postType' | 'details'> | { details: undefined },
  ) => void
}

/** Of so many platforms that have options all of them are open. */
const OPEN = 3

/** What only some platforms ask for: the kind of post, who sees it, where it belongs. Nothing is shown that no chosen channel takes, and of many platforms only what they need. */
export const ChannelOptions = memo(function ChannelOptions({
  variants,
  channels,
  errors,
  today,
  pictured,
  locked,
  onVariant,
}: Props) {
  const groups = Object.values(Object.groupBy(channels, (channel) => channel.platformName)).flatMap((group) =>
    group?.[0] ? [{ first: group[0], group }] : [],
  )
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const asking = groups.filter(
    ({ first, group }) =>
      platformRules[first.platformName].posts.length > 1 ||
      group.some((channel) => (rulesOf(channel, variants[channel.channelId]?.postType)?.details.length ?? 0) > 0),
  )
  return groups.map(({ first, group }) => {
    const { label, posts } = platformRules[first.platformName]
    const kinds = new Set(group.map((channel) => postTypeFor(channel, variants[channel.channelId]?.postType)))
    const kind = kinds.size === 1 ? [...kinds][0] : undefined
    const rules = kind === undefined ? undefined : rulesOf(first, kind)
    const fields = rules?.details ?? []
    // the platform says what the account may choose, and wants the account shown beside it
    const asked = fields.find(({ narrowedBy }) => narrowedBy !== undefined)?.narrowedBy
    const choosesKind = posts.length > 1 && !locked
    if (!choosesKind && fields.length === 0) return null
    const errorOf = (field: string, of = group) =>
      errors.find(
        (error) =>
          of.some(({ channelId }) => channelId === error.channelId) &&
          `${error.field}.`.startsWith(`additionalDetails.${field}.`),
      )?.message
    const setDetails = (change: Details, of: readonly Channel[]) => {
      for (const { channelId } of of) {
        const entries = Object.entries({ ...variants[channelId]?.details, ...change }).filter(
          ([, value]) => value !== undefined,
        )
        onVariant(channelId, { details: entries.length > 0 ? Object.fromEntries(entries) : undefined })
      }
    }
    const isSet = (field: string) =>
      group.some(({ channelId }) => Object.hasOwn(variants[channelId]?.details ?? {}, field))
    const spared =
      asking.length > OPEN
        ? fields.filter(
            ({ field, required, preset }) => (!required || preset !== undefined) && !isSet(field) && !errorOf(field),
          )
        : []
    const isUnfolded = unfolded.has(first.platformName)
    const shown = isUnfolded ? fields : fields.filter((rule) => !spared.includes(rule))
    return (
      <section
        key={first.platformName}
        aria-label={`Options for ${label}`}
        className="grid gap-3 rounded-lg border border-line bg-surface px-3.5 py-3"
      >
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="flex items-center gap-2 font-semibold">
            <PlatformIcon platform={first.platformName} size={18} named />
            {label}
            {group.length > 1 ? (
              <span className="text-sm font-normal text-ink-muted">{group.length} channels</span>
            ) : null}
          </h2>
          {spared.length > 0 ? (
            <Button
              tone="quiet"
              size="s"
              className="ml-auto"
              aria-label={`${isUnfolded ? 'Fewer' : 'More'} options for ${label}`}
              onClick={() =>
                setUnfolded(
                  new Set(
                    isUnfolded
                      ? [...unfolded].filter((one) => one !== first.platformName)
                      : [...unfolded, first.platformName],
                  ),
                )
              }
            >
              {isUnfolded ? 'Fewer options' : 'More options'}
            </Button>
          ) : null}
          {choosesKind ? (
            <Segmented<PostType | ''>
              label={`Post type for ${label}`}
              options={posts.map((post) => ({ value: post.postType, label: post.label }))}
              // several channels may differ: none is pressed then
              value={kind ?? ''}
              onChange={(postType) => {
                if (postType === '') return
                for (const { channelId } of group) onVariant(channelId, { postType })
              }}
            />
          ) : null}
        </div>
        {kind === undefined ? (
          <p className="text-sm text-ink-muted">
            These channels use different post types. Open one of them to set its details.
          </p>
        ) : null}
        {asked ? group.map(({ channelId }) => <PostingAs key={channelId} channelId={channelId} kind={asked} />) : null}
        {shown.length > 0 ? (
          <div className="grid gap-3 sm:grid-cols-2">
            {shown.flatMap((rule) => {
              // what belongs to an account is set for each of them, and where they differ one value would say something wrong of the others
              const apart =
                isAccountBound(rule) ||
                isMixed(
                  rule,
                  group.map(({ channelId }) => variants[channelId]?.details),
                )
              return (apart ? group : [first]).map((channel) => (
                <DetailField
                  key={`${rule.field} ${channel.channelId}`}
                  channelId={channel.channelId}
                  pictured={pictured.has(channel.channelId)}
                  of={apart && group.length > 1 ? channel.channelName : undefined}
                  rule={rule}
                  details={variants[channel.channelId]?.details ?? {}}
                  error={errorOf(rule.field, apart ? [channel] : group)}
                  onChange={(change) => setDetails(change, apart ? [channel] : group)}
                  today={today}
                />
              ))
            })}
          </div>
        ) : null}
        {rules ? (
          <Consent
            platform={label}
            rules={rules}
            details={group.map(({ channelId }) => variants[channelId]?.details ?? {})}
          />
        ) : null}
      </section>
    )
  })
})
