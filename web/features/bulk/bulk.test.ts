import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { bulkColumnNames, bulkColumns, bulkRowStates, type BulkRowState } from '#contract/bulk.ts'
import { encodings, guessEncoding, textOf, type Encoding } from './readFile.ts'
import { templateOf } from './template.ts'
import { lookOfImport, lookOfRow, summaryOf } from './messages.ts'

const counts = (some: Partial<Record<BulkRowState, number>>) => {
  const none: Record<BulkRowState, number> = {
    open: 0,
    skipped: 0,
    waiting: 0,
    made: 0,
    failed: 0,
    undoing: 0,
    undone: 0,
  }
  return { ...none, ...some }
}

describe('the template', () => {
  it('has every column, and rows of the coming week on a channel of the project', () => {
    const template = templateOf('@harbour.example', 'Asia/Kolkata', new Date('2026-11-21T20:00:00Z'))
    const records = parse(template, { bom: true })
    expect(records[0]).toEqual(bulkColumns.map((column) => bulkColumnNames[column]))
    // it is the 22nd in Kolkata by then
    expect(records.slice(1).map((cells) => cells.slice(1, 5))).toEqual([
      ['@harbour.example', '2026-11-29', '09:30', ''],
      ['@harbour.example', '2026-11-30', '18:00', 'Asia/Kolkata'],
    ])
    expect(records.every((cells) => cells.length === bulkColumns.length)).toBe(true)
  })
})

/** The bytes of a text in an encoding, which only decoders know: each character as what decodes to it. */
function bytesIn(encoding: Encoding, text: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    return new Uint8Array(
      codes.flatMap((code) => (encoding === 'utf-16le' ? [code & 255, code >> 8] : [code >> 8, code & 255])),
    )
  }
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const decoder = new TextDecoder(encoding)
  const known = new Map<string, number[]>()
  const learn = (...bytes: number[]) => {
    const sign = decoder.decode(new Uint8Array(bytes))
    if (Array.from(sign).length === 1 && sign !== '\ufffd' && !known.has(sign)) known.set(sign, bytes)
  }
  for (let one = 0; one < 256; one += 1) learn(one)
  for (let one = 0x81; one < 0xff; one += 1) for (let two = 0x40; two < 0xff; two += 1) learn(one, two)
  return new Uint8Array(Array.from(text).flatMap((sign) => known.get(sign) ?? [0x3f]))
}
const table = (text: string) => `Text,Channel,Date\r\n"${text}",@harbour.example,2026-12-24\r\n`

describe('a file', () => {
  it.each<[encoding: Encoding, text: string]>([
    ['utf-8', 'Crème brûlée, 日本, 👍'],
    ['utf-16le', 'Crème brûlée'],
    ['utf-16be', 'Crème brûlée'],
    ['utf-16le', '日本語のお知らせです'],
    ['utf-16be', 'Доброе утро, друзья'],
  ])('is read in %s without asking, also without a mark: %s', (encoding, text) => {
    const bytes = bytesIn(encoding, table(text))
    expect(guessEncoding(bytes)).toEqual({ encoding, sure: true })
    expect(textOf(bytes, encoding)).toBe(table(text))
    const marked = bytesIn(encoding, `\ufeff${table(text)}`)
    expect(guessEncoding(marked)).toEqual({ encoding, sure: true })
    expect(textOf(marked, encoding)).toBe(table(text))
  })

  it.each<[encoding: Encoding, text: string]>([
    ['windows-1252', 'Crème brûlée à la carte, déjà goûtée'],
    ['windows-1252', 'Schöne Grüße aus Köln – für alle „Frühaufsteher“'],
    ['windows-1252', 'El niño comió piñones. ¿Y mañana? Café a 3 €'],
    ['macintosh', 'Crème brûlée à la carte, déjà goûtée'],
    ['windows-1250', 'Zażółć gęślą jaźń, świeże bułeczki'],
    ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy'],
    ['windows-1254', 'Günaydın! Bugün taze ekmek ve çay var, hoş geldiniz'],
    ['windows-1251', 'Доброе утро! Сегодня свежий хлеб и горячий чай'],
    ['koi8-r', 'Доброе утро! Сегодня свежий хлеб и горячий чай'],
    ['windows-1253', 'Καλημέρα σε όλους, σήμερα έχουμε φρέσκο ψωμί'],
    ['windows-1255', 'בוקר טוב לכולם, היום יש לחם טרי ותה חם'],
    ['windows-1256', 'صباح الخير للجميع، اليوم لدينا خبز طازج وشاي'],
    ['windows-874', 'สวัสดีตอนเช้า วันนี้มีขนมปังสดใหม่และชาร้อน'],
    ['shift_jis', '本日のおすすめは、焼きたてのパンと温かいお茶です。'],
    ['euc-jp', '本日のおすすめは、焼きたてのパンと温かいお茶です。'],
    ['gb18030', '早上好！今天我们有新鲜的面包和热茶，欢迎大家来。'],
    ['big5', '早安！今天我們有新鮮的麵包和熱茶，歡迎大家來。'],
    ['euc-kr', '좋은 아침입니다! 오늘은 갓 구운 빵과 따뜻한 차가 있습니다'],
  ])('is guessed to be in %s, and a person looks at it: %s', (encoding, text) => {
    const bytes = bytesIn(encoding, table(text))
    expect(textOf(bytes, encoding)).toBe(table(text))
    expect(guessEncoding(bytes)).toEqual({ encoding, sure: false })
  })

  it('can be read in every encoding that is offered', () => {
    for (const { value } of encodings) expect(textOf(new Uint8Array([65, 0xe9, 66, 0]), value)).not.toBe('')
  })
})

describe('texts for rows', () => {
  it('only mention what exists', () => {
    expect(summaryOf(counts({ open: 12, made: 1000, skipped: 1 }), { ready: 10, wrong: 2 })).toBe(
      '10 rows ready, 2 with errors, 1,000 scheduled, 1 skipped',
    )
    expect(summaryOf(counts({ open: 1, failed: 2 }))).toBe('1 row not scheduled, 2 failed')
    expect(summaryOf(counts({ undoing: 1, undone: 2 }))).toBe('1 being undone, 2 undone')
    expect(summaryOf(counts({}))).toBe('No rows')
  })

  it('exist for every state', () => {
    for (const state of bulkRowStates)
      expect(lookOfRow({ state, errors: [], warnings: [], postIds: [] }).word).not.toBe('')
    expect(
      lookOfRow({ state: 'open', errors: [{ column: 'text', message: '' }], warnings: [], postIds: [] }).word,
    ).toBe('1 error')
    expect(lookOfRow({ state: 'undone', errors: [], warnings: [], postIds: ['x'] }).word).toBe('Stays')
    expect(lookOfImport({ state: 'done', counts: counts({ made: 1, failed: 1 }) }).word).toBe('Partly scheduled')
  })
})
