import { describe, expect, it } from 'vitest'
import { readEnv } from './env.ts'

it('asks the public directory of accounts, the simulated one in development, or the one that is named', () => {
  expect(readEnv({}).plcDirectory).toBe('https://plc.directory')
  expect(readEnv({ SIMULATED_CHANNELS: '1', SIMULATOR_PORT: '4456' }).plcDirectory).toBe('http://127.0.0.1:4456')
  expect(readEnv({ SIMULATED_CHANNELS: '1', PLC_DIRECTORY: 'https://plc.example.org' }).plcDirectory).toBe(
    'https://plc.example.org',
  )
  expect(() => readEnv({ PLC_DIRECTORY: 'plc.example.org' })).toThrow('PLC_DIRECTORY')
})

it('takes the video service of Bluesky, another one by https, or none', () => {
  expect(readEnv({}).BLUESKY_VIDEO_SERVICE).toBe('https://video.bsky.app')
  expect(readEnv({ BLUESKY_VIDEO_SERVICE: 'https://video.example.org/' }).BLUESKY_VIDEO_SERVICE).toBe(
    'https://video.example.org',
  )
  expect(readEnv({ BLUESKY_VIDEO_SERVICE: 'none' }).BLUESKY_VIDEO_SERVICE).toBe('none')
  expect(() => readEnv({ BLUESKY_VIDEO_SERVICE: 'http://video.example.org' })).toThrow('BLUESKY_VIDEO_SERVICE')
})

it('wants the model that an AI endpoint is asked for', () => {
  expect(readEnv({ AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'small' }).AI_MODEL).toBe('small')
  expect(() => readEnv({ AI_BASE_URL: 'http://127.0.0.1:11434/v1' })).toThrow('AI_MODEL')
})

it('accepts simulators only on this machine, with simulated channels, and never in production', () => {
  const simulated = { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: 'http://127.0.0.1:4456/' }
  expect(readEnv(simulated)).toMatchObject({
    SIMULATED_PLATFORMS: 'http://127.0.0.1:4456',
    OUTGOING_ALLOW: ['127.0.0.1:4455', '127.0.0.1:4456'],
  })
  expect(readEnv({}).SIMULATED_PLATFORMS).toBeUndefined()
  expect(() => readEnv({ SIMULATED_PLATFORMS: simulated.SIMULATED_PLATFORMS })).toThrow(
    'SIMULATED_PLATFORMS: set SIMULATED_CHANNELS',
  )
  expect(() => readEnv({ ...simulated, SIMULATED_PLATFORMS: 'http://simulators.example' })).toThrow(
    'SIMULATED_PLATFORMS: an http address on this machine',
  )
  expect(() => readEnv({ ...simulated, PUBLIC_URL: 'https://rookery.example' })).toThrow(
    "can't be used with a public https URL",
  )
  expect(() => readEnv({ ...simulated, NODE_ENV: 'production' })).toThrow("can't be used with NODE_ENV=production")
  expect(() => readEnv({ SIMULATED_CHANNELS: '1', NODE_ENV: 'production' })).toThrow(
    "can't be used with NODE_ENV=production",
  )
  expect(readEnv({ ...simulated, NODE_ENV: 'development' }).SIMULATED_CHANNELS).toBe(true)
})

it('reads what is registered at each platform, both values or neither', () => {
  expect(
    readEnv({ FACEBOOK_CLIENT_ID: ' 123 ', FACEBOOK_CLIENT_SECRET: 'abc', X_CLIENT_ID: '', X_CLIENT_SECRET: '' }).apps,
  ).toEqual({ facebook: { clientId: '123', clientSecret: 'abc' } })
  expect(
    readEnv({
      LINKEDIN_PAGES_CLIENT_ID: 'pages',
      LINKEDIN_PAGES_CLIENT_SECRET: 'abc',
      PINTEREST_CLIENT_ID: 'pins',
      PINTEREST_CLIENT_SECRET: 'abc',
      PINTEREST_SANDBOX: '1',
    }).apps,
  ).toEqual({
    linkedin_pages: { clientId: 'pages', clientSecret: 'abc' },
    pinterest: { clientId: 'pins', clientSecret: 'abc', sandbox: true },
  })
  expect(() => readEnv({ FACEBOOK_SANDBOX: '1' })).toThrow('FACEBOOK_SANDBOX: this platform has no sandbox')
  expect(() => readEnv({ PINTEREST_SANDBOX: '1' })).toThrow('PINTEREST_SANDBOX: set PINTEREST_CLIENT_ID')
  expect(() => readEnv({ X_CLIENT_ID: '123' })).toThrow('X_CLIENT_ID, X_CLIENT_SECRET: set both, or neither')
})

it('names the support address: the one that is set, else the sender if mail is really sent, else none', () => {
  expect(
    readEnv({
      SUPPORT_EMAIL: 'help@rookery.example',
      SMTP_URL: 'smtp://mail',
      MAIL_FROM: 'Rookery <noreply@rookery.example>',
    }).contact,
  ).toBe('help@rookery.example')
  expect(readEnv({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'Rookery <post@rookery.example>' }).contact).toBe(
    'post@rookery.example',
  )
  expect(readEnv({}).contact).toBeNull()
  expect(() => readEnv({ SUPPORT_EMAIL: 'help' })).toThrow('SUPPORT_EMAIL')
})

describe('the object store', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

  it('is none unless a bucket is named', () => {
    expect(readEnv({}).objectStore).toBeUndefined()
    expect(() => readEnv({ S3_ENDPOINT: 'https://s3.example.org' })).toThrow('S3_BUCKET')
    expect(() => readEnv(keys)).toThrow('S3_BUCKET')
  })

  it('is Amazon S3 unless an endpoint is named, which gets the bucket in its path', () => {
    expect(readEnv({ S3_BUCKET: 'files' }).objectStore).toEqual({
      bucket: 'files',
      endpoint: undefined,
      region: 'us-east-1',
      credentials: undefined,
      prefix: '',
      pathStyle: false,
    })
    const elsewhere = { S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example.org', S3_REGION: 'eu-1', ...keys }
    expect(readEnv(elsewhere).objectStore).toMatchObject({
      endpoint: 'https://s3.example.org',
      region: 'eu-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      pathStyle: true,
    })
    expect(readEnv({ ...elsewhere, S3_PATH_STYLE: '0' }).objectStore?.pathStyle).toBe(false)
  })

  it('takes both keys or neither, and a prefix with or without slashes around it', () => {
    expect(() => readEnv({ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' })).toThrow('S3_SECRET_ACCESS_KEY')
    expect(readEnv({ S3_BUCKET: 'files', S3_PREFIX: '/team/a/' }).objectStore?.prefix).toBe('team/a/')
    expect(() => readEnv({ S3_BUCKET: 'files', S3_PREFIX: 'a b' })).toThrow('S3_PREFIX')
  })
})

describe('PUBLIC_URL and SHORT_URL', () => {
  it.each([
    ['https://rookery.example/', 'https://rookery.example'],
    ['HTTPS://Rookery.Example:443', 'https://rookery.example'],
    ['http://rookery.example:80/', 'http://rookery.example'],
    ['https://rookery.example:8443', 'https://rookery.example:8443'],
    [' https://rookery.example ', 'https://rookery.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
    ['http://[2001:db8::1]:3000/', 'http://[2001:db8::1]:3000'],
  ])('%s is the origin %s', (given, origin) => {
    expect(readEnv({ PUBLIC_URL: given, SHORT_URL: given })).toMatchObject({ publicUrl: origin, shortUrl: origin })
  })

  it.each([
    ['https://rookery.example/app', "can't have a path"],
    ['https://rookery.example//', "can't have a path"],
    ['https://ada:s3cret@rookery.example', "can't have a user or a password"],
    ['https://rookery.example?x=1', "can't have anything after its name"],
    ['https://rookery.example/#top', "can't have anything after its name"],
    ['rookery.example', "isn't a web address"],
    ['ftp://rookery.example', "isn't a web address"],
    ['https://', "isn't a web address"],
    ['', "isn't a web address"],
  ])('%s is refused with what to write', (given, why) => {
    for (const name of ['PUBLIC_URL', 'SHORT_URL']) {
      const read = () => readEnv({ [name]: given })
      expect(read).toThrow(name)
      expect(read).toThrow(why)
      expect(read).toThrow('https://rookery.example')
      expect(read).not.toThrow('s3cret')
    }
  })
})

describe('SMTP_URL', () => {
  it.each([
    'smtp://mail',
    'smtp://mail.example:25',
    'smtps://ada:p%40ss%231%2F%3F@mail.example',
    'smtp://ada%40example.org:secret@mail.example:587?pool=true&tls.rejectUnauthorized=false',
    'smtp://ada:p@ss@mail.example',
    'smtp://[2001:db8::1]:2525/',
  ])('may be %s', (url) => {
    expect(readEnv({ SMTP_URL: url }).SMTP_URL).toBe(url)
  })

  it.each([
    ['mail.example', 'URL of a mail server'],
    ['mail.example:587', 'not mail.example://'],
    ['https://ada:s3cret@mail.example', 'not https://'],
    ['smtp://', 'name of the mail server is missing'],
    ['smtp://ada:s3cret', 'encoded'],
    ['smtp://ada:s3cret#x@mail.example', 'encoded'],
    ['smtp://ada:1234#s3cret@mail.example', 'encoded'],
    ['smtp://ada:1234/s3cret@mail.example', 'encoded'],
    ['smtp://ada:1234?s3cret@mail.example', 'encoded'],
    ['smtp://ada:s3cret%@mail.example', '%25'],
    ['smtp://:s3cret@mail.example', 'without a user'],
    ['smtp://ada:s3cret@mail.example:port', 'encoded'],
  ])('%s is refused with how to write it, and without repeating it', (url, why) => {
    const read = () => readEnv({ SMTP_URL: url })
    expect(read).toThrow(why)
    expect(read).toThrow('SMTP_URL')
    expect(read).toThrow('smtp://user:password@mail.example:587')
    expect(read).not.toThrow('s3cret')
  })
})

it.each(['Rookery', 'Rookery <hello>', '<>', 'a@b.example, c@d.example <x>'])('MAIL_FROM can’t be %s', (from) => {
  expect(() => readEnv({ MAIL_FROM: from })).toThrow('MAIL_FROM: write it as a name and an address')
})
