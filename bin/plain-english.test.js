import { describe, expect, it } from 'vitest'
import { dialectIn } from './plain-english.js'

const found = (source, path = 'server/posts/publish.ts') => dialectIn(path, source)

describe('plain English', () => {
  it.each([
    ['a string', "const title = 'Choose a colour'"],
    ['a template', 'const title = `Choose the colour of ${name}`'],
    ['the text of JSX', '<p>Choose a colour</p>'],
    ['a comment', '// the colour of a label'],
    ['a name in camelCase', 'const labelColour = 1'],
    ['a name that begins with it', 'const colourOf = 1'],
    ['a constant', 'const LABEL_COLOURS = []'],
    ['the name of a test', "it('keeps the colour', () => {})"],
  ])('refuses a British spelling in %s and says what to write', (_where, line) => {
    expect(found(`const first = 1\n${line}\n`)).toEqual([
      expect.stringMatching(/^server\/posts\/publish\.ts:2 ".*": write color…$/i),
    ])
  })

  it('refuses a word in docs and a phrase that a text wraps', () => {
    expect(found('A label has a colour.\n', 'docs/labels.md')).toEqual([
      expect.stringContaining('docs/labels.md:1 "colour"'),
    ])
    expect(found('<p>\n  Your posts\n  stand\n  here.\n</p>')).toEqual([
      expect.stringContaining('server/posts/publish.ts:3 "stand here"'),
    ])
  })

  it("refuses a private name, including a file's, but not the word in a sentence", () => {
    expect(found('const stepWorkshop = open()')).toEqual([expect.stringContaining(':1 "Workshop"')])
    expect(found('', 'server/publishing/workshop.ts')).toEqual([
      expect.stringContaining("server/publishing/workshop.ts:1 the file's name"),
    ])
    expect(found("const text = 'Join our workshop on Friday' // a workshop")).toEqual([])
    expect(found('Come to the workshop.', 'docs/labels.md')).toEqual([])
  })

  it.each(["const status = 'CANCELLED'", '<p aria-labelledby="title" />', "z.literal('user_cancelled_authorize')"])(
    'lets an exception pass: %s',
    (line) => expect(found(line)).toEqual([]),
  )

  it('finds whole words only', () => {
    expect(found("const word = 'discoloured'; const greyhound = 1; const amended = licences")).toEqual([])
  })

  it('ignores comments if a word is only refused in code', () => {
    expect(found('// stands here\n/* stands here */ const link = "https://rookery.example" // stands here')).toEqual([])
    expect(found("/* the first */ const text = 'It stands here'")).toHaveLength(1)
  })
})
