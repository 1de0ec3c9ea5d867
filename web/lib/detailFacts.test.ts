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

it("shows TikTok's label, who can see the post and what others can do", () => {
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

it("shows other platforms' options in the composer's words", () => {
  expect(facts('youtube', 'video', { privacy: 'unlisted', madeForKids: false })).toEqual(
    expect.arrayContaining(['Made for kids: No']),
  )
  expect(facts('mastodon', 'post', { privacy: 'private', languages: ['de'], contentWarning: 'Birds' })).toEqual([
    'Who can see it: Followers',
    'Language: German',
  ])
  expect(facts('threads', 'post', { link: 'https://example.com/' })).toEqual(['Link: https://example.com/'])
})

it("shows nothing that wasn't chosen, nor details the platform doesn't have", () => {
  expect(facts('tiktok', 'post', {})).toEqual([])
  expect(facts('bluesky', 'post', { privacy: 'private', madeForKids: true })).toEqual([])
})

it('shows where the post leads from a link in bio page, on every platform', () => {
  const bioLink = { pageId: '01920000-0000-7000-8000-00000000000e', url: 'https://shop.example/' }
  expect(facts('instagram', 'post', { bioLink })).toEqual(['Link in bio: https://shop.example/'])
})
