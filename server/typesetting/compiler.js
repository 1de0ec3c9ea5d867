import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { pagesOf } from './pages.js'

/*
 * The child process of typeset.ts: one document at a time, in native code that can crash, hang or grow without harm to
 * the app. It reads no file but its fonts and makes no network call: a template finds only what its order maps into a
 * folder that can't exist, because it would be below a file.
 *
 * In JavaScript, because removing the types takes Node 16 MB and 60 ms in each process.
 */

/** @typedef {import('./typeset.ts').Order} Order */
/** @typedef {import('./typeset.ts').Outcome} Outcome */
/** @typedef {import('@myriaddreamin/typst-ts-node-compiler').NodeTypstDocument} Document */

const require = createRequire(import.meta.url)

/**
 * The fonts of every document: Latin, Greek, Cyrillic and Devanagari, Arabic, Hebrew, and emoji in one color. Other
 * scripts, such as Chinese, Japanese and Korean, use the machine's fonts where it has them. Each is loaded when a document
 * uses it, and only the letters that it uses are embedded.
 */
const fontPaths = [
  require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
  require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
].map((file) => path.dirname(file))

const workspace = path.join(fileURLToPath(import.meta.url), 'files')
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths }] })

/** PDF/UA-1 names each text that no font can show, printed as Rust does: in quotes, unusual characters as \u{…}. */
const UNSHOWN = /the text `\\?"(.+?)\\?"` could not be displayed/g
/** @param {string} text */
const plain = (text) =>
  text.replaceAll(/\\+u\{([0-9a-f]{1,6})\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))

/** Scripts that people write posts in and that we bring no font for, as readers call them; with the marks that only they use. */
const scripts = /** @type {const} */ ([
  ['Chinese characters', /\p{scx=Han}/u],
  ['Japanese kana', /\p{scx=Hiragana}|\p{scx=Katakana}/u],
  ['Korean', /\p{scx=Hangul}/u],
  ['Thai', /\p{scx=Thai}/u],
  ['Bengali', /\p{scx=Bengali}/u],
  ['Tamil', /\p{scx=Tamil}/u],
  ['Telugu', /\p{scx=Telugu}/u],
  ['Georgian', /\p{scx=Georgian}/u],
  ['Armenian', /\p{scx=Armenian}/u],
])

/** A document names so many of what it can't show, on each of its pages; of more, it says how many. */
const MOST_NAMED = 12

/**
 * What the texts of a refusal are written in; single characters of other scripts by their number.
 * @param {unknown} error
 * @returns {string[]}
 */
function scriptsIn(error) {
  const named = [...String(error).matchAll(UNSHOWN)].map(([, quoted = '']) => {
    const text = plain(quoted)
    const script = scripts.find(([, letters]) => letters.test(text))
    return script?.[0] ?? `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  })
  const all = [...new Set(named)]
  const rest = all.length - MOST_NAMED
  return rest > 1 ? [...all.slice(0, MOST_NAMED), `${rest} other characters`] : all
}

process.on('message', (/** @type {Order} */ order) => {
  /** @type {Outcome} */
  let outcome
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

/** @param {Readonly<Record<string, Uint8Array>>} files */
function mapFiles(files) {
  for (const [name, bytes] of Object.entries(files)) {
    if (!FILE.test(name)) throw new Error(`not the name of a document's file: ${name}`)
    compiler.mapShadow(path.join(workspace, name), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
}

/**
 * @param {Order} order
 * @returns {Outcome}
 */
function compile(order) {
  if (order.as) return draw(order, order.as)
  try {
    return render(order, [], 'ua-1')
  } catch (error) {
    const missing = scriptsIn(error)
    if (missing.length === 0) throw error
    return render(order, missing)
  }
}

/**
 * A picture names what can't be shown only to its template, which then leaves it out or says so.
 * @param {Order} order
 * @param {'svg' | 'pages'} as
 * @returns {Outcome}
 */
function draw(order, as) {
  const whole = documentOf(order, [])
  const missing = missingIn(whole)
  const document = missing.length === 0 ? whole : documentOf(order, missing)
  if (as === 'svg') return { svg: compiler.svg(document), missing }
  // values of #metadata(…) <mark>, whatever the template put there
  const marks = compiler.query(document, { selector: '<mark>', field: 'value' })
  compiler.evictCache(0)
  const most = order.most ?? 1
  return {
    pages: most === 0 ? [] : pagesOf(compiler.plainSvg(document), most),
    count: document.numOfPages,
    marks: Array.isArray(marks) ? marks : [],
    missing,
  }
}

/**
 * What no font can show. A picture needn't conform to PDF/UA-1 otherwise.
 * @param {Document} document
 * @returns {string[]}
 */
function missingIn(document) {
  try {
    compiler.pdf(document, { pdfStandard: 'ua-1' })
    return []
  } catch (error) {
    return scriptsIn(error)
  }
}

/**
 * Without what makes a whole document fail: halves of pairs, control characters, the mark of byte order and code points
 * that are no characters. Unassigned ones stay: they may be letters of a newer Unicode.
 * @param {string} text
 */
function settable(text) {
  return text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\uFEFF\p{Noncharacter_Code_Point}]/gu, '')
}

/**
 * @param {Order} order
 * @param {readonly string[]} missing
 * @returns {Document}
 */
function documentOf({ template, data }, missing) {
  const inputs = {
    data: JSON.stringify({ ...data, missing }, (_, value) => (typeof value === 'string' ? settable(value) : value)),
  }
  const made = compiler.compile({ mainFileContent: template, inputs, resetRead: true })
  if (made.result === null) throw new Error(JSON.stringify(made.takeDiagnostics()?.shortDiagnostics ?? 'no document'))
  return made.result
}

/**
 * @param {Order} order
 * @param {readonly string[]} missing
 * @param {string} [pdfStandard]
 * @returns {Outcome}
 */
function render(order, missing, pdfStandard) {
  const document = documentOf(order, missing)
  // a tenth of a large document's memory, which the PDF then uses
  compiler.evictCache(0)
  const pdf = compiler.pdf(document, {
    creationTimestamp: Math.floor(order.createdAt.getTime() / 1000),
    ...(pdfStandard && { pdfStandard }),
  })
  return { pdf, count: document.numOfPages, missing }
}
