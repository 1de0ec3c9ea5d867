import { pull, type Surroundings } from './pull.ts'
import type { Call, World } from './world.ts'

/*
 * Containers of Instagram and Threads: created from URLs, processed for some checks, published once, expired after a
 * day.
 */
export type Container = {
  id: string
  account: string
  kind: string
  text: string
  children: string[]
  parent: string | null
  url: string
  madeAt: number
  looks: number
  failure: string | null
  /** The ID of the post that it became. */
  published: string | null
  isChild: boolean
  more: Record<string, unknown>
}

const DAY = 24 * 3600 * 1000

export class Containers {
  readonly #all = new Map<string, Container>()
  readonly #world: World
  readonly #around: Surroundings

  constructor(world: World, around: Surroundings) {
    this.#world = world
    this.#around = around
  }

  /** Creates it at once and fetches the file at its URL; problems with it show when it's checked. */
  async make(
    call: Call,
    of: Pick<Container, 'account' | 'kind' | 'text' | 'isChild'> & Partial<Container>,
    takes: { types: readonly string[]; bytes: number } | null,
  ): Promise<Container> {
    const id = this.#world.nextId()
    const container: Container = {
      children: [],
      parent: null,
      url: '',
      more: {},
      ...of,
      id,
      madeAt: call.now,
      looks: 0,
      failure: null,
      published: null,
    }
    if (takes !== null && container.url) {
      const file = await pull(this.#around.pull, container.url, takes)
      if (typeof file === 'string') container.failure = file
      else container.more = { ...container.more, file }
    }
    this.#all.set(id, container)
    return container
  }

  find(id: string, account?: string): Container | undefined {
    const found = this.#all.get(id)
    if (found?.published && this.#world.switches.has('no idempotency')) return undefined
    return found && (account === undefined || found.account === account) ? found : undefined
  }

  /** One check, which advances the processing. */
  status(
    container: Container,
    now: number,
    look = true,
  ): 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED' {
    if (container.published !== null) return 'PUBLISHED'
    if (now - container.madeAt > DAY) return 'EXPIRED'
    const parts = container.children.map((id) => this.#all.get(id))
    if (container.failure !== null || parts.some((part) => part?.failure !== null)) return 'ERROR'
    // text needs no processing
    const waits = container.url !== '' || container.children.length > 0
    const done = !waits || container.looks >= this.#world.looks
    if (look) container.looks += 1
    return done ? 'FINISHED' : 'IN_PROGRESS'
  }

  madeToday(account: string, now: number): number {
    return [...this.#all.values()].filter((container) => container.account === account && now - container.madeAt < DAY)
      .length
  }
}
