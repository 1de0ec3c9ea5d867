import { connect } from 'node:net'

/*
 * A load that costs little itself, for servers that answer in microseconds: it sends the same request again on each connection
 * once a reply's head and as many bytes as the first one's body had have arrived. In its own process, in short turns. Prints the replies a second of each
 * turn. `node bench/_rawLoad.ts '{"ports":[3000,3001],"request":"GET / HTTP/1.1…","status":200,"turns":40,"milliseconds":250,"connections":32}'`
 */
// passed by bench/linkInBio.ts
const { ports, request, status, turns, milliseconds, connections } = JSON.parse(process.argv[2] ?? '') as {
  ports: number[]
  request: string
  status: number
  turns: number
  milliseconds: number
  connections: number
}

type Connection = { ask(): void; onReply: () => void; end(): void }

const END_OF_HEAD = '\r\n\r\n'

/** A connection that knows how long a reply's body is, after the first one. */
async function open(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const body = await new Promise<number>((resolve, reject) => {
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      const all = Buffer.concat(parts).toString('latin1')
      const head = all.indexOf(END_OF_HEAD)
      const length = status === 304 ? 0 : Number(/content-length: (\d+)/i.exec(all)?.[1])
      if (!all.startsWith(`HTTP/1.1 ${status} `)) reject(new Error(all.slice(0, 300)))
      else if (head >= 0 && all.length === head + END_OF_HEAD.length + length) resolve(length)
    })
    socket.write(request)
  })
  socket.removeAllListeners('data')
  const connection: Connection = {
    ask: () => socket.write(request),
    onReply: () => {},
    end: () => socket.destroy(),
  }
  let missing = 0
  socket.on('data', (part: Buffer) => {
    // heads differ in length: once a minute a page is read again, and that reply has been through all hooks
    if (missing === 0) missing = part.indexOf(END_OF_HEAD) + END_OF_HEAD.length + body
    missing -= part.length
    if (missing < 0) throw new Error(`${-missing} bytes too many`)
    if (missing === 0) connection.onReply()
  })
  return connection
}

/** Replies a second. */
async function turn(all: readonly Connection[]): Promise<number> {
  const begun = performance.now()
  let replies = 0
  await Promise.all(
    all.map(
      (connection) =>
        new Promise<void>((resolve) => {
          connection.onReply = () => {
            replies += 1
            if (performance.now() < begun + milliseconds) connection.ask()
            else resolve()
          }
          connection.ask()
        }),
    ),
  )
  return (replies * 1000) / (performance.now() - begun)
}

const targets = await Promise.all(
  ports.map((port) => Promise.all(Array.from({ length: connections }, () => open(port)))),
)
const rates = targets.map((): number[] => [])
for (let n = 0; n < turns; n += 1)
  for (let k = 0; k < targets.length; k += 1) {
    // each goes first as often as the others
    const at = (n + k) % targets.length
    const target = targets[at]
    if (target) rates[at]?.push(await turn(target))
  }
for (const target of targets) for (const connection of target) connection.end()
process.stdout.write(JSON.stringify(rates))
