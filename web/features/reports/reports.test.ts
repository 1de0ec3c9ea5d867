import { describe, expect, it } from 'vitest'
import { blockKinds, ReportContent, type ReportBlock } from '#contract/reports/content.ts'
import { blockWidths } from '#contract/reports/layout.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Report } from '#contract/reports/reports.ts'
import { contentOf, reportTemplates } from '#contract/reports/templates.ts'
import { kindGroups, nameAmong, summaryOf } from './editor/blockWords.ts'
import { differences, editedOf } from './editor/edited.ts'
import { newBlock, newBlockId } from './editor/newBlock.ts'
import { problemsOf, refusedFields } from './editor/problems.ts'
import { isEdited, reportReducer, startOf, type ReportAction, type ReportState } from './editor/reportReducer.ts'

const PAGE = '019ac000-0000-7000-8000-000000000001'
const report = (more: Partial<Report> = {}): Report => ({
  reportId: '019ac000-0000-7000-8000-000000000002',
  reportName: 'November',
  content: contentOf('month'),
  version: 1,
  range: { from: '2026-10-01', to: '2026-10-31', compare: { from: '2026-09-01', to: '2026-09-30' } },
  updatedAt: '2026-11-20T09:00:00.000Z',
  ...more,
})
const after = (state: ReportState, ...actions: ReportAction[]) => actions.reduce(reportReducer, state)
const ids = ({ edited }: ReportState) => edited.content.blocks.map(({ blockId }) => blockId)
const undoAll = (state: ReportState): ReportState => state.past.reduce((one) => after(one, { type: 'undone' }), state)
const redoAll = (state: ReportState): ReportState => state.future.reduce((one) => after(one, { type: 'redone' }), state)
const text = (blockId: string): ReportBlock => ({ kind: 'text', blockId, width: 3, heading: '', text: 'Hello' })

describe('the edited report', () => {
  const start = startOf(report())

  it('names what is unsaved, and nothing once it is as before', () => {
    const edited = after(
      start,
      { type: 'renamed', reportName: 'Autumn' },
      { type: 'contentChanged', part: { hashtag: 'autumn' } },
      { type: 'blockRemoved', blockId: 'b3' },
      { type: 'contentChanged', part: { days: { span: '7', compare: 'off' } } },
    )
    expect(differences(editedOf(report()), edited.edited)).toEqual(['name', 'days', 'filters', 'blocks'])
    expect(isEdited(after(edited, { type: 'discarded' }))).toBe(false)
    expect(isEdited(undoAll(edited))).toBe(false)
  })

  it('adds behind a block or at the end, and never two with the same ID', () => {
    expect(ids(after(start, { type: 'blockAdded', block: text('x1'), after: 'b2' })).slice(0, 4)).toEqual([
      'b1',
      'b2',
      'x1',
      'b3',
    ])
    expect(ids(after(start, { type: 'blockAdded', block: text('x1'), after: undefined })).at(-1)).toBe('x1')
    expect(after(start, { type: 'blockAdded', block: text('b1'), after: undefined })).toBe(start)
  })

  it('holds no more blocks than a report can have', () => {
    let state = start
    for (let i = 0; i < 60; i += 1)
      state = after(state, { type: 'blockDuplicated', blockId: 'b2', newId: newBlockId(state.edited.content.blocks) })
    expect(ids(state)).toHaveLength(REPORTS.blocks)
    expect(new Set(ids(state)).size).toBe(REPORTS.blocks)
  })

  it('duplicates next to the block, moves, and removes', () => {
    const copied = after(start, { type: 'blockDuplicated', blockId: 'b2', newId: 'c1' })
    expect(ids(copied).slice(0, 4)).toEqual(['b1', 'b2', 'c1', 'b3'])
    expect({ ...copied.edited.content.blocks[2], blockId: 'b2' }).toEqual(copied.edited.content.blocks[1])
    expect(ids(after(start, { type: 'blockMoved', from: 0, to: 2 })).slice(0, 3)).toEqual(['b2', 'b3', 'b1'])
    expect(ids(after(start, { type: 'blockRemoved', blockId: 'b2' }))).not.toContain('b2')
    for (const nothing of [
      { type: 'blockMoved', from: 1, to: 1 },
      { type: 'blockMoved', from: 0, to: 99 },
      { type: 'blockRemoved', blockId: 'none' },
      { type: 'blockDuplicated', blockId: 'none', newId: 'c2' },
      { type: 'blockChanged', blockId: 'none', part: { width: 3 } },
    ] satisfies ReportAction[])
      expect(after(start, nothing)).toBe(start)
  })

  it('takes back what was typed into one field in one step', () => {
    const typed = after(
      start,
      { type: 'renamed', reportName: 'N' },
      { type: 'renamed', reportName: 'No' },
      { type: 'renamed', reportName: 'Nov' },
    )
    expect(typed.past).toHaveLength(1)
    const heading = (value: string): ReportAction => ({
      type: 'blockChanged',
      blockId: 'b2',
      part: { heading: value },
      run: 'heading',
    })
    const headed = after(typed, heading('A'), heading('AB'))
    expect(headed.past).toHaveLength(2)
    // another field, or the same one after it was left, is another step
    expect(after(headed, { type: 'paused' }, heading('ABC')).past).toHaveLength(3)
    expect(after(headed, { type: 'undone' }).edited.reportName).toBe('Nov')
    expect(after(headed, { type: 'undone' }, { type: 'undone' }).edited).toBe(start.edited)
  })

  it('redoes what was undone, until something else is changed', () => {
    const moved = after(start, { type: 'blockMoved', from: 0, to: 1 }, { type: 'blockRemoved', blockId: 'b4' })
    const back = undoAll(moved)
    expect(back.edited).toBe(start.edited)
    expect(redoAll(back).edited).toBe(moved.edited)
    expect(after(back, { type: 'undone' })).toBe(back)
    expect(after(moved, { type: 'redone' })).toBe(moved)
    const other = after(back, { type: 'renamed', reportName: 'Other' })
    expect(after(other, { type: 'redone' })).toBe(other)
  })

  it('keeps its steps when it is saved, and what was typed meanwhile', () => {
    const sent = after(start, { type: 'renamed', reportName: ' Autumn ' })
    const typed = after(sent, { type: 'blockRemoved', blockId: 'b2' })
    const stored = report({ reportName: 'Autumn', version: 2 })
    const saved = after(typed, { type: 'saved', report: stored, sent: sent.edited })
    expect(saved.edited).toBe(typed.edited)
    expect(differences(editedOf(stored), saved.edited)).toEqual(['blocks'])
    expect(after(sent, { type: 'saved', report: stored, sent: sent.edited }).edited.reportName).toBe('Autumn')
    expect(undoAll(saved).edited).toBe(start.edited)
    expect(isEdited(undoAll(saved))).toBe(true)
  })

  it('follows the server while nothing is edited, and lets people choose otherwise', () => {
    const theirs = report({ reportName: 'Theirs', version: 2 })
    expect(after(start, { type: 'read', report: theirs }).edited.reportName).toBe('Theirs')
    const mine = after(start, { type: 'renamed', reportName: 'Mine' }, { type: 'read', report: theirs })
    expect([mine.edited.reportName, mine.newer?.reportName]).toEqual(['Mine', 'Theirs'])
    const kept = after(mine, { type: 'mineKept' })
    expect([kept.saved.version, kept.edited.reportName, kept.newer]).toEqual([2, 'Mine', undefined])
    const taken = after(mine, { type: 'theirsTaken' })
    expect([taken.edited.reportName, isEdited(taken)]).toEqual(['Theirs', false])
    // what was given up can be taken back
    expect(after(taken, { type: 'undone' }).edited.reportName).toBe('Mine')
    // an answer from before the last save says nothing
    expect(after(kept, { type: 'read', report: report() })).toBe(kept)
  })

  it('undoes any sequence of changes back to what was saved, and redoes it', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomFrom(seed)
      let state = start
      for (let step = 0; step < 40; step += 1) state = after(state, randomAction(state, random))
      expect(ReportContent.safeParse(state.edited.content).error?.issues, `seed ${seed}`).toBeUndefined()
      const all = redoAll(state)
      const back = undoAll(all)
      expect(back.edited, `seed ${seed}`).toBe(start.edited)
      expect(redoAll(back).edited, `seed ${seed}`).toBe(all.edited)
    }
  })
})

describe('blocks', () => {
  it('begin with what the contract takes', () => {
    const content = contentOf('empty')
    for (const kind of blockKinds) {
      const block = newBlock(kind, content, PAGE)
      const found = problemsOf({ reportName: 'New', content: { ...content, blocks: [...content.blocks, block] } })
      expect([kind, [...found]]).toEqual([kind, []])
      expect(summaryOf(block, () => 'Harbor')).not.toBe('')
    }
  })

  it('tell blocks of one kind apart by what they show', () => {
    const { blocks } = contentOf('month')
    expect(blocks.filter(({ kind }) => kind !== 'cover').map((block) => nameAmong(block, blocks))).toEqual([
      'Figures: Followers, Views and impressions and 4 more',
      'Chart: Views and impressions in these days · by platform',
      'Chart: Engagements in these days · by platform',
      'Figures: Followers, Views and impressions, Engagements · by channel',
      'Top posts',
      'Inbox and reply times',
      'Page break',
      'Post table',
    ])
    const named = blocks.map((block) => ({ ...block, heading: block.kind === 'chart' ? ' Growth ' : '' }))
    expect(named.map((block) => nameAmong(block, named))[2]).toMatch(/^Growth: Views/)
  })

  it('are all offered once', () => {
    expect(kindGroups.flatMap(({ kinds }) => kinds).toSorted()).toEqual(blockKinds.toSorted())
  })

  it('of templates need no correction', () => {
    for (const template of reportTemplates)
      expect([...problemsOf({ reportName: template, content: contentOf(template) })]).toEqual([])
  })
})

describe('problems', () => {
  it('are at their fields', () => {
    const content = contentOf('month')
    const blocks = content.blocks.map((block) =>
      block.kind === 'figures' && block.blockId === 'b2' ? { ...block, names: [], heading: 'x'.repeat(121) } : block,
    )
    const found = problemsOf({
      reportName: ' ',
      content: { ...content, blocks, days: { span: 'custom', compare: 'off' } },
    })
    expect([...found.keys()].toSorted()).toEqual(['b2.heading', 'b2.names', 'days.from', 'reportName'])
  })

  it('of the server are there as well', () => {
    const sent = editedOf(report())
    expect([...refusedFields({ 'content.blocks.1.names': ['No'], reportName: ['Bad'] }, sent)]).toEqual([
      ['b2.names', 'No'],
      ['reportName', 'Bad'],
    ])
  })
})

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function randomAction({ edited }: ReportState, random: () => number): ReportAction {
  const { blocks } = edited.content
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const blockId = pick(blocks)?.blockId ?? 'none'
  const at = () => Math.floor(random() * (blocks.length + 1))
  const actions: (() => ReportAction)[] = [
    () => ({ type: 'renamed', reportName: `Report ${at()}` }),
    () => ({ type: 'contentChanged', part: { hashtag: random() < 0.5 ? null : 'autumn' } }),
    () => ({ type: 'contentChanged', part: { days: { span: random() < 0.5 ? '30' : 'quarter', compare: 'year' } } }),
    () => ({ type: 'blockChanged', blockId, part: { width: pick(blockWidths) ?? 6 }, run: 'width' }),
    () => ({ type: 'blockChanged', blockId, part: { heading: `Heading ${at()}` }, run: 'heading' }),
    () => ({
      type: 'blockAdded',
      block: newBlock(pick(blockKinds) ?? 'text', edited.content, PAGE),
      after: random() < 0.5 ? blockId : undefined,
    }),
    () => ({ type: 'blockDuplicated', blockId, newId: newBlockId(blocks) }),
    () => ({ type: 'blockMoved', from: at(), to: at() }),
    () => ({ type: 'blockRemoved', blockId }),
    () => ({ type: 'undone' }),
    () => ({ type: 'redone' }),
    () => ({ type: 'paused' }),
    () => ({ type: 'discarded' }),
  ]
  return pick(actions)?.() ?? { type: 'paused' }
}
