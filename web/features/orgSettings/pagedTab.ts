/** What a tab with a list by pages needs of its screen. */
export type PagedTab = {
  orgId: string
  /** The zone in which dates are shown. */ zone: string
  page: number
  onPage: (page: number) => void
}
