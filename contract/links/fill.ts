import type { AdditionalDetails } from '../content.ts'
import { linkTagNames, type LinkFacts } from './details.ts'
import type { LinkSetting, LinkSettings } from './settings.ts'
import { hasPlaceholder } from './tags.ts'

type OnChannel = { handle: string; name: string }
type Choice = { tags: LinkSetting['tags'] | null; shorten: boolean }

/** What a post does with its links: what was chosen for it, otherwise what applies to its channel. Null: no tags. */
export function chosenLinks(details: AdditionalDetails, setting: LinkSetting): Choice {
  const tags = details.linkTags === undefined ? setting.tags : details.linkTags
  const hasTags = tags !== null && linkTagNames.some((name) => Boolean(tags[name]))
  return { tags: hasTags ? tags : null, shorten: details.shorten ?? setting.shorten }
}

/** Whether the campaign's name is part of what happens to links. */
export const namesCampaign = (details: AdditionalDetails, setting: LinkSetting): boolean =>
  hasPlaceholder(chosenLinks(details, setting).tags, 'campaign')

/** What stands for the placeholders of a channel's posts, and where short links are. */
export function linkFactsOf(
  { handle, name }: OnChannel,
  { campaign, shortUrl, ownHosts }: Omit<LinkFacts, 'channel'>,
): LinkFacts {
  return { channel: handle.replace(/^@/, '') || name, campaign, shortUrl, ownHosts }
}

/** Details with what happens to links; without it if nothing does. */
export function withLinkFacts(
  { linkFacts: _old, ...details }: AdditionalDetails,
  setting: LinkSetting,
  facts: LinkFacts,
): AdditionalDetails {
  const { tags, shorten } = chosenLinks(details, setting)
  return tags || shorten ? { ...details, linkTags: tags, shorten, linkFacts: facts } : details
}

/** What applies to a channel: its own settings, otherwise the project's. */
export const linkSettingOf = (
  { project, channels }: Pick<LinkSettings, 'project' | 'channels'>,
  channelId: string,
): LinkSetting => channels.find((one) => one.channelId === channelId) ?? project

/** Of a post in several campaigns, the one whose name stands for `{campaign}`: the first by name; empty for none. */
export const campaignOf = (names: readonly string[]): string =>
  names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))[0] ?? ''
