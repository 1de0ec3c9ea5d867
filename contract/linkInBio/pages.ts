import { z } from 'zod'
import { Day, Done, Id, Instant, PageQuery, Pagination, ProjectParams, Zone } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { BIO } from './limits.ts'
import { BioUrl } from './links.ts'
import { Slug } from './slugs.ts'
import { bioThemeKeys } from './themes.ts'

/** A wall time, in the zone beside it. */
const WallMoment = z.object({
  // an instant of year 0 or 10,000, which such days have in some zones, is none for the database
  date: Day.refine((day) => day >= '2000-01-01', 'Use a year from 2000 on').refine(
    (day) => day < '2100-01-01',
    'Use a year before 2100',
  ),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time'),
})
export const bioKinds = ['button', 'post'] as const
const Number = z.int().min(1)

const Times = {
  /** When it's shown: from, and until. Null: at any time. */
  starts: WallMoment.nullable().default(null),
  ends: WallMoment.nullable().default(null),
  /** The zone of both. */
  zone: Zone,
}

/** An item as a person saves it. Without a number it's a new one, which gets its number then. */
const ItemBody = z.object({
  number: Number.optional(),
  kind: z.enum(bioKinds),
  /** A button's text, or what is said about a post's link to people who don't see its picture. */
  label: z.string().trim().min(1, 'A text is required').max(BIO.label, `Use at most ${BIO.label} characters`),
  url: BioUrl,
  hidden: z.boolean().default(false),
  ...Times,
  /** The published post of a `post`; null for a button. */
  postId: Id.nullable().default(null),
})
export type BioItemBody = z.input<typeof ItemBody>

/** An item of a page. Its number is its own for as long as the page exists, and never another one's: `/b/{slug}/{number}`. */
export const BioItem = z.object({
  number: z.int(),
  kind: z.enum(bioKinds),
  label: z.string(),
  url: z.string(),
  hidden: z.boolean(),
  starts: WallMoment.nullable(),
  ends: WallMoment.nullable(),
  zone: z.string().nullable(),
  startsAt: Instant.nullable(),
  endsAt: Instant.nullable(),
  /** Its post; null for a button. */
  post: z
    .object({
      postId: Id,
      platform: PlatformKey,
      excerpt: z.string(),
      publishedAt: Instant,
      permalink: z.string().nullable(),
      /** A small picture for the editor; null if the post has none. */
      pictureUrl: z.string().nullable(),
    })
    .nullable(),
})
export type BioItem = z.infer<typeof BioItem>

export const BioPage = z.object({
  pageId: Id,
  slug: z.string(),
  /** Its full address. */
  address: z.string(),
  name: z.string(),
  about: z.string(),
  pictureAssetId: Id.nullable(),
  pictureUrl: z.string().nullable(),
  theme: z.enum(bioThemeKeys),
  /** False: nobody sees it but its project. */
  live: z.boolean(),
  /** Search engines are asked not to list it. */
  noindex: z.boolean(),
  /** An operator of the installation stopped it. */
  blocked: z.object({ since: Instant, reason: z.string() }).nullable(),
  /** False: the plan has no room for it. It stays as it is, and can be deleted. */
  editable: z.boolean(),
  /** Earlier addresses, which lead to it until then. */
  earlier: z.array(z.object({ slug: z.string(), until: Instant })),
  version: z.int(),
  /** Buttons, then posts, each in their order. */
  items: z.array(BioItem),
})
export type BioPage = z.infer<typeof BioPage>

const PageParams = ProjectParams.extend({ pageId: Id })
const path = '/api/:orgId/project/:projectId/bio-page'
const Name = z.string().trim().min(1, 'A name is required').max(BIO.name, 'This name is too long')

export const listBioPages = endpoint({
  method: 'GET',
  path,
  summary: "List a project's link in bio pages, oldest first",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['bio', 'asset'],
  params: ProjectParams,
  reply: z.object({
    pages: z.array(
      BioPage.pick({ pageId: true, slug: true, address: true, name: true, live: true, blocked: true, editable: true }),
    ),
    /** How many the plan allows. */
    most: z.int(),
  }),
  audit: null,
})
export const getBioPage = endpoint({
  method: 'GET',
  path: `${path}/:pageId`,
  summary: 'Get a link in bio page',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['bio', 'asset', 'post'],
  params: PageParams,
  reply: BioPage,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const createBioPage = endpoint({
  method: 'POST',
  path,
  summary: "Create a link in bio page, which isn't live yet",
  access: can('post', 'edit'),
  cost: 'light',
  changes: ['bio'],
  params: ProjectParams,
  body: z.object({ name: Name, slug: Slug }),
  reply: Done.extend({ pageId: Id }),
  errors: ['NAME_TAKEN', 'PLAN_LIMIT'],
  audit: { action: 'created', entity: 'bio_page' },
})
/** Items that the body doesn't mention and doesn't remove stay, after the others of their kind: a post that was published meanwhile. */
export const saveBioPage = endpoint({
  method: 'PUT',
  path: `${path}/:pageId`,
  summary: 'Save a link in bio page; visitors see it at once',
  access: can('post', 'edit'),
  cost: 'light',
  changes: ['bio'],
  params: PageParams,
  body: z.object({
    version: z.int(),
    name: Name,
    about: z.string().trim().max(BIO.about, 'This text is too long').default(''),
    pictureAssetId: Id.nullable().default(null),
    theme: z.enum(bioThemeKeys),
    live: z.boolean(),
    noindex: z.boolean().default(false),
    /** In the order in which they're shown. */
    items: z.array(ItemBody).max(BIO.buttons + BIO.posts),
    removed: z
      .array(Number)
      .max(BIO.buttons + BIO.posts)
      .default([]),
  }),
  reply: BioPage.extend({ message: z.string().optional() }),
  errors: ['NOT_FOUND', 'BAD_INPUT', 'STALE_VERSION', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'bio_page' },
})
export const renameBioPage = endpoint({
  method: 'PUT',
  path: `${path}/:pageId/slug`,
  summary: 'Change the address of a link in bio page; the earlier one leads to it for 90 days',
  access: can('post', 'edit'),
  cost: 'light',
  changes: ['bio'],
  params: PageParams,
  body: z.object({ slug: Slug }),
  reply: BioPage.extend({ message: z.string().optional() }),
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'BAD_INPUT', 'PLAN_LIMIT', 'PAGE_BLOCKED'],
  audit: { action: 'renamed', entity: 'bio_page' },
})
export const deleteBioPage = endpoint({
  method: 'DELETE',
  path: `${path}/:pageId`,
  summary: 'Delete a link in bio page and its figures; nobody else gets its address for 90 days',
  access: can('post', 'edit'),
  cost: 'light',
  changes: ['bio'],
  params: PageParams,
  reply: Done,
  errors: ['NOT_FOUND', 'PAGE_BLOCKED'],
  audit: { action: 'deleted', entity: 'bio_page' },
})

/** A published post that a page could show. */
export const BioChoice = z.object({
  postId: Id,
  platform: PlatformKey,
  excerpt: z.string(),
  publishedAt: Instant,
  permalink: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  /** A link that the post's text contains, to begin with; null without one. */
  firstLink: z.string().nullable(),
  /** Whether the page has it already. */
  added: z.boolean(),
})
export const bioPostChoices = endpoint({
  method: 'GET',
  path: `${path}/:pageId/posts`,
  summary: 'List published posts for the grid of a page, newest first',
  access: can('post', 'view'),
  cost: 'list',
  reads: ['bio', 'post', 'channel'],
  params: PageParams,
  query: PageQuery.extend({ search: z.string().trim().max(100).optional() }),
  reply: z.object({ posts: z.array(BioChoice), pagination: Pagination }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const addPostToBioPage = endpoint({
  method: 'POST',
  path: `${path}/:pageId/posts`,
  summary: 'Show a published post first in the grid of a page, with the link that it leads to',
  access: can('post', 'edit'),
  cost: 'light',
  changes: ['bio'],
  params: PageParams,
  body: z.object({ postId: Id, url: BioUrl }),
  reply: Done.extend({ number: z.int() }),
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'BAD_INPUT', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'bio_page' },
})
