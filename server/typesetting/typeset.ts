import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fairQueue, NOBODYS } from '../media/fairQueue.ts'

/** A document to set. Text of people is only ever in `data`, which the template reads as JSON: it is never source. */
export type Order = {
  /** Typst source, one of the product's own templates. */
  template: string
  data: Record<string, unknown>
  /** The document's date, which makes the same order the same bytes. */
  createdAt: Date
  /** Pictures that the template shows, by their names there, such as `/pictures/1.jpg`. It finds no other file. */
  files?: Readonly<Record<string, Uint8Array>>
  /** A picture of all its pages in one, or one of each, instead; letters are shapes. */
  as?: 'svg' | 'pages'
  /** Of `pages`: so many; with 0, they're only counted. */
  most?: number
}

/** What the compiler process answers. */
export type Outcome = Made | { problem: string }
type Made = { missing: readonly string[] } & (
  | { pdf: Uint8Array; count: number }
  | { svg: string }
  | { pages: string[]; count: number; marks: unknown[] }
)

export type Typeset = {
  pdf: Buffer
  /** Its pages. */
  count: number
  /**
   * Scripts ("Chinese characters") and characters ("U+12000") that no font here can show. The template names them in the
   * document; without any, the document conforms to PDF/UA-1.
   */
  missing: readonly string[]
}

export type Bounds = {
  /** Milliseconds for one document, including the start of the process. */
  patience: number
  /** Bytes of memory of the process. Enforced where /proc exists, that is on Linux. */
  memory: number
}

const BOUNDS: Bounds = { patience: 20_000, memory: 400 * 1024 * 1024 }
/** How long the process waits for another document: an export sets many in a row. */
const IDLE_MS = 5_000
const LOOK_MS = 50
/** A process that grew more isn't kept: what a large document took, it doesn't give back. In bytes. */
const KEPT_MEMORY = 110 * 1024 * 1024
const NOWHERE = 'http://127.0.0.1:9'
/** Of a document's files together. */
const MOST_BYTES = 32 * 1024 * 1024

/** A document that isn't set because it takes too long or has too much in it. */
export class OutOfBounds extends Error {
  override readonly name = 'OutOfBounds'
  readonly bound: 'time' | 'size'
  constructor(bound: 'time' | 'size', why: string) {
    super(`The document couldn't be set: ${why}`)
    this.bound = bound
  }
}

/** One document at a time on a node; organizations take turns. */
const inTurn = fairQueue(20, 1, 'documents-in-line')

/**
 * Sets a document as a tagged PDF, in a process of its own that ends when nothing follows.
 *
 * @param template the file of a template; it gets `data` as JSON in `sys.inputs.data`, with `missing` added
 * @param whose the organization that waits for it; 20 documents of one may wait, more throw LIMIT_EXCEEDED
 * @throws OutOfBounds when it takes too long or needs too much memory, and when the template can't be compiled
 */
export async function typeset(
  template: URL,
  order: Pick<Order, 'data' | 'createdAt' | 'files'>,
  whose: string = NOBODYS,
  bounds: Bounds = BOUNDS,
): Promise<Typeset> {
  const made = await inOrder(template, order, whose, bounds)
  if (!('pdf' in made)) throw new Error('not the document that was ordered')
  return { ...made, pdf: Buffer.from(made.pdf) }
}

/** The same as a picture: SVG whose letters are shapes. `missing`: what it can't show; the template decides what to do about it. */
export async function typesetPicture(
  template: URL,
  data: Record<string, unknown>,
  whose: string,
): Promise<{ svg: string; missing: readonly string[] }> {
  const made = await inOrder(template, { data, createdAt: new Date(0), as: 'svg' }, whose)
  if (!('svg' in made)) throw new Error('not the picture that was ordered')
  return made
}

export type Pages = {
  /** SVG of each, whose letters are shapes and whose IDs no other page has; at most as many as were asked for. */
  pages: string[]
  /** How many the document has. */
  count: number
  /** The values of the template's `#metadata(…) <mark>`, in their order. */
  marks: unknown[]
  missing: readonly string[]
}

/** The same as pictures of its first pages. */
export async function typesetPages(
  template: URL,
  order: Pick<Order, 'data' | 'files'> & { most: number },
  whose: string,
): Promise<Pages> {
  const made = await inOrder(template, { ...order, createdAt: new Date(0), as: 'pages' }, whose)
  if (!('pages' in made)) throw new Error('not the pages that were ordered')
  return made
}

async function inOrder(
  template: URL,
  order: Omit<Order, 'template'>,
  whose: string,
  bounds: Bounds = BOUNDS,
): Promise<Made> {
  const bytes = Object.values(order.files ?? {}).reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (bytes > MOST_BYTES) throw new OutOfBounds('size', `its files have ${bytes} bytes`)
  const source = await readFile(template, 'utf8')
  return await inTurn(whose, () => compileOnce({ ...order, template: source }, bounds))
}

let idle: { child: ChildProcess; timer: NodeJS.Timeout } | undefined

/** The process that waits for work, or a new one. */
function takeChild(): ChildProcess {
  if (idle) {
    const { child, timer } = idle
    idle = undefined
    clearTimeout(timer)
    child.removeAllListeners()
    return child
  }
  return fork(new URL('./compiler.js', import.meta.url), {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=128'],
    // nothing of ours is its business: no database, no keys
    // nothing of the network either: what a template would load, packages, it can't reach
    env: { NODE_ENV: 'production', ALL_PROXY: NOWHERE, HTTPS_PROXY: NOWHERE },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** Keeps it for the next document, without keeping the app alive. */
function keepChild(child: ChildProcess): void {
  child.removeAllListeners()
  const timer = setTimeout(() => {
    idle = undefined
    child.kill('SIGKILL')
  }, IDLE_MS)
  child.once('exit', () => {
    clearTimeout(timer)
    if (idle?.child === child) idle = undefined
  })
  timer.unref()
  child.unref()
  child.channel?.unref()
  idle = { child, timer }
}

function compileOnce(order: Order, { patience, memory }: Bounds): Promise<Made> {
  return new Promise((resolve, reject) => {
    const child = takeChild()
    child.ref()
    child.channel?.ref()
    let isOver = false
    const end = (finish: () => void, kept = false) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      clearInterval(looking)
      child.removeAllListeners()
      if (kept) keepChild(child)
      else child.kill('SIGKILL')
      finish()
    }
    const give = (why: string) => end(() => reject(new Error(`The document couldn't be set: ${why}`)))
    const exceed = (bound: 'time' | 'size', why: string) => end(() => reject(new OutOfBounds(bound, why)))
    const timer = setTimeout(() => exceed('time', `it took more than ${patience} ms`), patience)
    const look = async () => {
      if ((await residentBytes(child.pid)) > memory) exceed('size', `it needed more than ${memory} bytes of memory`)
    }
    const looking = setInterval(() => void look(), LOOK_MS)
    child.once('error', (error) => give(error.message))
    child.once('exit', (code, signal) =>
      // as Node ends when its own memory is full
      signal === 'SIGABRT' ? exceed('size', 'its memory was full') : give(`its process ended with ${code ?? signal}`),
    )
    // the process sends nothing else
    child.once('message', (outcome: Outcome) => {
      const finish = () =>
        'problem' in outcome ? reject(new Error(`The document couldn't be set: ${outcome.problem}`)) : resolve(outcome)
      void residentBytes(child.pid).then((bytes) => end(finish, bytes < KEPT_MEMORY))
    })
    child.send(order)
  })
}

/** Memory of a process in bytes; 0 where the system doesn't say. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]
    return Number(pages) * 4096
  } catch {
    return 0
  }
}
