import { z } from 'zod'
import { listOf } from '../postLists.ts'
import { clickNames } from './catalog/clicks.ts'
import { figureNames } from './catalog/names.ts'

/**
 * What is worked out of the catalog's figures:
 * - `published`: posts published in the range
 * - `viewsAndImpressions`: what each platform calls views or impressions, together. No platform reports both
 * - `engagements`: reactions, comments, shares, saves and clicks, as far as they're reported
 * - `engagementRate`: engagements divided by views or impressions, in percent with two decimals, of what reports both: in these
 *   days, the same channels on the same days; of posts published in them, the same posts
 */
export const derivedFigures = ['published', 'viewsAndImpressions', 'engagements', 'engagementRate'] as const
export type DerivedFigure = (typeof derivedFigures)[number]

/** A figure's name: one of the catalog, or one that is worked out of those of posts. */
export const FigureKey = z.enum([...derivedFigures, ...figureNames])
export type FigureKey = z.infer<typeof FigureKey>
/** Figures that a call asks for, in a query. */
export const FigureKeys = listOf(FigureKey).pipe(z.array(FigureKey).max(FigureKey.options.length))

/** Whether we count it, whatever platforms report and their terms say: it's always known, and adds up over all platforms. */
export const isCountedHere = (name: FigureKey): boolean => name === 'published' || isClicks(name)
/** Whether it's clicks that we count. */
export const isClicks = (name: string): boolean => clickNames.some((one) => one === name)

/** What an engagement is. */
export const engagementNames = ['reactions', 'comments', 'shares', 'saves', 'clicks'] as const
/** What shows how often a post was seen; platforms report one of them. */
export const viewNames = ['views', 'impressions'] as const

/** Whether a figure is one of posts alone, or of the channel as a whole. */
export const FigureSubject = z.enum(['post', 'channel'])
export type FigureSubject = z.infer<typeof FigureSubject>

/**
 * What a figure covers:
 * - `inTheseDays`: what happened in the days of the range. The channel's own days where its platform reports them, else what posts
 *   gained in these days, whenever they were published
 * - `postsPublished`: the posts published in these days, with their figures to date
 */
export const figureBases = ['inTheseDays', 'postsPublished'] as const
export const FigureBase = z.enum(figureBases)
export type FigureBase = z.infer<typeof FigureBase>
