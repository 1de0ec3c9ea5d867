/** The business constants of the specification's sections 9, in one place. Times in milliseconds unless a name says otherwise. */

export const STALE_TIME = { default: 600_000, projects: 300_000 } as const
export const QUERY_RETRIES = 1

export const TOAST = {
  success: 3_000,
  error: 5_000,
  warning: 5_000,
  withAction: 10_000,
  width: '25rem',
  animation: 300,
} as const
/** How long a move, delete or archive can be undone. */
export const UNDO_FOR = 10_000

export const PAGE_SIZE = { default: 20, transactions: 10, rangeMost: 2_000 } as const
export const FIRST_PAGE = 1

/** A list of chips shows this many items and a "+n" for the rest. */
export const CHIPS_SHOWN = 2

export const CALENDAR = { days: 35, weekStartsOn: 0, draftsListDays: 7 } as const

export const ACCOUNT = {
  password: { min: 8, max: 32 },
  email: 64,
  firstName: { min: 3, max: 50 },
  lastName: { min: 1, max: 50 },
} as const
export const ORGANIZATION = { name: { min: 3, max: 30 }, defaultName: 'My Workspace', individualSize: '1' } as const
export const PROJECT = { name: { min: 3, max: 30 }, description: 250 } as const
export const TEAM_SIZES = [
  '2-10',
  '11-50',
  '51-100',
  '101-200',
  '201-500',
  '501-1,000',
  '1,000-5,000',
  '5,000-10,000',
  '10,000+',
] as const

export const CODE = { digits: 6, minutes: 15, attempts: 5, perMinute: 1, perHour: 5 } as const
export const TRIAL_DAYS = 14

export const SCHEDULE = {
  weeklyDays: { min: 7, max: 60 },
  monthlyDays: { min: 28, max: 90 },
  customEntries: 25,
  /** Scheduled posts per channel: on the free plan or a trial, and on paid plans. */
  cap: { limited: 10, paid: 300 },
  /** The next slot offered is this many minutes ahead. */
  nextSlotMinutes: 30,
  /** A time this far in the past is refused; more recent ones mean "now". */
  pastMinutes: 60,
  /** Later than this after downtime, a post waits for a person. Each channel's default. */
  latenessMinutes: 60,
} as const

export const HASHTAG_GROUP_MOST = 30
export const LABEL_COLORS = [
  'purple',
  'pink',
  'red',
  'orange',
  'yellow',
  'green',
  'cyan',
  'dark-blue',
  'black',
  'blue',
] as const

export const MEDIA_FALLBACK = { images: 4, videos: 1, imageBytes: 8_000_000, videoBytes: 100_000_000 } as const
export const MEDIA_BEFORE_CHANNEL = { imageBytes: 5_000_000, videoBytes: 500_000_000 } as const
export const TEXT_LIMIT_DEFAULT = 60_000

/** AI posts after a channel is connected: one call, then retries after these waits. */
export const AI_RETRY_DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000] as const
export const AI_RETRY_CAP = 45_000

/** Signed media links live this long. */
export const MEDIA_LINK_HOURS = 24
