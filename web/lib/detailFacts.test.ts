import { expect, it } from 'vitest'
import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import type { Post } from '#contract/posts.ts'
import { detailFacts } from './detailFacts.ts'

const facts = (platformName: PlatformKey, postType: PostType, additionalDetails: AdditionalDetails) => {
  // of the channel, the platform is all that counts here
  const channel = { platformName } as Post['channel']
  return detailFacts({ channel, postType, additionalDetails }).map(({ name, value }) => `${name}: ${value}`)
}

it('names the label that TikTok puts on a post, who sees it and what others can do', () => {
  const disclosure = { yourBrand: true, brandedContent: true }
  const interactions = { comment: true, duet: false, stitch: true }
  expect(facts('tiktok', 'post', { privacy: 'PUBLIC_TO_EVERYONE', disclosure, interactions })).toEqual([
    'Who can see it: Everyone',
    'Who can interact: Comment, Stitch',
    'Labeled as: Paid partnership',
  ])
  expect(facts('tiktok', 'post', { interactions: { comment: false, duet: false, stitch: false } })).toEqual([
    'Who can interact: Nothing',
  ])
})

it('names what was chosen on other platforms in the words of the composer', () => {
  expect(facts('youtube', 'video', { privacy: 'unlisted', madeForKids: false })).toEqual(
    expect.arrayContaining(['Made for kids: No']),
  )
  expect(facts('mastodon', 'post', { privacy: 'private', languages: ['de'], contentWarning: 'Birds' })).toEqual([
    'Who can see it: Followers',
    'Language: German',
  ])
  expect(facts('threads', 'post', { link: 'https://example.com/' })).toEqual(['Link: https://example.com/'])
})

it('names nothing that was not chosen, nor details that the platform does not have', () => {
  expect(facts('tiktok', 'post', {})).toEqual([])
  expect(facts('bluesky', 'post', { privacy: 'private', madeForKids: true })).toEqual([])
})
