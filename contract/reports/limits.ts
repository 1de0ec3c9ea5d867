/** How much of reports there may be, and how long things are, in characters. */
export const REPORTS = {
  perProject: 200,
  name: 100,
  blocks: 40,
  heading: 120,
  text: 5_000,
  figures: 12,
  tableRows: 500,
  topPosts: 12,
  columns: 12,
  /** Links of a report that are open. */
  links: 20,
  /** How long a link holds, in days. */
  linkDays: 366,
  /** Schedules of a report, and of a project. */
  schedules: 5,
  schedulesPerProject: 50,
  recipients: 25,
  waitDays: 7,
  /** Days in which an outside address can confirm. */
  confirmDays: 7,
  /** Days for which the files of runs are kept. */
  fileDays: 180,
  /** A larger file isn't attached: its mail has a link. In bytes. */
  attached: 10_000_000,
} as const
