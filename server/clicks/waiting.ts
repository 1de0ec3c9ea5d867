import type { clickNames } from '#contract/analytics/catalog/clicks.ts'

/** What is counted of posts. */
export type PostClickName = (typeof clickNames)[number]
/** Counts of a page's day; number 0 is the page itself. */
export type PageCount = { orgId: string; pageId: string; day: string; number: number; views: number; clicks: number }
/** Clicks on a post's links on a day. */
export type PostCount = { orgId: string; postId: string; name: PostClickName; day: string; n: number }
/** Someone who visited a page on a day (visit.ts). */
export type Visitor = { orgId: string; pageId: string; day: string; visitor: string }
/** What is to be written. */
export type Batch = { pages: PageCount[]; posts: PostCount[]; visitors: Visitor[] }

/** How many rows wait to be written at most, of all organizations and of one. */
const MOST = { rows: 50_000, rowsOfOne: 5_000, visitors: 50_000, visitorsOfOne: 10_000 } as const

type OfOne = { pages: Map<string, PageCount>; posts: Map<string, PostCount>; visitors: Map<string, Visitor> }

/**
 * What was counted and isn't written yet, added up by row and by organization. What exceeds the bounds is dropped, so that
 * neither a flood nor a database that's down fills the memory, and none of an organization's floods pushes another's out.
 */
export class Waiting {
  readonly #organizations = new Map<string, OfOne>()
  #rows = 0
  #visitors = 0
  #dropped = 0

  get isEmpty(): boolean {
    return this.#organizations.size === 0
  }

  organizations(): string[] {
    return [...this.#organizations.keys()]
  }

  addPage(row: PageCount): void {
    const { pages } = this.#of(row.orgId)
    const key = `${row.pageId} ${row.day} ${row.number}`
    const known = pages.get(key)
    if (known) {
      known.views += row.views
      known.clicks += row.clicks
    } else if (this.#hasRoom(row.orgId)) pages.set(key, row)
  }

  addPost(row: PostCount): void {
    const { posts } = this.#of(row.orgId)
    const key = `${row.postId} ${row.day} ${row.name}`
    const known = posts.get(key)
    if (known) known.n += row.n
    else if (this.#hasRoom(row.orgId)) posts.set(key, row)
  }

  addVisitor(row: Visitor): void {
    const { visitors } = this.#of(row.orgId)
    const key = `${row.visitor} ${row.day}`
    if (visitors.has(key)) return
    if (this.#visitors >= MOST.visitors || visitors.size >= MOST.visitorsOfOne) this.#dropped += 1
    else {
      visitors.set(key, row)
      this.#visitors += 1
    }
  }

  /** Adds what couldn't be written again. */
  addBack({ pages, posts, visitors }: Batch): void {
    for (const row of pages) this.addPage(row)
    for (const row of posts) this.addPost(row)
    for (const row of visitors) this.addVisitor(row)
  }

  /** Takes what waits of this organization out. */
  take(orgId: string): Batch {
    const { pages, posts, visitors } = this.#of(orgId)
    this.#organizations.delete(orgId)
    this.#rows -= pages.size + posts.size
    this.#visitors -= visitors.size
    return { pages: [...pages.values()], posts: [...posts.values()], visitors: [...visitors.values()] }
  }

  /** How many rows were dropped since the last time this was asked. */
  takeDropped(): number {
    const dropped = this.#dropped
    this.#dropped = 0
    return dropped
  }

  #of(orgId: string): OfOne {
    const known = this.#organizations.get(orgId)
    if (known) return known
    const made: OfOne = { pages: new Map(), posts: new Map(), visitors: new Map() }
    this.#organizations.set(orgId, made)
    return made
  }

  #hasRoom(orgId: string): boolean {
    const { pages, posts } = this.#of(orgId)
    const hasRoom = this.#rows < MOST.rows && pages.size + posts.size < MOST.rowsOfOne
    if (hasRoom) this.#rows += 1
    else this.#dropped += 1
    return hasRoom
  }
}
