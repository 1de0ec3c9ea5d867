import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import { pagesOf } from './pages.ts'
import type { Order, Outcome } from './typeset.ts'

/*
 * The child process of typeset.ts: one document at a time, in native code that can crash, hang or grow without harm to
 * the app. It reads no file but its fonts and makes no network call: a template finds only what its order maps into a
 * folder that can't exist, because it would be below a file.
 */

const require = createRequire(import.meta.url)

/**
 * The fonts of every document: Latin, Greek, Cyrillic and Devanagari, Arabic, Hebrew, and emoji in one color. Other
 * scripts, such as Chinese, Japanese and Korean, use the machine's fonts where it has them. Only the letters that a
 * document uses are embedded.
 */
const fonts = [
  require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
].map((file) => readFileSync(file))

const workspace = path.join(fileURLToPath(import.meta.url), 'files')
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontBlobs: fonts }] })

/** PDF/UA-1 names each text that no font can show, printed as Rust does: in quotes, unusual characters as \u{…}. */
const UNSHOWN = /the text `\\?"(.+?)\\?"` could not be displayed/g
const plain = (text: string) =>
  text.replaceAll(/\\+u\{([0-9a-f]{1,6})\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))

/** Scripts that people write posts in and that we bring no font for, as readers call them. */
const scripts = [
  ['Chinese characters', /\p{Script=Han}/u],
  ['Japanese kana', /\p{Script=Hiragana}|\p{Script=Katakana}/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Armenian', /\p{Script=Armenian}/u],
] as const

/** What the texts are written in; single characters of other scripts by their number. */
function scriptsOf(texts: readonly string[]): string[] {
  const named = texts.map((text) => {
    const script = scripts.find(([, letters]) => letters.test(text))
    return script?.[0] ?? `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  })
  return [...new Set(named)]
}

process.on('message', (order: Order) => {
  let outcome: Outcome
  try {
    mapFiles(order.files ?? {})
    outcome = compile(order)
  } catch (error) {
    outcome = { problem: String(error) }
  } finally {
    // nothing of it reaches the next document
    compiler.resetShadow()
    compiler.evictCache(0)
  }
  process.send?.(outcome)
})

/** Names of files: below the document's folder, without a way out of it. */
const FILE = /^\/(?:[a-z0-9]+\/)*[a-z0-9]+\.[a-z0-9]+$/

function mapFiles(files: Readonly<Record<string, Uint8Array>>): void {
  for (const [name, bytes] of Object.entries(files)) {
    if (!FILE.test(name)) throw new Error(`not the name of a document's file: ${name}`)
    compiler.mapShadow(path.join(workspace, name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
}

function compile(order: Order): Outcome {
  if (order.as) return draw(order, order.as)
  try {
    return render(order, [], 'ua-1')
  } catch (error) {
    const missing = scriptsOf([...String(error).matchAll(UNSHOWN)].map(([, text = '']) => plain(text)))
    if (missing.length === 0) throw error
    return render(order, missing)
  }
}

/** A picture names what can't be shown only to its template, which then leaves it out or says so. */
function draw(order: Order, as: 'svg' | 'pages'): Outcome {
  const whole = documentOf(order, [])
  const missing = missingIn(whole)
  const document = missing.length === 0 ? whole : documentOf(order, missing)
  if (as === 'svg') return { svg: compiler.svg(document), missing }
  // values of #metadata(…) <mark>, whatever the template put there
  const marks: unknown = compiler.query(document, { selector: '<mark>', field: 'value' })
  return {
    pages: pagesOf(compiler.plainSvg(document), order.most ?? 1),
    count: document.numOfPages,
    marks: Array.isArray(marks) ? marks : [],
    missing,
  }
}

/** What no font can show. A picture needn't conform to PDF/UA-1 otherwise. */
function missingIn(document: NodeTypstDocument): string[] {
  try {
    compiler.pdf(document, { pdfStandard: 'ua-1' })
    return []
  } catch (error) {
    return scriptsOf([...String(error).matchAll(UNSHOWN)].map(([, text = '']) => plain(text)))
  }
}

function documentOf({ template, data }: Order, missing: readonly string[]) {
  const inputs = { data: JSON.stringify({ ...data, missing }) }
  const made = compiler.compile({ mainFileContent: template, inputs, resetRead: true })
  if (made.result === null) throw new Error(JSON.stringify(made.takeDiagnostics()?.shortDiagnostics ?? 'no document'))
  return made.result
}

function render(order: Order, missing: readonly string[], pdfStandard?: string): Outcome {
  const document = documentOf(order, missing)
  const pdf = compiler.pdf(document, {
    creationTimestamp: Math.floor(order.createdAt.getTime() / 1000),
    ...(pdfStandard && { pdfStandard }),
  })
  return { pdf, count: document.numOfPages, missing }
}
