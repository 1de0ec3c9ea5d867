import { Client } from 'undici'

/*
 * The load of bench/login.ts: people who log in, from browsers without a session. Each connection comes from its own
 * loopback address (Linux accepts all of 127/8), because people aren't all behind one network: its count of attempts is
 * one row. Forked with `<origin> <email,email,...> <password> <connections>`; a message says for how many seconds to
 * log in, and its reply how many did.
 */
const [origin = '', list = '', password = '', connections = '8'] = process.argv.slice(2)
const people = list.split(',')
const clients = Array.from(
  { length: Number(connections) },
  (_, i) => new Client(origin, { localAddress: `127.0.0.${i + 2}` }),
)

async function logIn(client: Client, end: number): Promise<number> {
  let done = 0
  while (performance.now() < end) {
    const email = people.shift()
    if (email === undefined) throw new Error('more logins at a time than people')
    const { statusCode, headers, body } = await client.request({
      method: 'POST',
      path: '/api/public/user/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const text = await body.text()
    if (statusCode !== 200 || !headers['set-cookie']) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`)
    people.push(email)
    done += 1
  }
  return done
}

async function load(seconds: number): Promise<void> {
  const began = performance.now()
  const each = await Promise.all(clients.map((client) => logIn(client, began + seconds * 1000)))
  const done = each.reduce((sum, one) => sum + one, 0)
  process.send?.({ done, rate: (done / (performance.now() - began)) * 1000 })
}

process.on('message', (seconds: number) => void load(seconds))
process.on('disconnect', () => process.exit())
