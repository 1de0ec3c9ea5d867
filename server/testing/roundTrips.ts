import type pg from 'pg'

/**
 * Counts the round trips to the database that the pool's connections make from now on: each time something is sent after
 * an answer came. Statements that leave together, or without waiting for each other, are one.
 */
export function countRoundTrips(pool: pg.Pool): () => number {
  let trips = 0
  const known = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    // every client of pg's own pool is a Client, whose connection stands on a socket
    const { stream } = (client as pg.Client).connection
    let isAnswered = true
    stream.on('data', () => {
      isAnswered = true
    })
    const write = stream.write.bind(stream)
    stream.write = (...args: unknown[]) => {
      if (isAnswered) trips += 1
      isAnswered = false
      // the same arguments, whichever of write's forms they are of
      return Reflect.apply(write, stream, args) as boolean
    }
  })
  return () => {
    const made = trips
    trips = 0
    return made
  }
}
