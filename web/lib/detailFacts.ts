import { disclosedAs } from '#contract/checkPost.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import type { DetailField, DetailRule } from '#contract/platforms/rules.ts'
import type { Post } from '#contract/posts.ts'

/** The names of a post's details wherever people see them. */
export const detailNames: Record<DetailField, string> = {
  link: 'Link',
  boardId: 'Board',
  playlistId: 'Playlist',
  categoryId: 'Category',
  privacy: 'Who can see it',
  madeForKids: 'Made for kids',
  peopleTags: 'Tagged people',
  placeId: 'Place',
  contentWarning: 'Content warning',
  callToAction: 'Button',
  offer: 'Offer',
  event: 'From and to',
  interactions: 'Who can interact',
  disclosure: 'Disclose commercial content',
  languages: 'Language',
}

export const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

export type DetailFact = { name: string; value: string }

/**
 * The post's chosen options besides text and files, in the composer's order and words, and the platform's label for it.
 * Leaves out what the preview shows (content warning, event, offer, button) and values that only the platform has names
 * for.
 */
export function detailFacts({
  channel,
  postType,
  additionalDetails,
}: Pick<Post, 'channel' | 'postType' | 'additionalDetails'>): DetailFact[] {
  const rules = channel ? rulesFor(channel.platformName, postType) : undefined
  if (!rules) return []
  const label = disclosedAs(rules, additionalDetails)
  const chosen = rules.details.flatMap((rule): DetailFact[] => {
    const value = valueOf(rule, additionalDetails)
    return value === undefined || value === '' ? [] : [{ name: detailNames[rule.field], value }]
  })
  const bio = additionalDetails.bioLink && { name: 'Link in bio', value: additionalDetails.bioLink.url }
  return [...chosen, ...(bio ? [bio] : []), ...(label === undefined ? [] : [{ name: 'Labeled as', value: label }])]
}

function valueOf({ field, options = [] }: DetailRule, details: AdditionalDetails): string | undefined {
  const labelOf = (chosen: string | undefined) => options.find(({ value }) => value === chosen)?.label
  switch (field) {
    case 'link':
      return details.link
    case 'privacy':
      return labelOf(details.privacy)
    case 'categoryId':
      return labelOf(details.categoryId)
    case 'madeForKids':
      return details.madeForKids === undefined ? undefined : details.madeForKids ? 'Yes' : 'No'
    case 'peopleTags':
      return details.peopleTags?.map(({ name }) => name).join(', ')
    case 'languages':
      return details.languages?.map((language) => languageNames.of(language) ?? language).join(', ')
    case 'callToAction':
      return details.callToAction?.url
    case 'interactions': {
      const { interactions } = details
      if (!interactions) return undefined
      const allowed = Object.entries(interactions).flatMap(([name, isAllowed]) => (isAllowed ? [labelOf(name)] : []))
      return allowed.filter((name) => name !== undefined).join(', ') || 'Nothing'
    }
    case 'boardId':
    case 'contentWarning':
    case 'disclosure':
    case 'event':
    case 'offer':
    case 'placeId':
    case 'playlistId':
    default:
      return undefined
  }
}
