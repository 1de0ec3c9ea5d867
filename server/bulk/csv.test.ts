import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeCsv } from '#contract/csv.ts'
import { readCsv, separatorOf } from './csv.ts'

const table = (text: string) => {
  const read = readCsv(text)
  return 'records' in read ? read.records : read
}
const signs = constantFrom('a', 'ü', '🎉', ' ', ',', ';', '\t', '"', '\n', '\r', '\r\n', '\uFEFF')
const cell = array(signs, { maxLength: 8 }).map((parts) => parts.join(''))

describe('tables as text', () => {
  it('are read exactly, whatever their cells contain', () => {
    assert(
      property(array(array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), (records) => {
        expect(readCsv(writeCsv(records), ',')).toEqual({ separator: ',', records })
      }),
      { numRuns: 1000 },
    )
  })

  it('may end lines in any way, and contain empty ones', () => {
    expect(table('a,b\r\nc,d\ne,f\r\n\ng')).toEqual([['a', 'b'], ['c', 'd'], ['e', 'f'], [''], ['g']])
    expect(table('a,\n,b')).toEqual([
      ['a', ''],
      ['', 'b'],
    ])
    expect(table('')).toEqual([])
  })

  it('define their separator in the first record, ignoring quoted cells', () => {
    expect(separatorOf('"a,b,c";d\nx,y,z')).toBe(';')
    expect(separatorOf('a\tb, c, d\te')).toBe('\t')
    expect(separatorOf('a 5" pipe, two\tb')).toBe('\t')
    expect(separatorOf('alone')).toBe(',')
    expect(readCsv('\uFEFFText;Channel\r\n"Tea; two";x')).toEqual({
      separator: ';',
      records: [
        ['Text', 'Channel'],
        ['Tea; two', 'x'],
      ],
    })
  })

  it.each([
    ['sep=;\r\na,b;c', [['a,b', 'c']]],
    ['\ufeffsep=,\na;b,c', [['a;b', 'c']]],
    ['"sep=|"\na,b|c;d', [['a,b', 'c;d']]],
    ['SEP=\t\na\tb', [['a', 'b']]],
    ['sep=x\na,b', [['sep=x'], ['a', 'b']]],
  ])('lose a line that only names the separator: %j', (text, records) => {
    expect(table(text)).toEqual(records)
  })

  it('are refused if their quotes are wrong, with the position', () => {
    expect(table('a,b\n"open,b')).toMatchObject({ row: 2, cell: 1 })
    expect(table('a,b\nc,"d"e')).toMatchObject({ row: 2, cell: 2 })
    expect(table('a,b"c')).toMatchObject({ row: 1, cell: 2 })
    expect(table('"a ""quoted"" word",b')).toEqual([['a "quoted" word', 'b']])
  })

  it('keep quotes as they are if cells were pasted', () => {
    expect(table('say "hi"\tb\n"both\nlines"\t"x" y\n"open\tc')).toEqual([
      ['say "hi"', 'b'],
      ['both\nlines', '"x" y'],
      ['"open', 'c'],
    ])
  })
})
