import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { useEffect } from 'react'
import { myPermissions } from '#contract/organizations.ts'
import type { PostList, PostRow } from '#contract/postLists.ts'
import { useHome, useProjectIds } from './project.ts'
import { useCall } from './queries.ts'

/*
 * Lists of posts as this browser last had them, in its database: a page that is opened again shows them at once and then
 * asks for what changed. A list is only shown to the person who read it, with the rights that they read it with. Where the
 * browser has no database, as in some private windows, or no room, nothing is kept.
 */

/** A list as the cache holds it and screens draw it: its names are joined to the posts. */
export type HeldPosts = { posts: PostRow[]; tag: string | undefined } & Pick<
  PostList,
  'pagination' | 'truncated' | 'revision'
>

/** How much is kept: lists, posts in all of them, and milliseconds since they were read. */
const MOST = { lists: 30, posts: 10_000, age: 7 * 86_400_000 }
/** Lists are written at most this often, and when the page is hidden. Milliseconds. */
const GATHER = 2_000
/** A list whose posts didn't change is written again after this time, so that few changes lie between. Milliseconds. */
const RENEW = 600_000
/** A database that doesn't answer within this time isn't waited for. Milliseconds. */
const PATIENCE = 400
const DATABASE = 'rookery-posts'
const OWNER = 'owner'

type KeptFor = {
  userId: string
  projectId: string
  /** What decides which posts the person is shown, as the server names it in `myPermissions` and in revisions. */
  rights: string
}
/** Who is at work in which project, and all of their projects. */
export type Visit = KeptFor & { projectIds: readonly string[] }
/** What is known of a kept list without reading it. `shape` names the release that wrote it. */
type Facts = KeptFor & { shape: string; savedAt: number; posts: number }
interface Schema extends DBSchema {
  lists: { key: string; value: HeldPosts }
  facts: { key: string; value: Facts }
  owner: { key: typeof OWNER; value: string }
}

/** The rights of the person who read the list: the last part of its revision. */
const rightsOf = ({ revision }: HeldPosts): string => revision.split('.').at(-1) ?? ''

/** The lists of one browser. `shape` names the release: what another one wrote may have another shape. */
export function createKeptPosts({ shape = import.meta.url, now = Date.now } = {}) {
  let opened: Promise<IDBPDatabase<Schema> | undefined> | undefined
  const database = () => (opened ??= open(() => (opened = undefined)))
  let owner: string | undefined
  const waiting = new Map<string, { projectId: string; list: HeldPosts }>()
  const written = new WeakMap<HeldPosts['posts'], number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const isReadable = (facts: Facts) => facts.shape === shape && now() - facts.savedAt < MOST.age

  /** The list that was kept under the key; undefined where it was read with other rights, by another release or too long ago. */
  async function read(key: string, rights: string): Promise<HeldPosts | undefined> {
    const found = database().then(async (db) => {
      const tx = db?.transaction(['lists', 'facts'])
      const [facts, list] = await Promise.all([tx?.objectStore('facts').get(key), tx?.objectStore('lists').get(key)])
      if (!facts || !list || !isReadable(facts) || facts.rights !== rights) return undefined
      written.set(list.posts, facts.savedAt)
      return list
    })
    return await atMost(PATIENCE, found)
  }

  /** Writes the list soon. */
  function save(key: string, projectId: string, list: HeldPosts): void {
    if (now() - (written.get(list.posts) ?? -Infinity) < RENEW) return
    waiting.set(key, { projectId, list })
    timer ??= setTimeout(() => void flush(), GATHER)
  }

  /** Writes what waits, unless its person has logged out meanwhile, here or in another tab. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const userId = owner
    if (userId === undefined || waiting.size === 0) return
    const lists = [...waiting]
    waiting.clear()
    await quietly(async (db) => {
      const tx = db.transaction(['lists', 'facts', 'owner'], 'readwrite')
      if ((await tx.objectStore('owner').get(OWNER)) !== userId) return
      const savedAt = now()
      const puts = lists.flatMap(([key, { projectId, list }]) => {
        const facts = { userId, projectId, rights: rightsOf(list), shape, savedAt, posts: list.posts.length }
        return [tx.objectStore('lists').put(list, key), tx.objectStore('facts').put(facts, key)]
      })
      await Promise.all([...puts, tx.done])
      for (const [, { list }] of lists) written.set(list.posts, savedAt)
    })
  }

  /**
   * Says who is at work, and where: deletes what others left, what this person read with other rights in the project or in
   * projects that they left, and what is too old or too much.
   */
  async function enter({ userId, projectId, projectIds, rights }: Visit): Promise<void> {
    owner = userId
    await quietly(async (db) => {
      const tx = db.transaction(['lists', 'facts', 'owner'], 'readwrite')
      const facts = tx.objectStore('facts')
      const [keys, all] = await Promise.all([
        facts.getAllKeys(),
        facts.getAll(),
        tx.objectStore('owner').put(userId, OWNER),
      ])
      const room = { lists: MOST.lists, posts: MOST.posts }
      const newestFirst = keys
        .flatMap((key, n) => (all[n] ? [{ key, ...all[n] }] : []))
        .toSorted((a, b) => b.savedAt - a.savedAt)
      const goes = (one: Facts) => {
        const isOurs = one.projectId === projectId ? one.rights === rights : projectIds.includes(one.projectId)
        room.lists -= 1
        room.posts -= one.posts
        return one.userId !== userId || !isOurs || !isReadable(one) || room.lists < 0 || room.posts < 0
      }
      const deletes = newestFirst
        .filter(goes)
        .flatMap(({ key }) => [facts.delete(key), tx.objectStore('lists').delete(key)])
      await Promise.all([...deletes, tx.done])
    })
    await flush()
  }

  /** Deletes everything: the session is over. A database that doesn't answer keeps nobody from leaving. */
  async function clear(): Promise<void> {
    owner = undefined
    waiting.clear()
    const deleted = quietly(async (db) => {
      const tx = db.transaction(['lists', 'facts', 'owner'], 'readwrite')
      await Promise.all([
        tx.objectStore('lists').clear(),
        tx.objectStore('facts').clear(),
        tx.objectStore('owner').clear(),
        tx.done,
      ])
    })
    await atMost(PATIENCE, deleted)
  }

  /** Works on the database; where that fails, as on a full disk, nothing is kept. */
  async function quietly(work: (db: IDBPDatabase<Schema>) => Promise<void>): Promise<void> {
    const db = await database()
    if (db) await work(db).catch(() => undefined)
  }

  return { read, save, flush, enter, clear }
}

async function open(onLost: () => void): Promise<IDBPDatabase<Schema> | undefined> {
  try {
    return await openDB<Schema>(DATABASE, 1, {
      upgrade(db) {
        db.createObjectStore('lists')
        db.createObjectStore('facts')
        db.createObjectStore('owner')
      },
      terminated: onLost,
    })
  } catch {
    return undefined
  }
}

async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), milliseconds)
  return await Promise.race([work.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

export const keptPosts = createKeptPosts()

/** Keeps lists for the person of this project's pages, and deletes those of others. */
export function useKeptPosts(): void {
  const ids = useProjectIds()
  const { projectId } = ids
  const home = useHome().data
  const rights = useCall(myPermissions, { params: ids }).data?.rights
  useEffect(() => {
    if (!home || rights === undefined) return
    const projectIds = home.organizations.flatMap((org) => org.projects.map((project) => project.projectId))
    void keptPosts.enter({ userId: home.user.userId, projectId, projectIds, rights })
  }, [home, projectId, rights])
  useEffect(() => {
    const onHide = () => document.visibilityState === 'hidden' && void keptPosts.flush()
    document.addEventListener('visibilitychange', onHide)
    return () => document.removeEventListener('visibilitychange', onHide)
  }, [])
}
