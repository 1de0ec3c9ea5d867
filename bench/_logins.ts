import { Pool } from 'undici'

/*
 * The load of bench/login.ts: browsers that log in again and again, each with the cookie of its last login, and how many
 * logins a second that makes. `node bench/_logins.ts <origin> <email,email,...> <password> <seconds> <connections>`
 */
const [origin = '', list = '', password = '', seconds = '3', connections = '8'] = process.argv.slice(2)
const browsers = list.split(',').map((email) => ({ email, cookie: '' }))
const pool = new Pool(origin, { connections: Number(connections), pipelining: 1 })
const began = performance.now()
const end = began + Number(seconds) * 1000
let done = 0

async function logIn(): Promise<void> {
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

await Promise.all(Array.from({ length: Number(connections) }, logIn))
process.stdout.write(String((done / (performance.now() - began)) * 1000))
await pool.close()
