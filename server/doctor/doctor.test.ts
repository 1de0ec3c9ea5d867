import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { testClock } from '../clock.ts'
import { rememberBackup } from '../db/lastBackup.ts'
import { openDatabases } from '../db/pools.ts'
import { asClient } from '../db/roles.ts'
import { asSystem } from '../db/system.ts'
import { pausePublishing, resumePublishing } from '../delivery/killSwitch.ts'
import { readEnv } from '../env.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { lookAtAddress } from './address.ts'
import { lookAtAi, lookAtApps } from './apps.ts'
import { lookAtBackups } from './backups.ts'
import { lookAtDatabase } from './database.ts'
import { examine } from './examine.ts'
import { lookAtFiles } from './files.ts'
import { report, type Finding } from './finding.ts'
import { lookAtFolder } from './folder.ts'
import { lookAtMail } from './mail.ts'

const clock = { ...testClock(new Date()), now: () => new Date() }
const folder = () => mkdtempSync(join(inject('cluster').folder, 'doctor-'))
const states = (findings: readonly Finding[]) => findings.map(({ about, state }) => `${about} ${state}`)
const said = (findings: readonly Finding[]) => findings.map(({ says, todo = '' }) => `${says} ${todo}`).join('\n')

/** A server on this machine for as long as the check runs. */
async function served<T>(answer: RequestListener, check: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    return await check(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('settings', () => {
  it('name each mistake on a line of its own, with what to write and without what opens something', async () => {
    const found = await examine(
      { SMTP_URL: 'smtp://a:s3cret#1@x', PUBLIC_URL: 'https://a.example/app', PORT: 'x' },
      clock,
    )
    expect(states(found)).toEqual(['Settings problem', 'Settings problem', 'Settings problem'])
    for (const name of ['SMTP_URL', 'PUBLIC_URL', 'PORT']) expect(said(found)).toContain(name)
    expect(said(found)).not.toContain('s3cret')
  })

  it('that can be read let everything else be looked at', async () => {
    const found = await examine({ DATA_DIR: join(folder(), 'none') }, clock)
    expect(states(found)).toEqual([
      'Settings ok',
      'Folder ok',
      'Database ok',
      'Files ok',
      'Mail warning',
      'Address warning',
      'Apps ok',
      'AI ok',
      'Backups warning',
    ])
    expect(report(found)).toMatch(/\n3 warnings\.$/)
    expect(report([])).toBe('\nNothing is wrong.')
  })

  it('with a key that is none are a problem', async () => {
    const found = await examine({ DATA_DIR: join(folder(), 'none'), ENCRYPTION_KEY: 'short' }, clock)
    expect(states(found)[0]).toBe('Settings problem')
  })
})

describe('the folder', () => {
  it('is fine where nobody else can look into it', async () => {
    const path = folder()
    chmodSync(path, 0o700)
    expect(states(await lookAtFolder({ DATA_DIR: path }))).toEqual(['Folder ok'])
  })

  it('is named where others can look into it, and so are its keys', async () => {
    const path = folder()
    chmodSync(path, 0o755)
    expect(said(await lookAtFolder({ DATA_DIR: path }))).toContain(`chmod -R go= ${path}`)
    writeFileSync(join(path, 'app-secret.json'), '""', { mode: 0o644 })
    expect(said(await lookAtFolder({ DATA_DIR: path }))).toContain('can read app-secret.json')
  })
})

describe('the database', () => {
  let database: TestDatabase
  let url: string
  beforeAll(async () => {
    database = await createTestDatabase()
    url = urlOf(database.settings.app.database)
  })
  afterAll(() => database.drop())
  const urlOf = (name: string, user?: string) => {
    const { superuser } = inject('cluster')
    return `postgres://${user ?? superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${name}?host=${encodeURIComponent(superuser.host)}`
  }
  const look = async (address = url, at = clock) => await lookAtDatabase(readEnv({ DATABASE_URL: address }), at)

  it('is fine with its version, roles, schema and clock', async () => {
    const found = await look()
    expect(states(found)).toEqual(['Database ok', 'Clock ok'])
    expect(said(found)).toContain('PostgreSQL 18')
  })

  it.each([
    ['no address at all', 'nonsense', 'DATABASE_URL must look like'],
    ['nobody there', 'postgres://ada:s3cret@127.0.0.1:1/rookery', "can't be used"],
  ])('says what is wrong with %s, and never the password', async (_, address, words) => {
    const found = await look(address)
    expect(states(found)).toEqual(['Database problem'])
    expect(said(found)).toContain(words)
    expect(said(found)).not.toContain('s3cret')
  })

  it("names the roles that its user isn't allowed to use", async () => {
    const { superuser } = inject('cluster')
    await asClient(superuser, async (client) => {
      await client.query(`create role doctor_guest login password '${superuser.password ?? ''}'`)
    })
    try {
      const found = await look(urlOf(database.settings.app.database, 'doctor_guest'))
      expect(said(found)).toContain("isn't allowed to use the role rookery_app")
      expect(new Set(states(found))).toEqual(new Set(['Database problem']))
    } finally {
      await asClient(superuser, (client) => client.query('drop role doctor_guest'))
    }
  })

  it('tells of a schema of another version, and of migrations to come', async () => {
    await database.owner.query("insert into migration.applied (name) values ('9999-from-the-future')")
    expect(said(await look())).toContain('another version of Rookery (9999-from-the-future)')
    await database.owner.query("delete from migration.applied where name like '9999%'")
    const { rows } = await database.owner.query<{ name: string }>(
      'delete from migration.applied where name = (select max(name) from migration.applied) returning name',
    )
    expect(said(await look())).toContain('1 migration is pending')
    await database.owner.query('insert into migration.applied (name) values ($1)', [rows[0]?.name])
  })

  it('tells that publishing is paused, and how to resume it', async () => {
    const databases = openDatabases(database.settings)
    const pool = databases.system
    await asSystem(pool, (tx) =>
      pausePublishing(tx, { scope: 'platform', name: 'x', reason: 'Looking into it', since: new Date() }),
    )
    const found = await look()
    expect(states(found)).toEqual(['Database warning', 'Clock ok'])
    expect(said(found)).toMatch(/paused for platform x .*Looking into it.*publishing resume platform x/)
    await resumePublishing(pool, 'platform', 'x')
    await databases.close()
  })

  it('compares the clocks as publishing does', async () => {
    const late = { ...clock, now: () => new Date(Date.now() - 3 * 3_600_000) }
    const found = await look(url, late)
    expect(states(found)).toEqual(['Database ok', 'Clock problem'])
    expect(said(found)).toContain('10,800 s apart, so nothing is published')
  })
})

describe('files', () => {
  it('in a bucket that is out of reach are a problem, without the keys', async () => {
    const { objectStore } = readEnv({
      S3_BUCKET: 'files',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_ACCESS_KEY_ID: 'ada',
      S3_SECRET_ACCESS_KEY: 's3cret',
    })
    const found = await lookAtFiles({ objectStore, DATA_DIR: '/nowhere' })
    expect(states(found)).toEqual(['Files problem'])
    expect(said(found)).toContain('http://127.0.0.1:1')
    expect(said(found)).not.toContain('s3cret')
  })
})

describe('mail', () => {
  it('goes nowhere without a server, and is a problem with one that is out of reach', async () => {
    expect(said(await lookAtMail(readEnv({ DATA_DIR: '/var/rookery' })))).toContain('/var/rookery/outbox')
    const found = await lookAtMail(readEnv({ SMTP_URL: 'smtp://ada:s3cret@127.0.0.1:1' }))
    expect(states(found)).toEqual(['Mail problem'])
    expect(said(found)).toContain('No mail server answers at 127.0.0.1:1')
    expect(said(found)).not.toContain('s3cret')
  })
})

describe('the address', () => {
  const look = async (url: string) => await lookAtAddress(readEnv({ PUBLIC_URL: url, HOST: '0.0.0.0' }), clock)
  const healthy: RequestListener = (request, response) => {
    request.resume()
    if (request.url === '/healthz')
      response.setHeader('content-type', 'application/json').end('{"status":"ok","version":"0.1.0"}')
    else response.writeHead(413, { 'content-type': 'application/problem+json' }).end('{}')
  }

  it('of a running app is only told to use https', async () => {
    const found = await served(healthy, look)
    expect(states(found)).toEqual(['Address warning'])
    expect(said(found)).toContain("isn't encrypted")
  })

  it('behind a proxy that refuses uploads says what to let pass', async () => {
    const found = await served((request, response) => {
      if (request.url === '/healthz') healthy(request, response)
      else response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>413</h1>')
      request.resume()
    }, look)
    expect(said(found)).toContain('client_max_body_size 8m')
  })

  it.each<[string, RequestListener, string]>([
    ['something else', (_, response) => void response.end('<h1>It works!</h1>'), 'is answered by something else (200)'],
    ['a proxy without us', (_, response) => void response.writeHead(502).end(), "proxy doesn't reach Rookery"],
    [
      'a redirect',
      (_, response) => void response.writeHead(301, { location: 'https://b.example/' }).end(),
      'leads on to https://b.example/',
    ],
  ])('that is %s is a problem', async (_, answer, words) => {
    const found = await served(answer, look)
    expect(states(found)).toEqual(['Address problem'])
    expect(said(found)).toContain(words)
  })

  it('where nobody listens is a problem', async () => {
    const gone = await served(healthy, async (url) => url)
    const found = await look(gone)
    expect(states(found)).toEqual(['Address problem'])
    expect(said(found)).toContain("can't be reached")
  })
})

describe('apps and AI', () => {
  it('names platforms without an app, and those that need https', () => {
    const env = readEnv({ INSTAGRAM_CLIENT_ID: '1', INSTAGRAM_CLIENT_SECRET: 's3cret' })
    const found = lookAtApps(env)
    expect(states(found)).toEqual(['Apps problem', 'Apps ok'])
    expect(said(found)).toMatch(/Instagram is set up, and needs a public https address/)
    expect(said(found)).toMatch(/Set: Instagram\. Organizations have to enter their own for .*TikTok/)
    expect(said(found)).not.toContain('s3cret')
  })

  it.each<[string, RequestListener, string, string]>([
    ['a key that is refused', (_, response) => void response.writeHead(401).end(), 'AI problem', 'refuses the key'],
    [
      'a model that is unknown',
      (_, response) => void response.end('{"data":[{"id":"other"}]}'),
      'AI warning',
      'AI_MODEL',
    ],
    ['what is asked for', (_, response) => void response.end('{"data":[{"id":"small"}]}'), 'AI ok', 'answers'],
  ])('asks the endpoint: %s', async (_, answer, state, words) => {
    const found = await served(answer, async (url) =>
      lookAtAi(readEnv({ AI_BASE_URL: `${url}/v1`, AI_MODEL: 'small', AI_API_KEY: 's3cret' })),
    )
    expect(states(found)).toEqual([state])
    expect(said(found)).toContain(words)
  })

  it.each<[string, RequestListener]>([
    ['refused', (_, response) => void response.writeHead(401).end()],
    ['not answered', (_, response) => void response.destroy()],
    ['answered', (_, response) => void response.end('{"data":[{"id":"small"}]}')],
  ])("doesn't say what opens the endpoint when it is %s", async (_, answer) => {
    const found = await served(answer, async (url) =>
      lookAtAi(
        readEnv({
          AI_BASE_URL: `${url.replace('://', '://user:s3cret@')}/v1?key=s3cret`,
          AI_MODEL: 'small',
          AI_API_KEY: 's3cret',
        }),
      ),
    )
    expect(said(found)).toMatch(/http:\/\/(?:localhost|127\.0\.0\.1):\d+\/v1/)
    expect(said(found)).not.toContain('s3cret')
  })
})

describe('backups', () => {
  it.each([
    [6, 'Backups ok'],
    [8, 'Backups warning'],
  ])('that are %i days old', (days, state) => {
    const DATA_DIR = join(folder(), 'data')
    mkdirSync(DATA_DIR)
    const takenAt = new Date(clock.now().getTime() - days * 86_400_000 - 1000).toISOString()
    rememberBackup(DATA_DIR, { takenAt, target: '/backups/monday.tar.gz' })
    const found = lookAtBackups(readEnv({ DATA_DIR }), clock)
    expect(states(found)).toEqual([state])
    expect(said(found)).toContain(takenAt.slice(0, 10))
    expect(said(found)).toContain('/backups/monday.tar.gz')
  })
})
