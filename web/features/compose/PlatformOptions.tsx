import type { Channel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { LookupKind, PostType } from '#contract/platforms/rules.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { isAccountBound, isMixed } from './alike.ts'
import { postTypeFor, rulesOf } from './checks.ts'
import { useCheckResults, useComposer, useComposerState, useFileFacts } from './ComposerContext.ts'
import { Consent } from './Consent.tsx'
import { DetailField } from './DetailField.tsx'
import { itemsFor, type Details, type Doc, type Variant } from './doc.ts'
import { useLookupAccount } from './useLookup.ts'

type Props = {
  /** The channels of one platform whose options are shown; they're set together. */
  group: readonly Channel[]
  /** Optional ones are behind "More options". */
  folds: boolean
  isUnfolded: boolean
  onFold: () => void
}

/** One platform's options. */
export function PlatformOptions({ group, folds, isUnfolded, onFold }: Props) {
  const { store, edited } = useComposer()
  const { errors } = useCheckResults()
  const variants = useComposerState(({ doc }) => doc.variants)
  const pictured = usePictured(group)
  const zone = useComposerState(({ doc }) => doc.plan.when.zone)
  const today = wallOf(useNow(), zone).day
  const [first] = group
  if (!first) return null
  const { label, posts } = platformRules[first.platformName]
  const detailsOf = ({ channelId }: Channel) => variants[channelId]?.details
  const kinds = new Set(group.map((channel) => postTypeFor(channel, variants[channel.channelId]?.postType)))
  const kind = kinds.size === 1 ? [...kinds][0] : undefined
  const rules = kind === undefined ? undefined : rulesOf(first, kind)
  const fields = rules?.details ?? []
  // the platform says what the account may choose, and requires showing the account
  const asked = fields.find(({ narrowedBy }) => narrowedBy !== undefined)?.narrowedBy
  // an edited post keeps its type
  const choosesKind = posts.length > 1 && !edited
  if (!choosesKind && fields.length === 0) return null
  const errorOf = (field: string, of = group) =>
    errors
      .flatMap(({ channel, errors: list }) => (of.some(({ channelId }) => channelId === channel.channelId) ? list : []))
      .find((error) => `${error.field}.`.startsWith(`additionalDetails.${field}.`))?.message
  const change = (channelId: string, to: Pick<Variant, 'postType'> | { details: Details | undefined }) =>
    store.dispatch({ type: 'versionChanged', channelId, change: to })
  const setDetails = (part: Details, of: readonly Channel[]) => {
    for (const channel of of) {
      const entries = Object.entries({ ...detailsOf(channel), ...part }).filter(([, value]) => value !== undefined)
      change(channel.channelId, { details: entries.length > 0 ? Object.fromEntries(entries) : undefined })
    }
  }
  const isSet = (field: string) => group.some((channel) => Object.hasOwn(detailsOf(channel) ?? {}, field))
  const spared = folds
    ? fields.filter(
        ({ field, required, preset }) => (!required || preset !== undefined) && !isSet(field) && !errorOf(field),
      )
    : []
  const shown = isUnfolded ? fields : fields.filter((rule) => !spared.includes(rule))
  return (
    <section
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
            onClick={onFold}
          >
            {isUnfolded ? 'Fewer options' : 'More options'}
          </Button>
        ) : null}
        {choosesKind ? (
          <Segmented<PostType | ''>
            label={`Post type for ${label}`}
            options={posts.map((post) => ({ value: post.postType, label: post.label }))}
            // several channels may differ: then none is pressed
            value={kind ?? ''}
            onChange={(postType) => {
              if (postType === '') return
              for (const { channelId } of group) change(channelId, { postType })
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
            // what belongs to an account is set for each, and if they differ, one value would be wrong for the others
            const apart = isAccountBound(rule) || isMixed(rule, group.map(detailsOf))
            return (apart ? group : [first]).map((channel) => (
              <DetailField
                key={`${rule.field} ${channel.channelId}`}
                channelId={channel.channelId}
                pictured={pictured.includes(channel.channelId)}
                of={apart && group.length > 1 ? channel.channelName : undefined}
                rule={rule}
                details={detailsOf(channel) ?? {}}
                error={errorOf(rule.field, apart ? [channel] : group)}
                onChange={(change) => setDetails(change, apart ? [channel] : group)}
                today={today}
              />
            ))
          })}
        </div>
      ) : null}
      {rules ? (
        <Consent platform={label} rules={rules} details={group.map((channel) => detailsOf(channel) ?? {})} />
      ) : null}
    </section>
  )
}

/** The channels whose post has images and no video. */
function usePictured(group: readonly Channel[]): readonly string[] {
  const factsOf = useFileFacts()
  const isPictured = (doc: Doc) => (channel: Channel) => {
    const types = itemsFor(doc, channel.channelId).flatMap(({ media }) =>
      media.flatMap((key) => factsOf(key)?.contentType ?? []),
    )
    return types.length > 0 && !types.some((type) => type.startsWith('video/'))
  }
  return useComposerState(({ doc }) =>
    group
      .filter(isPictured(doc))
      .map(({ channelId }) => channelId)
      .join(' '),
  ).split(' ')
}

/** The account that publishes the post, as the platform shows it; nothing while that isn't known. */
function PostingAs({ channelId, kind }: { channelId: string; kind: LookupKind }) {
  const account = useLookupAccount(channelId, kind)
  if (!account) return null
  return (
    <p className="flex items-center gap-2 text-sm">
      <Avatar name={account.name} src={account.pictureUrl} size={24} />
      <span>
        Posting as <strong>{account.name}</strong>
      </span>
    </p>
  )
}
