import { expect, it } from 'vitest'
import { connectionsOfNode } from './pools.ts'
import { SMALL_MACHINE, sizesFor, thisMachine } from './sizes.ts'

const GB = 1024 ** 3

it('takes as little on a small machine as it always did', () => {
  expect(sizesFor(SMALL_MACHINE)).toMatchObject({
    shared_buffers: '32MB',
    effective_cache_size: '512MB',
    maintenance_work_mem: '32MB',
    autovacuum_max_workers: 1,
  })
  expect(sizesFor({ memory: GB / 4, cores: 1 })).toMatchObject({
    shared_buffers: '32MB',
    effective_cache_size: '256MB',
  })
})

it.each([
  [{ memory: 4 * GB, cores: 2 }, '128MB', '2048MB', '64MB', 2],
  [{ memory: 16 * GB, cores: 8 }, '512MB', '8192MB', '256MB', 3],
  [{ memory: 256 * GB, cores: 64 }, '512MB', '65536MB', '256MB', 3],
] as const)('grows with the machine: %j', (machine, buffers, cache, maintenance, vacuums) => {
  expect(sizesFor(machine)).toMatchObject({
    shared_buffers: buffers,
    effective_cache_size: cache,
    maintenance_work_mem: maintenance,
    autovacuum_max_workers: vacuums,
    autovacuum_worker_slots: vacuums,
  })
})

it('has connections for three nodes, and for administration', () => {
  // PostgreSQL reserves three for superusers
  expect(sizesFor(SMALL_MACHINE).max_connections - 3).toBeGreaterThanOrEqual(3 * connectionsOfNode + 5)
})

it('detects the machine it runs on', () => {
  const { memory, cores } = thisMachine()
  expect(memory).toBeGreaterThan(GB / 16)
  expect(memory).toBeLessThan(2 ** 46)
  expect(cores).toBeGreaterThanOrEqual(1)
})
