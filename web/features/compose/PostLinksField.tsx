import Link2 from 'lucide-react/icons/link-2'
import { useEffect, useMemo, useState } from 'react'
import { listCampaigns } from '#contract/campaigns.ts'
import type { Channel } from '#contract/channels.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import { addressesOf, linkRules } from '#contract/links/apply.ts'
import { linkTagNames, TAG_MOST } from '#contract/links/details.ts'
import { campaignOf, chosenLinks, linkFactsOf, linkSettingOf, withLinkFacts } from '#contract/links/fill.ts'
import { shortAddress } from '#contract/links/shortCode.ts'
import { linkTarget } from '#contract/links/sentLinks.ts'
import { linkSettings, type LinkSetting, type LinkSettings } from '#contract/links/settings.ts'
import { LinkTags } from '#contract/links/tags.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { ResultingLink } from '#web/ui/ResultingLink.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import type { ProjectIds } from '#web/lib/project.ts'
import type { KnownLinks } from './checks.ts'
import { knownLinks } from './knownLinks.ts'

const none: LinkSetting = { tags: {}, shorten: false }
/** Up to this many channels, the links of all are shown. */
const OPEN = 2

/** What a channel's post contains that can have links, what was chosen for them, and the day it's due; null: today. */
type LinkedPost = {
  channel: Channel
  contents: readonly { text: string }[]
  firstComment: string
  details: AdditionalDetails
  day: string | null
  zone: string
}
type Change = Pick<AdditionalDetails, 'linkTags' | 'shorten'>
type Props = {
  ids: ProjectIds
  /** All channels, and the posts of those on screen. */
  channels: readonly Channel[]
  posts: readonly LinkedPost[]
  campaignIds: readonly string[]
  /** Campaigns of an edited post, which may be over. */
  campaigns: readonly { campaignId: string; name: string }[]
  /** The plan has campaigns. */
  hasCampaigns: boolean
  /** A published post gets no tags that it didn't have. */
  isKept: boolean
  onKnown: (links: KnownLinks | undefined) => void
  onChange: (channelId: string, change: Change) => void
}

/** What becomes of the links of the post, for each channel, and what this post does differently. */
export default function PostLinksField({ isKept, onKnown, ...props }: Props) {
  const { ids, channels } = props
  const settings = useCall(linkSettings, { params: ids }, { handles: true }).data
  const campaign = useCampaignName(props)
  const links = useMemo(
    () => (settings ? linksOf(isKept ? { ...settings, project: none, channels: [] } : settings, campaign) : undefined),
    [settings, campaign, isKept],
  )
  // the checks and counters read it: they're part of the composer's first load, and this isn't
  useEffect(() => {
    onKnown(links && knownLinks(channels, links.detailsOf))
  }, [onKnown, channels, links])
  useEffect(() => () => onKnown(undefined), [onKnown])
  return links ? <Section {...props} links={links} /> : null
}

/** What happens to a channel's links, by the settings and what was chosen for the post. */
type Links = {
  settings: LinkSettings
  settingOf: (channelId: string) => LinkSetting
  detailsOf: (channel: Channel, details: AdditionalDetails) => AdditionalDetails
}

function linksOf(settings: LinkSettings, campaign: string): Links {
  const { shortUrl, ownHosts } = settings
  const settingOf = (channelId: string) => linkSettingOf(settings, channelId)
  return {
    settings,
    settingOf,
    detailsOf: (channel, details) =>
      withLinkFacts(
        details,
        settingOf(channel.channelId),
        linkFactsOf({ handle: channel.handle, name: channel.channelName }, { campaign, shortUrl, ownHosts }),
      ),
  }
}

function useCampaignName({
  ids,
  campaignIds,
  campaigns,
  hasCampaigns,
}: Pick<Props, 'ids' | 'campaignIds' | 'campaigns' | 'hasCampaigns'>): string {
  const maySee = useMay([['campaign', 'view']]) === 'yes' && hasCampaigns
  const running = useCall(
    listCampaigns,
    { params: ids, query: { state: 'active', limit: 100 } },
    { enabled: maySee && campaignIds.length > 0, handles: true },
  ).data?.campaigns
  const known = [...(running ?? []), ...campaigns]
  return campaignOf(campaignIds.flatMap((id) => known.find(({ campaignId }) => campaignId === id)?.name ?? []))
}

type SectionProps = Pick<Props, 'ids' | 'posts' | 'onChange'> & { links: Links }

function Section({ links, ids, posts, onChange }: SectionProps) {
  const mayEdit = useMay([['channel', 'edit']]) === 'yes'
  const [unfolded, setUnfolded] = useState(false)
  const linked = posts.flatMap((post) => {
    const addresses = addressesOf(post, platformRules[post.channel.platformName])
    return addresses.length > 0 ? [{ post, addresses }] : []
  })
  if (linked.length === 0) return null
  const shown = unfolded || linked.length <= OPEN ? linked : linked.slice(0, OPEN)
  return (
    <section aria-label="Links" className="grid gap-3 rounded-lg border border-line bg-surface px-3.5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="flex items-center gap-2 font-semibold">
          <Link2 size={16} aria-hidden />
          Links
        </h2>
        <Link to="/$orgId/project/$projectId/channels/links" params={ids} className="text-sm">
          {mayEdit ? 'Link settings' : 'See link settings'}
        </Link>
      </div>
      <Choices links={links} posts={linked.map(({ post }) => post)} onChange={onChange} />
      <ul className="grid gap-3">
        {shown.map(({ post, addresses }) => (
          <li key={post.channel.channelId} className="grid gap-1.5">
            {posts.length > 1 ? (
              <span className="flex items-center gap-2 text-sm font-semibold">
                <PlatformIcon platform={post.channel.platformName} named size={14} />
                {post.channel.handle || post.channel.channelName}
              </span>
            ) : null}
            <Becomes post={post} addresses={addresses} details={links.detailsOf(post.channel, post.details)} />
          </li>
        ))}
      </ul>
      {shown.length < linked.length ? (
        <Button tone="quiet" size="s" className="justify-self-start" onClick={() => setUnfolded(true)}>
          Show all {linked.length} channels
        </Button>
      ) : null}
    </section>
  )
}

type BecomesProps = { post: LinkedPost; addresses: readonly string[]; details: AdditionalDetails }

/** Each link and the address that is published for it. */
function Becomes({ post: { channel, day, zone }, addresses, details }: BecomesProps) {
  const today = wallOf(useNow(), zone).day
  const rules = linkRules(details, channel.platformName, day ?? today)
  return (
    <ul className="grid gap-1.5">
      {addresses.map((address) => (
        <li key={address}>
          <ResultingLink
            address={address}
            target={rules && linkTarget(address, rules)}
            short={rules?.shorten ? shortAddress(details.linkFacts?.shortUrl ?? '', '…') : undefined}
          />
        </li>
      ))}
    </ul>
  )
}

/** What this post does differently from the settings. */
function Choices({ links, posts, onChange }: Pick<SectionProps, 'links' | 'posts' | 'onChange'>) {
  const chosen = posts.map(({ channel: { channelId }, details }) => {
    const setting = links.settingOf(channelId)
    return { channelId, setting, now: chosenLinks(details, setting) }
  })
  const tagged = chosen.filter(({ now }) => now.tags)
  const shortened = chosen.filter(({ now }) => now.shorten)
  const taggable = chosen.filter(({ setting, now }) => now.tags ?? linkTagNames.some((name) => setting.tags[name]))
  const campaigns = [...new Set(tagged.map(({ now }) => now.tags?.utm_campaign ?? ''))]
  const problem = campaigns.flatMap(
    (text) => LinkTags.shape.utm_campaign.safeParse(text).error?.issues[0]?.message ?? [],
  )[0]
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="grid content-start gap-2">
        {taggable.length > 0 ? (
          <Checkbox
            label="UTM tags"
            checked={tagged.length === taggable.length}
            mixed={tagged.length > 0 && tagged.length < taggable.length}
            onChange={({ target }) => {
              for (const { channelId } of taggable) onChange(channelId, { linkTags: target.checked ? undefined : null })
            }}
          />
        ) : null}
        <Checkbox
          label="Short links"
          checked={shortened.length === chosen.length}
          mixed={shortened.length > 0 && shortened.length < chosen.length}
          onChange={({ target }) => {
            for (const { channelId, setting } of chosen)
              onChange(channelId, { shorten: target.checked === setting.shorten ? undefined : target.checked })
          }}
        />
      </div>
      {tagged.length > 0 ? (
        <Field label="Campaign tag of this post" optional error={problem}>
          <TextInput
            value={campaigns.length === 1 ? (campaigns[0] ?? '') : ''}
            placeholder={campaigns.length > 1 ? 'Differs by channel' : ''}
            maxLength={TAG_MOST}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => {
              for (const { channelId, setting, now } of tagged) {
                const { utm_campaign: _before, ...others } = now.tags ?? {}
                const linkTags = target.value === '' ? others : { ...others, utm_campaign: target.value }
                onChange(channelId, { linkTags: isSame(linkTags, setting.tags) ? undefined : linkTags })
              }
            }}
          />
        </Field>
      ) : null}
    </div>
  )
}

const isSame = (one: LinkTags, other: LinkTags): boolean =>
  linkTagNames.every((name) => (one[name] ?? '') === (other[name] ?? ''))
