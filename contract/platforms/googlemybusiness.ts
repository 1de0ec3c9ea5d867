import { noDocuments, noVideos } from './none.ts'
import type { DetailRule, PlatformRules, PostRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// developers.google.com/my-business, LocalPost: one photo by address, 1500 characters, 58 of a title, no action on offers
const callToAction: DetailRule = {
  field: 'callToAction',
  required: false,
  options: [
    { value: 'BOOK', label: 'Book' },
    { value: 'ORDER', label: 'Order online' },
    { value: 'SHOP', label: 'Buy' },
    { value: 'LEARN_MORE', label: 'Learn more' },
    { value: 'SIGN_UP', label: 'Sign up' },
    { value: 'CALL', label: 'Call now' },
  ],
}
const common = {
  images: { most: 1, bytes: 5_000_000, types: ['image/jpeg', 'image/png'], altText: null },
  videos: noVideos,
  documents: noDocuments,
  mixedMedia: false,
  mediaRequired: false,
  thread: { most: 1 },
  linkCard: null,
  firstComment: null,
} as const satisfies Partial<PostRules>

export const googlemybusiness: PlatformRules = {
  key: 'googlemybusiness',
  label: 'Google Business Profile',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    { ...common, postType: 'update', label: 'Update', title: null, text: { limits: [{ unit: 'characters', max: 1500 }], required: true }, details: [callToAction] },
    {
      ...common,
      postType: 'offers',
      label: 'Offer',
      title: { max: 58, required: true },
      text: { limits: [{ unit: 'characters', max: 1500 }], required: false },
      details: [
        { field: 'event', required: true },
        { field: 'offer', required: false },
      ],
    },
    {
      ...common,
      postType: 'events',
      label: 'Event',
      title: { max: 58, required: true },
      text: { limits: [{ unit: 'characters', max: 1500 }], required: false },
      details: [{ field: 'event', required: true }, callToAction],
    },
  ],
}
