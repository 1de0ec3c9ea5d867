import type pg from 'pg'

/**
 * Counts the database round trips of the pool's connections from now on: each time something is sent after a response.
 * Statements that are sent together, or without waiting for each other, count as one.
 */
export function countRoundTrips(pool: pg.Pool): () => number {
  let trips = 0
  const known = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    // every client of pg's own pool is a Client, whose connection has a socket
    const { stream } = (client as pg.Client).connection
    let isAnswered = true
    stream.on('data', () => {
      isAnswered = true
    })
    const write = stream.write.bind(stream)
    stream.write = (...args: unknown[]) => {
      if (isAnswered) trips += 1
      isAnswered = false
      // the same arguments, whichever overload of write they belong to
      return Reflect.apply(write, stream, args) as boolean
    }
  })
  return () => {
    const made = trips
    trips = 0
    return made
  }
}
