import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'

/** Whether a path names an archive rather than a folder. */
export function isArchive(path: string): boolean {
  return /\.(tar|tar\.gz|tgz)$/.test(path)
}

/**
 * Packs a folder's content into a new file that its owner alone may read: it holds keys. Compressed when the name ends
 * in gz. Needs the system's tar. Throws a sentence when the file exists.
 */
export async function pack(folder: string, file: string): Promise<void> {
  const made = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
      ? new Error(`${file} exists already: choose another name`)
      : error
  })
  await made.close()
  await tar([file.endsWith('.tar') ? '-cf' : '-czf', file, '-C', folder, '.'])
}

/** Unpacks an archive into a folder. */
export async function unpackInto(folder: string, file: string): Promise<void> {
  await tar(['-xpf', file, '-C', folder])
}

function tar(args: string[]): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn('tar', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', failed)
    child.once('close', (code) => (code === 0 ? done() : failed(new Error(`tar failed: ${complaint.trim()}`))))
  })
}
