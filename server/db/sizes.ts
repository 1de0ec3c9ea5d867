import { availableParallelism, totalmem } from 'node:os'
import { connectionsOfNode } from './pools.ts'

const MB = 1024 * 1024

/** Memory in bytes and CPU cores that this process can use. */
export type Machine = { memory: number; cores: number }

/** What this machine, or the container's limits, provide. */
export function thisMachine(): Machine {
  // 0, or more than there is, if no limit is set
  const limit = process.constrainedMemory()
  return { memory: limit > 0 ? Math.min(limit, totalmem()) : totalmem(), cores: availableParallelism() }
}

/** The smallest supported machine; tests use it, so that many of them fit on one machine. */
export const SMALL_MACHINE: Machine = { memory: 1024 * MB, cores: 1 }

/** How many nodes the embedded database has connections for, besides a few for backups, commands and people. */
const NODES = 3
const OTHERS = 12

/**
 * The embedded database's settings for this machine. It shares the machine with the app, so it takes a small part: it
 * only uses its own memory as far as there is data, and the rest of the cache is the system's.
 */
export function sizesFor({ memory, cores }: Machine) {
  const part = (of: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memory / of / MB, least), most))}MB`
  const vacuums = Math.min(Math.max(cores, 1), 3)
  return {
    max_connections: NODES * connectionsOfNode + OTHERS,
    shared_buffers: part(32, 32, 512),
    // what it writes before a commit, independent of the above
    wal_buffers: '4MB',
    // allocates nothing: how much of the data the planner may expect in memory
    effective_cache_size: part(2, 256, 65_536),
    maintenance_work_mem: part(64, 32, 256),
    autovacuum_max_workers: vacuums,
    autovacuum_worker_slots: vacuums,
  }
}
