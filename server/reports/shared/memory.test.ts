import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { reportOf } from '../../testing/reportDocument.ts'
import { OutOfBounds } from '../../typesetting/typeset.ts'
import { pageOf } from '../files/page.ts'
import { createSharedMemory } from './memory.ts'

const links = { pdfPath: '/r/x/report.pdf', picturePath: (key: string) => `/r/x/p/${key}` }
const read = async () => await Promise.resolve(reportOf([]))

describe('what links show', () => {
  it('is drawn once for all who open a link meanwhile, and again after a change', async () => {
    const memory = createSharedMemory(systemClock, async () => await Promise.reject(new Error('no PDF')))
    let drawn = 0
    const open = (of: string) =>
      memory.page('link', 'org', of, read, (document) => {
        drawn += 1
        return pageOf(document, links)
      })
    const pages = await Promise.all([open('1'), open('1'), open('1')])
    expect([drawn, new Set(pages).size]).toEqual([1, 1])
    await open('2')
    expect(drawn).toBe(2)
  })

  it("isn't set again and again as PDF if it's too large, but is after a failure", async () => {
    const errors = [new Error('the process died'), new OutOfBounds('size', 'too much')]
    const tried: Error[] = []
    const memory = createSharedMemory(systemClock, async () => {
      const error = errors[tried.length] ?? new Error('tried once more')
      tried.push(error)
      return await Promise.reject(error)
    })
    const pdf = () => memory.pdf('link', 'org', '1', read)
    await expect(pdf()).rejects.toThrow('the process died')
    await expect(pdf()).rejects.toThrow('too much')
    await expect(pdf()).rejects.toThrow('too much')
    expect(tried).toHaveLength(2)
  })
})
