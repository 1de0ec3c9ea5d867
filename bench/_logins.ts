import { Client } from 'undici'

/*
 * The load of bench/login.ts: browsers that log in again and again, each with the cookie of its last login, and how many
 * logins a second that makes. Each connection comes from a loopback address of its own (Linux answers at all of 127/8),
 * as people do who are not all behind one network: its count of attempts is one row. `node bench/_logins.ts <origin> <email,email,...> <password> <seconds> <connections>`
 */
const [origin = '', list = '', password = '', seconds = '3', connections = '8'] = process.argv.slice(2)
const browsers = list.split(',').map((email) => ({ email, cookie: '' }))
const began = performance.now()
const end = began + Number(seconds) * 1000
let done = 0

async function logIn(pool: Client): Promise<void> {
  while (performance.now() < end) {
    const browser = browsers.shift()
    if (!browser) throw new Error('more logins at a time than browsers')
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: '/api/public/user/login',
      headers: { 'content-type': 'application/json', ...(browser.cookie && { cookie: browser.cookie }) },
      body: JSON.stringify({ email: browser.email, password }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`)
    browser.cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    browsers.push(browser)
    done += 1
  }
}

const clients = Array.from({ length: Number(connections) }, (_, i) => new Client(origin, { localAddress: `127.0.0.${i + 2}` }))
await Promise.all(clients.map(logIn))
process.stdout.write(JSON.stringify({ rate: (done / (performance.now() - began)) * 1000, done }))
await Promise.all(clients.map((client) => client.close()))
