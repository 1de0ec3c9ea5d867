import { describe, expect, it } from 'vitest'
import { fileNameIn } from './download.ts'

describe('the name of a file', () => {
  it('is read from what the server sends with it', () => {
    expect(fileNameIn(`attachment; filename="Caf_.pdf"; filename*=UTF-8''Caf%C3%A9%20%281%29.pdf`)).toBe('Café (1).pdf')
    expect(fileNameIn('attachment')).toBeUndefined()
    expect(fileNameIn(null)).toBeUndefined()
    expect(fileNameIn("attachment; filename*=UTF-8''%E0%A4%A")).toBeUndefined()
  })
})
