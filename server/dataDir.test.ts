import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { closeDataDir } from './dataDir.ts'
import { diskStore } from './media/diskStore.ts'

let root: string
let warned: { facts: Record<string, unknown>; message: string }[]
const log = { warn: (facts: Record<string, unknown>, message: string) => void warned.push({ facts, message }) }
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rookery-data-dir-'))
  warned = []
})

const modeOf = (...path: string[]) => (statSync(join(root, ...path)).mode & 0o777).toString(8)
const openFolder = (...path: string[]) => {
  mkdirSync(join(root, ...path), { recursive: true })
  chmodSync(join(root, ...path), 0o755)
}
const openFile = (...path: string[]) => {
  writeFileSync(join(root, ...path), 'ours')
  chmodSync(join(root, ...path), 0o644)
}

describe.skipIf(process.platform === 'win32')('DATA_DIR', () => {
  it('is closed to other accounts where it existed before, media included', () => {
    openFolder('data')
    openFolder('data', 'media', 'org')
    openFolder('data', 'media')
    openFile('data', 'media', 'org', 'asset')
    closeDataDir(join(root, 'data'), log)
    expect([modeOf('data'), modeOf('data', 'media'), modeOf('data', 'media', 'org')]).toEqual(['700', '700', '700'])
    expect(modeOf('data', 'media', 'org', 'asset')).toBe('600')
    expect(warned).toEqual([])
  })

  it('is made closed, with the folders above it left as they are', () => {
    closeDataDir(join(root, 'new', 'data'), log)
    expect(modeOf('new', 'data')).toBe('700')
    openFolder('above')
    openFolder('above', 'data')
    closeDataDir(join(root, 'above', 'data'), log)
    expect([modeOf('above'), modeOf('above', 'data')]).toEqual(['755', '700'])
  })

  it("that also holds what isn't ours keeps its mode, and the log says so; our folders in it are closed", () => {
    openFolder('shared')
    openFile('shared', 'photo.jpg')
    openFolder('shared', 'media')
    closeDataDir(join(root, 'shared'), log)
    expect([modeOf('shared'), modeOf('shared', 'photo.jpg'), modeOf('shared', 'media')]).toEqual(['755', '644', '700'])
    expect(warned).toEqual([
      { facts: { folder: join(root, 'shared'), strange: ['photo.jpg'] }, message: expect.stringContaining('DATA_DIR') },
    ])
  })

  it.skipIf(process.getuid?.() === 0)('of another account is left alone, and the log says so', () => {
    closeDataDir('/usr', log)
    expect(warned).toMatchObject([{ facts: { folder: '/usr', owner: 0 } }])
  })

  it('follows no link out of it', () => {
    openFolder('elsewhere')
    openFolder('data')
    symlinkSync(join(root, 'elsewhere'), join(root, 'data', 'media'))
    closeDataDir(join(root, 'data'), log)
    expect(modeOf('elsewhere')).toBe('755')
  })

  it('keeps new media to the account of the app, whatever the umask', async () => {
    const store = diskStore(join(root, 'media'))
    openFile('upload')
    await store.put('ab/cd', Buffer.from('ours'))
    await store.take('ab/ef', join(root, 'upload'))
    expect([modeOf('media', 'ab'), modeOf('media', 'ab', 'cd'), modeOf('media', 'ab', 'ef')]).toEqual([
      '700',
      '600',
      '600',
    ])
  })
})
