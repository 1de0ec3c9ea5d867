import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { testClock } from '../clock.ts'
import { readEnv } from '../env.ts'
import { createLog } from '../log.ts'
import { until } from '../testing/until.ts'
import { mailServerProblem } from './check.ts'
import { MailDelayed, MailRefused, type Mail } from './mailer.ts'
import { outboxSender, shownOutbox } from './outbox.ts'
import { queuedMailer } from './queue.ts'
import { smtpSender } from './smtp.ts'
import { mail } from './template.ts'

const clock = testClock(new Date('2026-11-21T10:00:00Z'))
const written = () => {
  const lines: string[] = []
  return { lines, log: createLog('info', clock, (line) => void lines.push(line)) }
}
const one = mail('ada@example.org', '123456 is your Rookery code', [
  'Hello <Ada> & co,',
  { code: '123456' },
  { link: 'https://rookery.test/a?b=1&c=2', label: 'Go' },
])

describe('a mail', () => {
  it("is readable as text and as HTML, and names can't inject markup", () => {
    expect(one.text).toBe('Hello <Ada> & co,\n\n    123456\n\nhttps://rookery.test/a?b=1&c=2\n\nRookery\n')
    expect(one.html).toContain('Hello &lt;Ada&gt; &amp; co,')
    expect(one.html).toContain('href="https://rookery.test/a?b=1&amp;c=2"')
    expect(one.html).not.toContain('<Ada>')
  })
})

describe('the outbox', () => {
  it("stores each email as a file, newest last; the log has the file's name and not the code", async () => {
    const folder = mkdtempSync(join(inject('cluster').folder, 'mail-'))
    const { lines, log } = written()
    const send = outboxSender(folder, 'Rookery <rookery@localhost>', clock, log)
    await Promise.all([send(one), send({ ...one, to: 'b/../c@example.org', subject: 'Second' })])
    const names = readdirSync(join(folder, 'outbox')).toSorted()
    expect(names).toEqual([
      '000001-2026-11-21T10-00-00-to-ada@example.org.eml',
      '000002-2026-11-21T10-00-00-to-b_.._c@example.org.eml',
    ])
    const [first = ''] = names
    const file = readFileSync(join(folder, 'outbox', first), 'utf8')
    expect(file).toMatch(/^From: Rookery <rookery@localhost>$/m)
    expect(file).toMatch(/^Subject: 123456 is your Rookery code$/m)
    expect(file).toContain('\n    123456\n')
    expect(statSync(join(folder, 'outbox', first)).mode & 0o077).toBe(0)
    expect(lines.join('')).toContain(first)
    expect(lines.join('')).not.toContain('123456')
    const pdf = { filename: 'Month.pdf', content: Buffer.from('%PDF-1.7 a report'), contentType: 'application/pdf' }
    await send({ ...one, to: 'with@example.org', attachments: [pdf] })
    const attached = readdirSync(join(folder, 'outbox')).find((name) => name.includes('with@'))
    const eml = readFileSync(join(folder, 'outbox', attached ?? ''), 'utf8')
    expect(eml).toMatch(/^Content-Type: application\/pdf; name=Month.pdf$/m)
    expect(eml).toContain(pdf.content.toString('base64'))
    // a later start continues the numbers
    await outboxSender(folder, 'Rookery <rookery@localhost>', clock, log)(one)
    expect(readdirSync(join(folder, 'outbox')).toSorted().at(-1)).toMatch(/^000004-/)
  })
})

describe('the outbox of an installation without a mail server', () => {
  it.each([
    ['is shown to people at this machine', {}, '/var/rookery/outbox'],
    ['is not shown where a mail server is set', { SMTP_URL: 'smtp://mail.example.org' }, null],
    ['is not shown where others can reach the app', { HOST: '0.0.0.0' }, null],
    ['is not shown under a name', { PUBLIC_URL: 'https://rookery.example.org' }, null],
    ['is not shown behind a proxy', { TRUST_PROXY: '127.0.0.1' }, null],
  ])('%s', (_, more, folder) => {
    const request = {
      socket: { remoteAddress: '127.0.0.1' },
      raw: { httpVersion: '1.1' },
      headers: { host: 'localhost:3000' },
    }
    expect(shownOutbox(readEnv({ DATA_DIR: '/var/rookery', ...more }), request)).toBe(folder)
  })
})

describe('SMTP', () => {
  /** Just enough of a server to accept one email. */
  function smtpServer(
    // without an answer to the data, the connection ends
    answers: { mail?: string; rcpt?: string; data?: string | null } = {},
  ): Promise<{ server: Server; port: number; taken: string[] }> {
    const taken: string[] = []
    const server = createServer((socket) => {
      let inData = false
      socket.write('220 test\r\n')
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (inData) {
          taken.push(text)
          if (text.includes('\r\n.\r\n')) inData = false
          if (inData) return
          if (answers.data === null) socket.destroy()
          else socket.write(`${answers.data ?? '250 taken'}\r\n`)
        } else if (/^DATA/i.test(text)) {
          inData = true
          socket.write('354 go on\r\n')
        } else if (/^RCPT/i.test(text)) socket.write(`${answers.rcpt ?? '250 ok'}\r\n`)
        else if (/^MAIL/i.test(text)) socket.write(`${answers.mail ?? '250 ok'}\r\n`)
        else socket.write(/^QUIT/i.test(text) ? '221 bye\r\n' : '250 ok\r\n')
      })
    })
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve({ server, port: typeof address === 'object' && address ? address.port : 0, taken })
      })
    })
  }

  it("sends emails if it's configured", async () => {
    const { server, port, taken } = await smtpServer()
    await smtpSender(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Rookery <rookery@localhost>')(one)
    expect(taken.join('')).toContain('Subject: 123456 is your Rookery code')
    server.close()
  })

  it('includes the Message-ID and headers', async () => {
    const { server, port, taken } = await smtpServer()
    await smtpSender(
      `smtp://127.0.0.1:${port}?ignoreTLS=true`,
      'Rookery <rookery@localhost>',
    )({ ...one, messageId: '<1@rookery.test>', headers: { 'List-Unsubscribe': '<https://rookery.test/u>' } })
    expect(taken.join('')).toContain('Message-ID: <1@rookery.test>')
    expect(taken.join('')).toContain('List-Unsubscribe: <https://rookery.test/u>')
    server.close()
  })

  it('includes attachments', async () => {
    const { server, port, taken } = await smtpServer()
    const pdf = { filename: 'Été 2026.pdf', content: Buffer.from('%PDF-1.7 a report'), contentType: 'application/pdf' }
    await smtpSender(
      `smtp://127.0.0.1:${port}?ignoreTLS=true`,
      'Rookery <rookery@localhost>',
    )({ ...one, attachments: [pdf] })
    expect(taken.join('')).toContain(Buffer.from('%PDF-1.7 a report').toString('base64'))
    expect(taken.join('')).toMatch(/Content-Disposition: attachment/)
    server.close()
  })

  it.each([
    ['a full mailbox', { rcpt: '452 full' }],
    ['a message that is put off', { data: '451 later' }],
    ['a sender that is not allowed', { mail: '550 not you' }],
  ])('knows that nothing was sent after %s', async (_, answers) => {
    const { server, port } = await smtpServer(answers)
    const send = smtpSender(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Rookery <rookery@localhost>')
    await expect(send(one)).rejects.toBeInstanceOf(MailDelayed)
    server.close()
  })

  it('knows that nothing was sent to a server that cannot be reached', async () => {
    const { server, port } = await smtpServer()
    await new Promise((resolve) => void server.close(resolve))
    const send = smtpSender(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Rookery <rookery@localhost>')
    await expect(send(one)).rejects.toBeInstanceOf(MailDelayed)
  })

  it('does not know what became of an email whose connection ends before the answer', async () => {
    const { server, port } = await smtpServer({ data: null })
    const send = smtpSender(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Rookery <rookery@localhost>')
    const failure = await send(one).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure instanceof MailDelayed || failure instanceof MailRefused).toBe(false)
    server.close()
  })

  it.each([
    ['an address that does not exist is refused for good', { rcpt: '550 no such mailbox' }, true],
    ['a full mailbox is not', { rcpt: '452 full' }, false],
    ['a sender that is not allowed speaks of our settings', { mail: '550 not you' }, false],
  ])('%s', async (_, answers, final) => {
    const { server, port } = await smtpServer(answers)
    const refusal = await smtpSender(
      `smtp://127.0.0.1:${port}?ignoreTLS=true`,
      'Rookery <rookery@localhost>',
    )(one).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal instanceof MailRefused).toBe(final)
    server.close()
  })
})

describe('the check of the mail server', () => {
  /** A server on a port of this machine; the socket is handled by `answer`. */
  const served = async (answer: (socket: Socket) => void, check: (address: string) => Promise<void>) => {
    const server = createServer((socket) => answer(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await check(`127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    server.close()
  }
  /** Answers as a mail server that people log in to, `auth` to their login. */
  const greets = (auth: string) => (socket: Socket) => {
    socket.write('220 test\r\n')
    socket.on('data', (chunk) =>
      socket.write(/^AUTH/i.test(String(chunk)) ? `${auth}\r\n` : '250-test\r\n250 AUTH PLAIN\r\n'),
    )
  }

  it('finds nothing wrong with one that accepts our login', async () => {
    await served(greets('235 welcome'), async (address) => {
      expect(await mailServerProblem(`smtp://ada:s3cret@${address}?ignoreTLS=true`)).toBeNull()
    })
  })

  it('says that it refuses the login, without the password', async () => {
    await served(greets('535 5.7.8 wrong'), async (address) => {
      const problem = await mailServerProblem(`smtp://ada:s3cret@${address}?ignoreTLS=true`)
      expect(problem).toMatch(/^The mail server .* refuses the user or the password in SMTP_URL: .*535 5\.7\.8 wrong/)
      expect(problem).not.toContain('s3cret')
    })
  })

  it.each([
    ['one that is silent', 'smtp', () => undefined, /doesn't answer.*firewall/],
    ['one that speaks no TLS', 'smtps', (socket: Socket) => void socket.end('220 plain\r\n'), /TLS/],
  ])('says what to look at for %s', async (_, scheme, answer, words) => {
    await served(answer, async (address) => {
      expect(await mailServerProblem(`${scheme}://${address}`, 300)).toMatch(words)
    })
  })

  it('says that nothing answers', async () => {
    let gone = ''
    await served(
      () => undefined,
      async (address) => {
        gone = address
      },
    )
    expect(await mailServerProblem(`smtp://${gone}`)).toBe(
      `No mail server answers at ${gone}. Check its name and port in SMTP_URL.`,
    )
  })
})

describe('the queue', () => {
  it('retries, then gives up, without the request noticing', async () => {
    const { lines, log } = written()
    const tries: Mail[] = []
    const mailer = queuedMailer(
      async (handed) => {
        tries.push(handed)
        if (handed.to !== 'third@example.org' || tries.filter((tried) => tried.to === handed.to).length < 3)
          throw new Error('refused')
      },
      log,
      [0, 0],
    )
    mailer.post({ ...one, to: 'third@example.org' })
    mailer.post({ ...one, to: 'never@example.org' })
    mailer.post(async () => {
      throw new Error('could not be written')
    })
    mailer.post(async () => null)
    // without asking to close: retries run on their own
    await until(() => tries.length === 6)
    await mailer.close()
    expect(lines.filter((line) => line.includes("couldn't be sent"))).toHaveLength(5)
    expect(lines.filter((line) => line.includes('could not be written'))).toHaveLength(1)
    expect(lines.join('')).not.toContain('123456')
  })

  it('sends once for a job, and reports the result', async () => {
    const { lines, log } = written()
    let tries = 0
    const failing = queuedMailer(
      async () => {
        tries += 1
        throw new Error('refused')
      },
      log,
      [0],
    )
    await expect(failing.send(one)).rejects.toThrow('refused')
    expect(tries).toBe(1)
    await failing.close()
    expect(lines).toEqual([])
  })
})
