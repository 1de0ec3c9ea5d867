/** A value of a PDF (ISO 32000-1, 7.3), as far as counting pages needs it: strings aren't decoded. */
export type PdfValue =
  | number
  | boolean
  | null
  | { name: string }
  | { ref: number }
  | { dict: PdfDict }
  | { list: PdfValue[] }
  | { text: string }
export type PdfDict = ReadonlyMap<string, PdfValue>

export class PdfBroken extends Error {}

const DEEPEST = 50
const BLANK = /[\0\t\n\f\r ]/
const ENDS = /[\0\t\n\f\r ()<>[\]{}/%]/

/** Reads values one after the other from latin-1 text. Throws PdfBroken. */
export class PdfText {
  at: number
  readonly text: string
  constructor(text: string, at = 0) {
    this.text = text
    this.at = at
  }

  skip(): void {
    for (;;) {
      const c = this.text.charAt(this.at)
      if (c === '%') while (this.at < this.text.length && !/[\r\n]/.test(this.text.charAt(this.at))) this.at += 1
      else if (c !== '' && BLANK.test(c)) this.at += 1
      else return
    }
  }

  /** Whether the word comes next; it's consumed then. */
  takes(word: string): boolean {
    this.skip()
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  integer(): number {
    const word = this.word()
    const number = Number(word)
    if (!/^\d+$/.test(word) || !Number.isSafeInteger(number)) throw new PdfBroken('a number was expected')
    return number
  }

  word(): string {
    this.skip()
    const from = this.at
    while (this.at < this.text.length && !ENDS.test(this.text.charAt(this.at))) this.at += 1
    return this.text.slice(from, this.at)
  }

  value(depth = 0): PdfValue {
    if (depth > DEEPEST) throw new PdfBroken('too deep')
    this.skip()
    const c = this.text.charAt(this.at)
    if (this.takes('<<')) return { dict: this.pairs(depth) }
    if (c === '<') return { text: this.until('>') }
    if (c === '(') return { text: this.string() }
    if (this.takes('[')) {
      const list: PdfValue[] = []
      while (!this.takes(']')) list.push(this.value(depth + 1))
      return { list }
    }
    if (this.takes('/')) return { name: this.word() }
    return this.numberOrWord()
  }

  private pairs(depth: number): PdfDict {
    const dict = new Map<string, PdfValue>()
    while (!this.takes('>>')) {
      if (!this.takes('/')) throw new PdfBroken('a name was expected')
      const name = this.word()
      dict.set(name, this.value(depth + 1))
    }
    return dict
  }

  private numberOrWord(): PdfValue {
    const word = this.word()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word)) throw new PdfBroken(`"${word.slice(0, 20)}" is no value`)
    const reference = /^\d+$/.test(word)
      ? /^[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![A-Za-z])/.exec(this.text.slice(this.at, this.at + 40))
      : null
    if (!reference) return Number(word)
    this.at += reference[0].length
    return { ref: Number(word) }
  }

  private until(end: string): string {
    const to = this.text.indexOf(end, this.at)
    if (to < 0) throw new PdfBroken('a string has no end')
    const found = this.text.slice(this.at + 1, to)
    this.at = to + 1
    return found
  }

  private string(): string {
    const from = this.at
    let open = 0
    for (; this.at < this.text.length; this.at += 1) {
      const c = this.text.charAt(this.at)
      if (c === '\\') this.at += 1
      else if (c === '(') open += 1
      else if (c === ')' && --open === 0) {
        this.at += 1
        return this.text.slice(from + 1, this.at - 1)
      }
    }
    throw new PdfBroken('a string has no end')
  }
}

export const dictOf = (value: PdfValue | undefined): PdfDict | undefined =>
  typeof value === 'object' && value !== null && 'dict' in value ? value.dict : undefined
export const listOf = (value: PdfValue | undefined): PdfValue[] | undefined =>
  typeof value === 'object' && value !== null && 'list' in value ? value.list : undefined
export const nameOf = (value: PdfValue | undefined): string | undefined =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined
export const refOf = (value: PdfValue | undefined): number | undefined =>
  typeof value === 'object' && value !== null && 'ref' in value ? value.ref : undefined
export const numberOf = (value: PdfValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined
