import type { Cost } from '#contract/endpoint.ts'
import { webConnections } from '../db/pools.ts'
import type { FairShareOptions } from './fairShare.ts'

/** How many calls of one kind: `burst` at once after a pause, then this many per minute. */
export type Rate = { burst: number; perMinute: number }
/** A limit for each person in each organization, and for all people of the organization together. */
export type Shared<T> = { person: T; organization: T }

export type Limits = {
  rates: Record<Cost, Shared<Rate>>
  outside: Partial<Record<Cost, number>>
  bodyUnit: number
  addressFree: number
  chosenDays: number
  notifications: Record<'installation' | 'organization', Rate>
  database: FairShareOptions & { stalled: number }
}

/**
 * Every limit on costly calls. These numbers are only here: docs/operations.md prints them and a test compares the two.
 * They apply per node. Normal work never reaches them: a composer saves once a second, an agency schedules 500 posts in
 * one import, and a client of the API creates 5 posts a second all day.
 */
export const limits: Limits = {
  /**
   * How many calls each cost class allows. A call counts once, and once more for each `bodyUnit` bytes of its body;
   * `list` only counts calls that search text, filter by a long list of ids or cover many days of some posts, `light` only the units of bodies.
   */
  rates: {
    light: { person: { burst: 600, perMinute: 300 }, organization: { burst: 2000, perMinute: 1000 } },
    list: { person: { burst: 600, perMinute: 300 }, organization: { burst: 2000, perMinute: 1000 } },
    draft: { person: { burst: 600, perMinute: 600 }, organization: { burst: 2000, perMinute: 2000 } },
    post: { person: { burst: 1200, perMinute: 600 }, organization: { burst: 3000, perMinute: 2000 } },
    bulk: { person: { burst: 400, perMinute: 100 }, organization: { burst: 1000, perMinute: 300 } },
    media: { person: { burst: 1000, perMinute: 300 }, organization: { burst: 3000, perMinute: 1000 } },
    preview: { person: { burst: 300, perMinute: 240 }, organization: { burst: 1000, perMinute: 600 } },
    ai: { person: { burst: 60, perMinute: 20 }, organization: { burst: 200, perMinute: 60 } },
    export: { person: { burst: 60, perMinute: 30 }, organization: { burst: 120, perMinute: 60 } },
  },
  /**
   * How many calls that use more than the database may run at once: platforms, websites, AI and image work. They're
   * shared like the database's slots.
   */
  outside: { bulk: 12, media: 32, preview: 32, ai: 12 },
  /** Bytes of a body, or of a URL beyond its first `addressFree`, that count as one more call. */
  bodyUnit: 16_384,
  /** Bytes of a URL that a list of ids may take before it counts as a search. */
  addressFree: 2048,
  /** So many days of a list of the posts of a campaign, label or hashtag count as a search. */
  chosenDays: 60,
  /**
   * Notifications of platforms that an app's secret signed: the installation's app, and an organization's own. A platform
   * sends those that were refused again, and one that came makes its channel be read, so nothing is missed.
   */
  notifications: {
    installation: { burst: 20_000, perMinute: 6_000 },
    organization: { burst: 1_200, perMinute: 120 },
  },
  database: {
    /** Requests that may use the database at once. The rest of the pool is for uploads, links and live streams. */
    slots: webConnections - 2,
    /** A person can take a slot while they have fewer than this times the free slots; alone, half of all. */
    personShare: 1,
    /** The same for an organization: alone two thirds of all, two of them two fifths each. */
    organizationShare: 2,
    /** How many calls may wait for a slot, weighted with their bodies as above. */
    waiting: { person: 500, organization: 1000 },
    /** How long a call waits for a slot before it's refused, in milliseconds. */
    patience: 10_000,
    /** After how long /readyz reports too many waiting calls, if every slot is taken, in milliseconds. */
    stalled: 3000,
  },
}
