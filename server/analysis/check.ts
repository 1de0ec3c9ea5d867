import { ANALYSIS_MOST_CHARACTERS, type AnalysisFact, type AnalysisRun } from '#contract/analytics/analysis.ts'
import { unitOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { findersOf, wordsBut } from '../ai/fit.ts'
import { isRefusal } from '../ai/refusal.ts'
import { isBeyondFigures } from './beyond.ts'
import { numbersOfFinding } from './checkFinding.ts'
import { directionsIn, type Direction } from './directions.ts'
import { isWrittenFor, numbersIn, type WrittenNumber } from './numbers.ts'

/** A fact, and what the model calls it and its channel, post or groups: "Likes", "C1", "P2", "G3". */
export type NamedFact = AnalysisFact & {
  term: string
  alias: string | null
  shownAs: string | null
  /** What it calls the two groups of a finding, the higher one first: "G1" and "G2". */
  groups?: { alias: string; shownAs: string }[]
}

/** Latin letters, ASCII digits and plain punctuation: nothing that is markup, or looks like something else. */
const plain = /^[\p{Script=Latin}0-9 .,;:!?'’"“”()%+−–—/&-]+$/u
const aliases = /\b[CPG]\d{1,3}\b/g
/** Where another statement may begin. */
const joints = /[;:()–—]|,(?!\d)|\b(?:and|while|but|whereas|although|as)\b/giu

/** The words for figures, and the figures that each may stand for. */
const subjects: readonly { words: RegExp; names: readonly FigureKey[] }[] = [
  { words: /\bengagement rate\b|\brates?\b/iu, names: ['engagementRate'] },
  { words: /\bengagements?\b(?! rate)/iu, names: ['engagements'] },
  { words: /\bviewsN*\b|\bimpressions\b/iu, names: ['viewsAndImpressions'] },
  { words: /\bgain(?:ed|s)?\b|\bnew followers\b|\bfollows\b/iu, names: ['followersGained'] },
  { words: /\bfollowers?N*\b|\bsubscribers?\b/iu, names: ['followers', 'followersGained', 'followersLost'] },
  { words: /\blost\b|\bunfollow(?:s|ed)?\b/iu, names: ['followersLost'] },
  { words: /\breactions?\b|\blikes?\b|\bfavorites?\b/iu, names: ['reactions'] },
  { words: /\bcomments?\b|\breplies\b/iu, names: ['comments'] },
  { words: /\bshares?N*\b/iu, names: ['shares'] },
  { words: /\bsaves?\b|\bbookmarks?\b/iu, names: ['saves'] },
  { words: /\bclicks?N*\b/iu, names: ['clicks'] },
  // parts of shares: what a platform calls all of them is one word before anything is looked for
  { words: /\b(?:reposts?|quotes?|boosts?|sends?)\b/iu, names: [] },
]
/** Figures that some platforms have several words for, such as "Boosts and quotes", in a word of the list above. */
const oneWord: Partial<Record<FigureKey, string>> = {
  viewsAndImpressions: 'views',
  shares: 'shares',
  clicks: 'clicks',
  followers: 'followers',
}
/** The sentence with these names in one word, which is as long. */
const inOneWord = (sentence: string, facts: readonly NamedFact[]): string =>
  facts.reduce((text, { name, term }) => {
    const word = oneWord[name]
    return word === undefined
      ? text
      : text.replaceAll(new RegExp(RegExp.escape(term), 'giu'), word.padEnd(term.length, 'N'))
  }, sentence)
const platforms = platformKeys.map((platform) => ({
  platform,
  // the label of X is a letter
  words: new RegExp(String.raw`\b${platformRules[platform].label.split(/[^\p{L} ]/u)[0]?.trim() ?? platform}\b`, 'u'),
}))

/**
 * A sentence of a model as runs, each number with its fact; undefined if anything in it isn't in the facts that it names: a number, a
 * direction, a platform, a channel, or a number beside another figure's name. Sentences without a number can't be checked, so
 * they're left out, too.
 */
export function checkSentence(text: string, cited: readonly NamedFact[]): AnalysisRun[] | undefined {
  const written = text
    .slice(0, ANALYSIS_MOST_CHARACTERS * 2)
    .trim()
    .replaceAll(/\s+/gu, ' ')
  if (cited.length === 0 || written.length > ANALYSIS_MOST_CHARACTERS || !plain.test(written)) return undefined
  if (written.normalize('NFKC') !== written || isRefusal(written) || isBeyondFigures(written)) return undefined
  if (wordsBut(written, findersOf(platformKeys), '') !== written) return undefined
  if (cited.some(({ worked }) => worked !== null)) return findingRuns(written, cited)
  const sentence = inOneWord(written, cited)
  const names = [...sentence.matchAll(aliases)].map(({ 0: alias, index }) => ({
    start: index,
    end: index + alias.length,
    fact: cited.find((fact) => fact.alias === alias),
  }))
  // names are no numbers: as many letters in their place
  const numbers = numbersIn(sentence.replaceAll(aliases, (alias) => 'N'.repeat(alias.length)))
  const directions = directionsIn(sentence)
  if (!numbers || numbers.length === 0 || directions === undefined) return undefined
  if (directions !== 0 && cited.some((fact) => directionOf(fact) !== directions)) return undefined
  if (!namesOnly(sentence, cited) || hasStranger(sentence)) return undefined
  const runs: { start: number; end: number; run: AnalysisRun }[] = []
  for (const { start, end, fact } of names) {
    if (!fact?.shownAs) return undefined
    // "post 1" at the beginning of a sentence
    const shown = start === 0 ? fact.shownAs.replace(/^post (?=\d)/u, 'Post ') : fact.shownAs
    runs.push({ start, end, run: { kind: 'name', text: shown, factId: fact.id } })
  }
  const told: NamedFact[] = []
  for (const one of numbers) {
    const fact = factOf(one, { sentence, cited, direction: directions })
    if (!fact) return undefined
    told.push(fact)
    const { start, end } = one
    runs.push({ start, end, run: { kind: 'number', text: sentence.slice(start, end), factId: fact.id } })
  }
  // "C1 and C2 had 12": each that is named has a number of its own
  const isTold = names.every((name) => told.some(({ alias }) => alias === name.fact?.alias))
  return isTold && namesOnly(sentence, told) ? withWords(written, runs) : undefined
}

/** A sentence about one finding: nothing else is in it, so that no number can be taken for another's. */
function findingRuns(sentence: string, [fact, ...others]: readonly NamedFact[]): AnalysisRun[] | undefined {
  const [high, low] = fact?.groups ?? []
  if (!fact?.worked || !high || !low || others.length > 0 || !namesOnly(sentence, [fact])) return undefined
  if (!subjects.some(({ words, names }) => names.includes(fact.name) && words.test(sentence))) return undefined
  const numbers = numbersOfFinding(sentence, { finding: fact.worked, high: high.alias, low: low.alias })
  if (!numbers || numbers.length === 0) return undefined
  return withWords(sentence, [
    ...numbers.map(({ start, end }) => ({
      start,
      end,
      run: { kind: 'number' as const, text: sentence.slice(start, end), factId: fact.id },
    })),
    ...[...sentence.matchAll(aliases)].map(({ 0: alias, index }) => ({
      start: index,
      end: index + alias.length,
      run: { kind: 'name' as const, text: (alias === high.alias ? high : low).shownAs, factId: fact.id },
    })),
  ])
}

const directionOf = ({ changePercent, changePoints }: AnalysisFact): Direction =>
  sign(changePercent ?? changePoints ?? 0)
const sign = (value: number): Direction => (value > 0 ? 1 : value < 0 ? -1 : 0)

/**
 * The value before, if it agrees with the value and the change: that compares like with like, so both its sides are of fewer days where
 * some are missing.
 */
export function beforeOf(fact: AnalysisFact): number | null {
  const { value, compared, changePercent, changePoints } = fact
  if (compared === null || (changePercent === null && changePoints === null)) return null
  return compared.value === value ? compared.before : null
}

/** Whether every platform and every figure that the text names is one of the facts'. */
function namesOnly(text: string, facts: readonly NamedFact[]): boolean {
  return (
    subjects.every(({ words, names }) => !words.test(text) || facts.some(({ name }) => names.includes(name))) &&
    platforms.every(({ words, platform }) => !words.test(text) || facts.some((fact) => fact.platform === platform))
  )
}

/** Whether it names anything but platforms, figures, channels and posts: no fact has another name in it. */
function hasStranger(sentence: string): boolean {
  const known = [...platforms, ...subjects].reduce(
    (rest, { words }) => rest.replaceAll(new RegExp(words.source, `${words.flags}g`), 'n'),
    sentence.replaceAll(aliases, 'n'),
  )
  return /(?<!^|[.!?:] |["“(])\b\p{Lu}\p{L}/u.test(known)
}

/** The first fact of the sentence with this number that fits what is said around it. */
function factOf(
  written: WrittenNumber,
  { sentence, cited, direction }: { sentence: string; cited: readonly NamedFact[]; direction: Direction },
): NamedFact | undefined {
  const clause = clauseAround(sentence, written)
  const before = sentence.slice(0, written.start)
  const after = sentence.slice(written.end)
  const called = [...clause.matchAll(aliases)].map(([alias]) => alias)
  return cited.find((fact) => {
    if (called.length > 0 && !called.includes(fact.alias ?? '')) return false
    // "12 posts" are posts, whatever else is said
    if (/^ (?:published )?posts?\b/iu.test(after) && fact.name !== 'published') return false
    if (!namesOfClause(clause, fact) || !saysWhose(sentence, fact)) return false
    return isOf(written, fact, { before, after, clause, direction })
  })
}

/** Whether the figure and the platform named beside the number are those of the fact. */
function namesOfClause(clause: string, fact: NamedFact): boolean {
  const figures = subjects.filter(({ words }) => words.test(clause))
  const named = platforms.filter(({ words }) => words.test(clause))
  return (
    (figures.length === 0 || figures.some(({ names }) => names.includes(fact.name))) &&
    // a total isn't a platform's
    (named.length === 0 || named.some(({ platform }) => platform === fact.platform))
  )
}

/** Whether the sentence says whose figure it is, and that it's one of posts: a platform's isn't told as that of all. */
function saysWhose(sentence: string, { group, base, name, platform, alias }: NamedFact): boolean {
  if (group === 'channel' || group === 'post') return alias !== null && sentence.includes(alias)
  if (group === 'platform' && !platforms.some((one) => one.platform === platform && one.words.test(sentence)))
    return false
  return name === 'published' || base === (/\bposts?\b/iu.test(sentence) ? 'postsPublished' : 'inTheseDays')
}

type Around = { before: string; after: string; clause: string; direction: Direction }
const leadsToChange = /\b(?:by|rose|grew|fell|dropped|increased|decreased|declined|up|down)\s*$/iu
const leadsToValue = /\b(?:to|at|of|reach(?:ed|ing)?|was|were|is|are|had|has|have|totall?ed)\s*$/iu
const leadsToBefore = /\b(?:from|against|versus|vs|than|compared (?:with|to)|after)\s*$/iu
const isBefore = /\b(?:before|previous|previously|earlier|prior)\b/iu

function isOf(written: WrittenNumber, fact: NamedFact, { before, after, clause, direction }: Around): boolean {
  const { unit } = written
  const isRate = unitOf(fact.name).unit === 'percent'
  const isDifference =
    /^ (?:more|fewer|less|higher|lower|additional|extra|increase|decrease|rise|drop|decline)\b/iu.test(after)
  const mustBeChange = written.isChange || written.sign !== 0 || isDifference || leadsToChange.test(before)
  const matchesChange = (change: number | null): boolean => {
    // "24% of the views" and "rose to 24%" are shares
    if (change === null || /^ of\b/iu.test(after) || (leadsToValue.test(before) && !isDifference)) return false
    // a change is written with its sign, or with a word for it, which was checked
    const meant = written.sign === 0 ? direction : written.sign
    const isSaid = meant === 0 ? change >= 0 && /\bchanged?\b/iu.test(clause) : sign(change) === meant
    return isSaid && isWrittenFor(written, change)
  }
  if (unit === 'points') return matchesChange(fact.changePoints)
  if (unit === 'percent' && matchesChange(fact.changePercent)) return true
  if (mustBeChange || (unit === 'percent') !== isRate) return false
  const earlier = beforeOf(fact)
  if (leadsToBefore.test(before)) return earlier !== null && isWrittenFor(written, earlier)
  if (isWrittenFor(written, fact.value)) return true
  return isBefore.test(clause) && earlier !== null && isWrittenFor(written, earlier)
}

/** The statement that the number is in. */
function clauseAround(sentence: string, { start, end }: { start: number; end: number }): string {
  let [from, to] = [0, sentence.length]
  for (const { 0: joint, index } of sentence.matchAll(joints)) {
    if (index + joint.length <= start) from = index + joint.length
    else if (index >= end && index < to) to = index
  }
  return sentence.slice(from, to)
}

function withWords(sentence: string, runs: readonly { start: number; end: number; run: AnalysisRun }[]): AnalysisRun[] {
  const all: AnalysisRun[] = []
  let at = 0
  for (const { start, end, run } of runs.toSorted((a, b) => a.start - b.start)) {
    if (start > at) all.push({ kind: 'words', text: sentence.slice(at, start) })
    all.push(run)
    at = end
  }
  return at < sentence.length ? [...all, { kind: 'words', text: sentence.slice(at) }] : all
}
