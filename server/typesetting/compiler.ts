import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Order, Outcome } from './typeset.ts'

/*
 * The child process of typeset.ts: one document at a time, in native code that can crash, hang or grow without harm to
 * the app. It reads no file but its fonts and makes no network call.
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

const compiler = NodeCompiler.create({ fontArgs: [{ fontBlobs: fonts }] })

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
    outcome = compile(order)
  } catch (error) {
    outcome = { problem: String(error) }
  }
  process.send?.(outcome)
})

function compile(order: Order): Outcome {
  if (order.as === 'svg') return draw(order)
  try {
    return { pdf: render(order, [], 'ua-1'), missing: [] }
  } catch (error) {
    const missing = scriptsOf([...String(error).matchAll(UNSHOWN)].map(([, text = '']) => plain(text)))
    if (missing.length === 0) throw error
    return { pdf: render(order, missing), missing }
  } finally {
    // what the next document is unlikely to share
    compiler.evictCache(0)
  }
}

/** A picture names what can't be shown only to its template, which then leaves it out. */
function draw(order: Order): Outcome {
  try {
    const missing = missingIn(order)
    return { svg: compiler.svg(documentOf(order, missing)), missing }
  } finally {
    compiler.evictCache(0)
  }
}

/** What no font can show. A picture needn't conform to PDF/UA-1 otherwise. */
function missingIn(order: Order): string[] {
  try {
    compiler.pdf(documentOf(order, []), { pdfStandard: 'ua-1' })
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

function render(order: Order, missing: readonly string[], pdfStandard?: string): Buffer {
  return compiler.pdf(documentOf(order, missing), {
    creationTimestamp: Math.floor(order.createdAt.getTime() / 1000),
    ...(pdfStandard && { pdfStandard }),
  })
}
