import { z } from 'zod'

/*
 * The names of what platforms measure, the same for all of them. Each platform's file says which of them it reports, under which
 * name of its own. Texts for people are in labels.ts, by name.
 */

/** `basisPoints`: hundredths of a percent. All values are whole numbers of their unit. */
type Unit = 'count' | 'seconds' | 'milliseconds' | 'basisPoints'
/**
 * How values add up. `sum`: over days, posts and channels. `last`: a level such as followers: the last value of a range counts, and
 * channels add up. `none`: unique people, averages and shares, which are never added: shown per day or per post.
 */
type Adds = 'sum' | 'last' | 'none'
type Definition = {
  unit: Unit
  adds: Adds
  /** It's contained in this figure, so the two are never added. */
  partOf?: string
  /** It's this figure over so many days, of which its day is the last one, as the platform itself counts them together. */
  window?: { of: string; days: number }
}

export const figureDefinitions = {
  // how often something was shown or played, and to how many
  views: { unit: 'count', adds: 'sum' },
  impressions: { unit: 'count', adds: 'sum' },
  mapImpressions: { unit: 'count', adds: 'sum', partOf: 'impressions' },
  searchImpressions: { unit: 'count', adds: 'sum', partOf: 'impressions' },
  engagedViews: { unit: 'count', adds: 'sum', partOf: 'views' },
  videoViews: { unit: 'count', adds: 'sum' },
  reach: { unit: 'count', adds: 'none' },
  reach7: { unit: 'count', adds: 'none', window: { of: 'reach', days: 7 } },
  reach28: { unit: 'count', adds: 'none', window: { of: 'reach', days: 28 } },

  // what people did
  interactions: { unit: 'count', adds: 'sum' },
  engagedAccounts: { unit: 'count', adds: 'none' },
  reactions: { unit: 'count', adds: 'sum' },
  likes: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  loves: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  laughs: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  wows: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  sads: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  angers: { unit: 'count', adds: 'sum', partOf: 'reactions' },
  comments: { unit: 'count', adds: 'sum' },
  shares: { unit: 'count', adds: 'sum' },
  reposts: { unit: 'count', adds: 'sum', partOf: 'shares' },
  quotes: { unit: 'count', adds: 'sum', partOf: 'shares' },
  sends: { unit: 'count', adds: 'sum', partOf: 'shares' },
  saves: { unit: 'count', adds: 'sum' },
  clicks: { unit: 'count', adds: 'sum' },
  linkClicks: { unit: 'count', adds: 'sum', partOf: 'clicks' },
  navigation: { unit: 'count', adds: 'sum' },

  // what is counted here, of posts of every platform (clicks.ts)
  shortLinkClicks: { unit: 'count', adds: 'sum' },
  bioClicks: { unit: 'count', adds: 'sum' },

  // how long videos were watched
  watchSeconds: { unit: 'seconds', adds: 'sum' },
  averageWatchMs: { unit: 'milliseconds', adds: 'none' },
  averageWatchedShare: { unit: 'basisPoints', adds: 'none' },
  skipRate: { unit: 'basisPoints', adds: 'none' },

  // the account and its profile
  followers: { unit: 'count', adds: 'last' },
  followersGained: { unit: 'count', adds: 'sum' },
  followersLost: { unit: 'count', adds: 'sum' },
  posts: { unit: 'count', adds: 'last' },
  likesReceived: { unit: 'count', adds: 'last' },
  profileViews: { unit: 'count', adds: 'sum' },
  profileActions: { unit: 'count', adds: 'sum' },
  websiteClicks: { unit: 'count', adds: 'sum', partOf: 'profileActions' },
  callClicks: { unit: 'count', adds: 'sum', partOf: 'profileActions' },
  directionRequests: { unit: 'count', adds: 'sum', partOf: 'profileActions' },
  chats: { unit: 'count', adds: 'sum', partOf: 'profileActions' },
  bookings: { unit: 'count', adds: 'sum', partOf: 'profileActions' },
} as const satisfies Record<string, Definition>

export type FigureName = keyof typeof figureDefinitions
// the keys of the object above
export const figureNames = Object.keys(figureDefinitions) as [FigureName, ...FigureName[]]
export const FigureName = z.enum(figureNames)

/** What a figure means, whichever platform reports it. */
export const definitionOf = (name: FigureName): Definition => figureDefinitions[name]

/** The figures that cover several days which the platform counts together, and of how many days they are. */
export const windowFigures: readonly { name: FigureName; of: FigureName; days: number }[] = figureNames.flatMap(
  (name) => {
    const { window } = definitionOf(name)
    const of = figureNames.find((one) => one === window?.of)
    return window && of ? [{ name, of, days: window.days }] : []
  },
)
