import { availableParallelism, totalmem } from 'node:os'
import { connectionsOfNode } from './pools.ts'

const MB = 1024 * 1024

/** Memory in bytes and processor cores, as far as this process may use them. */
export type Machine = { memory: number; cores: number }

/** What this machine, or the container's limits, leave us. */
export function thisMachine(): Machine {
  // 0 or more than there is where nothing is set
  const limit = process.constrainedMemory()
  return { memory: limit > 0 ? Math.min(limit, totalmem()) : totalmem(), cores: availableParallelism() }
}

/** The smallest that we run on; tests take it, so that many of them fit on one machine. */
export const SMALL_MACHINE: Machine = { memory: 1024 * MB, cores: 1 }

/** Nodes that the embedded database has connections for, besides a few for backups, commands and people. */
const NODES = 3
const OTHERS = 12

/**
 * Settings of the embedded database that follow from the machine. It shares it with the app, so it takes a small part:
 * memory of its own is only used as far as there is data, and the rest of the cache is the system's.
 */
export function sizesFor({ memory, cores }: Machine) {
  const part = (of: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memory / of / MB, least), most))}MB`
  const vacuums = Math.min(Math.max(cores, 1), 3)
  return {
    max_connections: NODES * connectionsOfNode + OTHERS,
    shared_buffers: part(32, 32, 512),
    // what it writes before a commit, not a share of the above
    wal_buffers: '4MB',
    // nothing is taken: how much of the data the planner may expect in memory
    effective_cache_size: part(2, 256, 65_536),
    maintenance_work_mem: part(64, 32, 256),
    autovacuum_max_workers: vacuums,
    autovacuum_worker_slots: vacuums,
  }
}
