import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { chainLines } from './audit/exportedChain.ts'
import { sealAudit } from './audit/seal.ts'
import { writeCopy } from './db/archive.ts'
import { asSystem } from './db/system.ts'
import { activeKillSwitches } from './delivery/killSwitch.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { plainEnvironment } from './testing/program.ts'

// `npm run rookery -- …`. A start of Node takes most of a second, so commands run in this process, except where a test is
// about the program.

const ROOKERY = fileURLToPath(new URL('../bin/rookery.js', import.meta.url))
const files = new Map(
  globSync('*/commands/*.ts', { cwd: import.meta.dirname }).map((path) => [
    basename(path, '.ts'),
    join(import.meta.dirname, path),
  ]),
)
const COMMANDS = [
  'audit',
  'backup',
  'doctor',
  'drop-second-factor',
  'dump',
  'link-in-bio',
  'load',
  'publishing',
  'restore',
  'rotate-keys',
  'short-link',
]
const ORG = '01920000-0000-7000-8000-000000000001'

let database: TestDatabase
let folder: string
let address: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(inject('cluster').folder, 'commands-'))
  const { superuser } = inject('cluster')
  address = `postgres://${superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${database.settings.app.database}?host=${encodeURIComponent(superuser.host)}`
  await database.owner.query(`
    insert into person (id, email, password_hash, first_name, last_name, confirmed_at, created_at)
      values ('${ORG}', 'a@example.org', '', 'Ada', 'L', now(), now());
    insert into organization (org_id, name, org_type, org_size, created_at, created_by)
      values ('${ORG}', 'Northlight', 'organization', '1', now(), '${ORG}');
  `)
})
afterAll(() => database.drop())

type Said = { code: number; output: string }

const environment = (more: Record<string, string>) => ({
  ...plainEnvironment(),
  DATA_DIR: join(folder, 'data'),
  ...more,
})

/** The program, as a person starts it. */
function start(args: string[], more: Record<string, string> = {}): Promise<Said> {
  const env = environment(more)
  return new Promise((resolve) =>
    execFile(process.execPath, [ROOKERY, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    ),
  )
}

let runs = 0
/** The command alone, which runs when its file is loaded: with these arguments, and nothing else in its environment. */
async function rookery([name = '', ...args]: string[], more: Record<string, string> = {}): Promise<Said> {
  const file = files.get(name) ?? ''
  const before = { argv: process.argv, env: process.env }
  const written: string[] = []
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0
  const outputs = [process.stdout, process.stderr].map((out) => vi.spyOn(out, 'write').mockImplementation(write))
  Object.assign(process, { argv: [process.execPath, file, ...args], env: environment(more) })
  try {
    await import(/* @vite-ignore */ `${file}?run=${(runs += 1)}`)
    return { code: Number(process.exitCode ?? 0), output: written.join('') }
  } finally {
    Object.assign(process, before)
    process.exitCode = undefined
    for (const output of outputs) output.mockRestore()
  }
}

describe('rookery', () => {
  it.each(['--help', '-h', 'help'])('lists every command with %s', async (word) => {
    const { code, output } = await start([word])
    expect(code).toBe(0)
    for (const name of COMMANDS) expect(output).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it.each(COMMANDS)('explains %s with --help, and does nothing else', async (name) => {
    const { code, output } = await start([name, '--help'])
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(`Usage: npm run rookery -- ${name}`),
    })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it.each(COMMANDS)("refuses an option that %s doesn't have, before it does anything", async (name) => {
    const { code, output } = await rookery([name, '--nonsense'])
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Usage: npm run rookery -- ') })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('the program', () => {
  it('ends with the code of its command, and says what that says', async () => {
    const publishing = ['publishing', 'hold', 'platform']
    const env = { DATABASE_URL: address }
    expect(await start([...publishing, 'bluesky', 'for', 'a', 'test'], env)).toEqual({
      code: 0,
      output: expect.stringMatching(/^Paused: platform bluesky, since .*: for a test\n$/),
    })
    expect(await start(['publishing', 'resume', 'platform', 'bluesky'], env)).toEqual({
      code: 0,
      output: 'Publishing is running.\n',
    })
    expect(await start([...publishing, 'nosuchplatform'], env)).toEqual({
      code: 1,
      output: expect.stringContaining('There is no platform "nosuchplatform"'),
    })
  })

  it("refuses a command that doesn't exist, and an option that a command doesn't have", async () => {
    expect(await start(['nosuch'])).toEqual({
      code: 1,
      output: expect.stringMatching(/^Unknown command "nosuch".\nUsage: npm run rookery -- <command>/),
    })
    expect(await start(['audit', '--nonsense'])).toEqual({
      code: 1,
      output: expect.stringContaining('Usage: npm run rookery -- '),
    })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('rookery publishing', () => {
  const publishing = (...args: string[]) => rookery(['publishing', ...args], { DATABASE_URL: address })
  const held = async () => (await activeKillSwitches(database.databases.system)).map(({ scope, name }) => [scope, name])

  it.each(['hold', 'resume'])("refuses to %s names that don't exist, and lists those that do", async (verb) => {
    expect(await publishing(verb, 'platform', 'nosuchplatform')).toEqual({
      code: 1,
      output: expect.stringMatching(/There is no platform "nosuchplatform"\. There are: .*bluesky/),
    })
    for (const id of ['not-a-uuid', '01920000-0000-7000-8000-00000000ffff'])
      expect(await publishing(verb, 'organization', id)).toEqual({
        code: 1,
        output: expect.stringContaining(`There are:\n  ${ORG}  Northlight`),
      })
    expect(await publishing(verb, 'credentials', 'x:own')).toMatchObject({ code: 1 })
    expect(await publishing(verb, 'platform')).toMatchObject({ code: 1, output: expect.stringContaining('Usage') })
    expect(await held()).toEqual([])
  })

  it('pauses and resumes what exists, and says what is paused', async () => {
    expect(await publishing('hold', 'organization', ORG, 'asked', 'by', 'phone')).toEqual({
      code: 0,
      output: expect.stringMatching(new RegExp(`^Paused: organization ${ORG}, since .*: asked by phone\n$`)),
    })
    expect(await held()).toEqual([['organization', ORG]])
    expect(await publishing('resume', 'platform', 'bluesky')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Publishing for bluesky was not paused.'),
    })
    expect(await publishing('resume', 'organization', ORG)).toEqual({ code: 0, output: 'Publishing is running.\n' })
    expect(await held()).toEqual([])
  })
})

describe('rookery link-in-bio', () => {
  const linkInBio = (...args: string[]) => rookery(['link-in-bio', ...args], { DATABASE_URL: address })
  const page = '01920000-0000-7000-8000-000000000003'
  beforeAll(() =>
    database.owner.query(`
      insert into project (org_id, id, name, zone, created_at, created_by)
        values ('${ORG}', '01920000-0000-7000-8000-000000000002', 'Harbor', 'UTC', now(), '${ORG}');
      insert into bio_page (org_id, id, project_id, name, theme, live, created_at, updated_at)
        values ('${ORG}', '${page}', '01920000-0000-7000-8000-000000000002', 'Harbor', 'paper', true, now(), now());
      insert into bio_slug (org_id, slug, project_id, page_id, kept_until)
        values ('${ORG}', 'harbor', '01920000-0000-7000-8000-000000000002', '${page}', null),
          ('${ORG}', 'old-harbor', '01920000-0000-7000-8000-000000000002', '${page}', now() + interval '1 day');
      insert into bio_report (id, org_id, page_id, slug, reason, words, email, created_at)
        values ('${page}', '${ORG}', '${page}', 'old-harbor', 'phishing', E'Asks for\nmy password\u009b2J\u202e', 'ann@example.org', '2026-11-20T08:00:00Z')
    `),
  )
  const state = async () =>
    (await database.owner.query('select blocked_at is not null as off, blocked_reason as reason from bio_page')).rows

  it('lists what was reported, one line for what someone wrote', async () => {
    expect(await linkInBio('reports')).toEqual({
      code: 0,
      output:
        '2026-11-20T08:00:00.000Z, old-harbor, phishing\n  "Asks for\\nmy password\\u009b2J\\u202e"\n  from ann@example.org\n',
    })
  })

  it('turns a page off, also by an earlier or a full address, and on again', async () => {
    expect(await linkInBio('block', 'https://rookery.example/b/Old-Harbor?x=1', 'Asks', 'for', 'passwords')).toEqual({
      code: 0,
      output: 'The page harbor is off. 1 report is marked as handled.\n',
    })
    expect(await state()).toEqual([{ off: true, reason: 'Asks for passwords' }])
    expect(await linkInBio('reports')).toEqual({ code: 0, output: 'There are no reports.\n' })
    expect((await linkInBio('reports', 'all')).output).toContain('phishing, the page is off, handled')
    expect(await linkInBio('unblock', 'harbor')).toEqual({ code: 0, output: 'The page harbor is on again.\n' })
    expect(await state()).toEqual([{ off: false, reason: null }])
  })

  it.each([
    [['block', 'harbor']],
    [['block']],
    [['unblock']],
    [['unblock', 'harbor', 'x']],
    [['reports', 'x']],
    [['x']],
    [[]],
  ])('shows its usage, and does nothing, for %j', async (args) => {
    expect(await linkInBio(...args)).toMatchObject({ code: 1, output: expect.stringContaining('Usage') })
    expect(await state()).toEqual([{ off: false, reason: null }])
  })

  it("says when there's no such page", async () => {
    expect(await linkInBio('block', 'nowhere', 'x')).toEqual({ code: 1, output: 'There is no page at nowhere.\n' })
  })
})

describe('rookery short-link', () => {
  const shortLink = (...args: string[]) => rookery(['short-link', ...args], { DATABASE_URL: address })
  beforeAll(() =>
    database.owner.query(`
      insert into project (org_id, id, name, zone, created_at, created_by)
        values ('${ORG}', '01920000-0000-7000-8000-000000000004', 'Links', 'UTC', now(), '${ORG}');
      insert into person (id, email, password_hash, first_name, last_name, created_at) values ('${ORG}', 'ada@links.example', 'x', 'Ada', 'L', now()) on conflict do nothing;
      insert into post (org_id, id, project_id, author_id, state, post_type, contents, schedule, zone, shown_at, created_at, updated_at)
        values ('${ORG}', '${ORG}', '01920000-0000-7000-8000-000000000004', '${ORG}', 'DRAFTS', 'post', '[]', '{}', 'UTC', now(), now(), now());
      insert into short_link (org_id, code, project_id, post_id, url, created_at)
        values ('${ORG}', 'abcd2345', '01920000-0000-7000-8000-000000000004', '${ORG}', 'https://a.example/', now())`),
  )
  const isOff = async () =>
    (await database.owner.query('select blocked_at is not null as off from short_link')).rows[0] as unknown

  it('turns a link off, also by its full address, and on again', async () => {
    expect(await shortLink('block', 'https://rk.example/s/ABCD2345?x=1')).toEqual({
      code: 0,
      output: 'The short link to https://a.example/ is off. Every node knows within a minute.\n',
    })
    expect(await isOff()).toEqual({ off: true })
    expect(await shortLink('unblock', 'abcd2345')).toEqual({
      code: 0,
      output: 'The short link leads to https://a.example/ again.\n',
    })
    expect(await isOff()).toEqual({ off: false })
  })

  it.each([[['block']], [['block', 'abcd2345', 'x']], [['x', 'abcd2345']], [[]]])(
    'shows its usage, and does nothing, for %j',
    async (args) => {
      expect(await shortLink(...args)).toMatchObject({ code: 1, output: expect.stringContaining('Usage') })
      expect(await isOff()).toEqual({ off: false })
    },
  )

  it("says when there's no such link", async () => {
    expect(await shortLink('block', 'nowhere1')).toEqual({ code: 1, output: 'There is no short link nowhere1.\n' })
  })
})

describe('rookery audit', () => {
  const audit = (...args: string[]) => rookery(['audit', ...args], { DATABASE_URL: address })
  const NOBODY = '01920000-0000-7000-8000-00000000ffff'

  it("fails in plain words for an organization that doesn't exist, and for one whose audit was emptied", async () => {
    expect(await audit('verify', '--org', NOBODY)).toEqual({
      code: 1,
      output: expect.stringContaining(`There is no organization ${NOBODY}`),
    })
    expect(await audit('verify', '--org', ORG)).toEqual({
      code: 1,
      output: expect.stringContaining(`${ORG}: BROKEN: it has no entries at all`),
    })
    expect(await audit('heads')).toMatchObject({ code: 1 })
  })

  it('prints heads, and checks those that were kept in a file', async () => {
    await database.owner.query(
      "insert into audit (org_id, id, at, action, entity) select $1, gen_random_uuid(), o.created_at, 'created', 'organization' from organization o where o.org_id = $1",
      [ORG],
    )
    await sealAudit(database.databases.system, new Date())
    const heads = await audit('heads')
    expect(heads).toEqual({ code: 0, output: expect.stringMatching(new RegExp(`^${ORG} [0-9a-f]{64}\n$`)) })
    const head = heads.output.trim().split(' ')[1] ?? ''
    const kept = join(folder, 'heads.txt')
    writeFileSync(kept, heads.output)
    const good = { code: 0, output: `${ORG}: OK, 1 sealed entry, head ${head}\n` }
    expect(await audit('verify')).toEqual(good)
    expect(await audit('verify', '--heads', kept)).toEqual(good)
    expect(await audit('verify', '--org', ORG, '--head', head)).toEqual(good)
    const foreign = 'ab'.repeat(32)
    expect(await audit('verify', '--org', ORG, '--head', foreign)).toEqual({
      code: 1,
      output: expect.stringContaining("the head that you kept isn't in the chain"),
    })
    writeFileSync(kept, `${heads.output}${NOBODY} ${head}\n`)
    expect(await audit('verify', '--heads', kept)).toEqual({ code: 1, output: expect.stringContaining(NOBODY) })
    writeFileSync(kept, 'nonsense')
    expect(await audit('verify', '--heads', kept)).toEqual({ code: 1, output: expect.stringContaining('Line 1 of') })
  })

  it('verifies the file of a copy without a database', async () => {
    const lines = await asSystem(database.databases.system, async (tx) => await Array.fromAsync(chainLines(tx, ORG)))
    const path = join(folder, 'audit-chain.jsonl')
    writeFileSync(path, lines.join(''))
    const verify = () => rookery(['audit', 'verify', '--export', path])
    expect(await verify()).toEqual({ code: 0, output: expect.stringContaining(`${ORG}: OK, 1 sealed entry, head `) })
    writeFileSync(path, lines.join('').replace('"created"', '"deleted"'))
    expect(await verify()).toEqual({ code: 1, output: expect.stringContaining('BROKEN: entry 1') })
    expect(await rookery(['audit', 'verify', '--export', join(folder, 'none')])).toMatchObject({ code: 1 })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it.each([
    [['verify', '--head', 'ab'.repeat(32)]],
    [['verify', '--org', 'x']],
    [['heads', '--org', ORG]],
    [['verify', '--org', ORG, '--export', 'x']],
  ])('says how it is called for %j', async (args) => {
    expect(await audit(...args)).toEqual({
      code: 1,
      output: expect.stringContaining('Usage: npm run rookery -- audit'),
    })
  })
})

describe('a backup or dump', () => {
  const source = () => join(folder, 'source')
  const fill = async (into: string) => writeFileSync(join(into, 'half'), 'written')
  beforeAll(() => mkdirSync(source()))

  it('is refused with an explanation before anything is written', async () => {
    const taken = join(folder, 'taken.tar.gz')
    writeFileSync(taken, '')
    const before = readdirSync(folder)
    await expect(writeCopy('/nonexistent/x.tar.gz', source(), fill)).rejects.toThrow(
      "The folder /nonexistent doesn't exist",
    )
    await expect(writeCopy(taken, source(), fill)).rejects.toThrow('already exists')
    await expect(writeCopy(folder, source(), fill)).rejects.toThrow('is not empty')
    for (const inside of ['x.tar', 'x', 'new/deeper/x', 'new/deeper/x.tgz'])
      await expect(writeCopy(join(source(), inside), source(), fill)).rejects.toThrow('inside DATA_DIR')
    expect(readdirSync(folder)).toEqual(before)
    expect(readdirSync(source())).toEqual([])
  })

  it.each(['broken.tar.gz', 'broken'])('that fails half way leaves nothing behind (%s)', async (name) => {
    const before = readdirSync(folder)
    const broken = async (into: string) => {
      await fill(into)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    await expect(writeCopy(join(folder, name), source(), broken)).rejects.toThrow('ENOSPC')
    expect(readdirSync(folder)).toEqual(before)
  })

  it('says what the file system means', async () => {
    const restored = await rookery(['restore', '/nonexistent/x.tar.gz'])
    expect(restored).toEqual({ code: 1, output: '/nonexistent/x.tar.gz does not exist\n' })
  })

  it('that is damaged says so, and leaves nothing that the next try has to clean up', async () => {
    const damaged = join(folder, 'damaged.tar.gz')
    writeFileSync(damaged, 'not an archive')
    const DATA_DIR = join(folder, 'restored')
    for (let tries = 0; tries < 2; tries += 1) {
      const { code, output } = await rookery(['restore', damaged], { DATA_DIR })
      expect(code).toBe(1)
      expect(output).toContain(`${damaged} is damaged, or isn't an archive. Restore another backup`)
      expect(readdirSync(DATA_DIR)).toEqual(['run'])
    }
  })
})
