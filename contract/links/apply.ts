import type { AdditionalDetails } from '../content.ts'
import { linkPlaces, withLinks, type LinkFinder } from './linkPlaces.ts'
import { linkTarget, type LinkRules } from './sentLinks.ts'
import { shortAddress, someShortCode } from './shortCode.ts'
import { sentTags } from './tags.ts'

/** A post's texts and details with the links that are sent. */
export type SentLinks = {
  text: (text: string) => string
  details: (details: AdditionalDetails) => AdditionalDetails
}

/** The content of a post that may contain links. */
export type WithLinks = {
  contents: readonly { text: string }[]
  firstComment?: string | null | undefined
  details: AdditionalDetails
}

/** Days have the same length, so any will do where only lengths matter. */
const someDay = '2026-01-01'

/** What happens to a post's links by what is stored with it; undefined if nothing does. `date`: the day it's due. */
export function linkRules(
  { linkTags, shorten = false, linkFacts }: AdditionalDetails,
  platform: string,
  date: string,
): LinkRules | undefined {
  if (!linkFacts) return undefined
  const { channel, campaign, ownHosts } = linkFacts
  const tags = sentTags(linkTags, { platform, channel, campaign, date })
  return tags.length > 0 || shorten ? { tags, shorten, ownHosts } : undefined
}

/** How each link of a post is sent: as it is, tagged, or as the short link of where it leads, which `shortOf` knows. */
export function sentLinks(rules: LinkRules, finder: LinkFinder, shortOf: (target: string) => string): SentLinks {
  const of = (address: string) => {
    const target = linkTarget(address, rules)
    return target !== undefined && rules.shorten ? shortOf(target) : target
  }
  return { text: (text) => withLinks(text, finder, of), details: (details) => sentDetails(details, of) }
}

/** Where the links of a post lead that are shortened, each once. */
export function shortenedTargets(post: WithLinks, rules: LinkRules, finder: LinkFinder, someShort: string): string[] {
  if (!rules.shorten) return []
  const targets = new Set<string>()
  const links = sentLinks(rules, finder, (target) => {
    targets.add(target)
    return someShort
  })
  for (const { text } of post.contents) links.text(text.trim())
  links.text(post.firstComment?.trim() ?? '')
  links.details(post.details)
  return [...targets]
}

function sentDetails(details: AdditionalDetails, of: (address: string) => string | undefined): AdditionalDetails {
  const { linkCard, link, callToAction, offer } = details
  const address = (written: string) => of(written) ?? written
  return {
    ...details,
    ...(linkCard && { linkCard: { ...linkCard, uri: address(linkCard.uri) } }),
    ...(link && { link: address(link) }),
    ...(callToAction?.url !== undefined && { callToAction: { ...callToAction, url: address(callToAction.url) } }),
    ...(offer?.redeemUrl !== undefined && { offer: { ...offer, redeemUrl: address(offer.redeemUrl) } }),
  }
}

/** The links of a post, each once: of its texts, and in its details. */
export function addressesOf({ contents, firstComment, details }: WithLinks, finder: LinkFinder): string[] {
  const texts = [...contents.map(({ text }) => text), firstComment ?? '']
  const found = texts.flatMap((text) => linkPlaces(text, finder).map(({ start, end }) => text.slice(start, end)))
  sentDetails(details, (address) => void found.push(address))
  return [...new Set(found)]
}

/** Whether a post has any link, in a text or in its details. */
export const hasLinks = (post: WithLinks, finder: LinkFinder): boolean => addressesOf(post, finder).length > 0

/**
 * The same for counting and previews: no code is known yet, but all are as long. Undefined if nothing happens to the
 * links.
 */
export function countedLinks(details: AdditionalDetails, platform: string, finder: LinkFinder): SentLinks | undefined {
  const rules = linkRules(details, platform, someDay)
  const { linkFacts } = details
  return rules && linkFacts && sentLinks(rules, finder, () => shortAddress(linkFacts.shortUrl, someShortCode))
}
