import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { bulkColumnNames, bulkColumns, bulkRowStates, type BulkRowState } from '#contract/bulk.ts'
import { textOf } from './readFile.ts'
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

describe('a file', () => {
  it.each([
    ['UTF-8', [0xc3, 0xbc]],
    ['UTF-16, as Excel saves text', [0xff, 0xfe, 0xfc, 0x00]],
    ['UTF-16 of other machines', [0xfe, 0xff, 0x00, 0xfc]],
    ['the letters of Windows', [0xfc]],
  ])('is read in %s', (_, bytes) => {
    expect(textOf(new Uint8Array(bytes))).toBe('ü')
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
