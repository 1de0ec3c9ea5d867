import { z } from 'zod'
import { figureNames } from './catalog/names.ts'

/**
 * What is worked out of the catalog's figures of posts:
 * - `published`: posts published in the range
 * - `viewsAndImpressions`: what each platform calls views or impressions, together. No platform reports both of posts
 * - `engagements`: reactions, comments, shares, saves and clicks, as far as they're told
 * - `engagementRate`: engagements divided by views or impressions, in percent with two decimals, of the latest figures of
 *   the same posts published in the range, where both are told
 */
export const derivedFigures = ['published', 'viewsAndImpressions', 'engagements', 'engagementRate'] as const
export type DerivedFigure = (typeof derivedFigures)[number]

/** A figure's name: one of the catalog, or one that is worked out of those of posts. */
export const FigureKey = z.enum([...derivedFigures, ...figureNames])
export type FigureKey = z.infer<typeof FigureKey>

/** What an engagement is. */
export const engagementNames = ['reactions', 'comments', 'shares', 'saves', 'clicks'] as const
/** What shows how often a post was seen; platforms report one of them. */
export const viewNames = ['views', 'impressions'] as const

/** Whether a figure is one of posts, or of the channel as a whole: both can have the same name. */
export const FigureSubject = z.enum(['post', 'channel'])
export type FigureSubject = z.infer<typeof FigureSubject>
