import type { Part } from '../document.ts'

type Paragraphs = Extract<Part, { kind: 'text' }>['paragraphs']

/**
 * The paragraphs of a text: an empty line ends one, and lines that start with "- " are a list. Nothing else has a meaning: what
 * looks like markup stays as it was written.
 */
export function paragraphsOf(text: string): Paragraphs {
  const found: ({ text: string } | { list: string[] })[] = []
  for (const block of text.split(/\r?\n[^\S\n]*(?:\r?\n[^\S\n]*)+/u)) {
    let open: { text: string } | { list: string[] } | undefined
    for (const line of block.split(/\r?\n/u).map((one) => one.trimEnd())) {
      if (line.trim() === '') continue
      const item = /^\s*- (?<item>.*)$/u.exec(line)?.groups?.item
      if (item !== undefined) {
        if (open && 'list' in open) open.list.push(item.trim())
        else found.push((open = { list: [item.trim()] }))
      } else if (open && 'text' in open) open.text += `\n${line}`
      else found.push((open = { text: line }))
    }
  }
  return found
}
