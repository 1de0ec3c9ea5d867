import { excerptOf } from '../excerpt.ts'
import { BIO } from './limits.ts'

/** A word that is longer than this is cut. */
const WORD = 30

/** What is said about a post to people who don't see its picture: the start of its text, with whole words if it's cut. */
export function postLabel(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line.length <= BIO.label) return line || 'Post'
  const cut = excerptOf(line, BIO.label - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > BIO.label - WORD ? cut.slice(0, space) : cut).trimEnd()}…`
}
