import { dirname, join, sep } from 'node:path'

/* What imports what, for values or types alone, and where that forms a circle. */

/** Same length and lines, so that positions stay right. Strings that contain // are URLs and keep it. */
export function withoutComments(source) {
  const blank = (text) => text.replaceAll(/[^\n]/g, ' ')
  return source
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/(^|[\s;{}(,])\/\/.*$/gm, (text, before) => before + blank(text.slice(before.length)))
}

/** A file's imports: paths from the project's folder, or names of packages. */
export function importsOf(path, code) {
  const pattern = /(?:(?<![.\w])from\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g
  return [...code.matchAll(pattern)].map((match) => ({
    target: resolveTarget(path, match[2]),
    line: lineAt(code, match.index),
  }))
}

function resolveTarget(path, specifier) {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return join(dirname(path), specifier).split(sep).join('/')
  return specifier
}

export const lineAt = (code, index) => code.slice(0, index).split('\n').length

/**
 * Circles of imports: the shortest one through the first file of each group of files that reach each other.
 * @param {Map<string, readonly string[]>} graph each file with what it imports
 * @returns {string[][]} paths in order; the last imports the first
 */
export function circlesIn(graph) {
  const seen = new Set()
  const circles = []
  for (const file of [...graph.keys()].toSorted()) {
    if (seen.has(file)) continue
    const circle = shortestWay(graph, file, file)
    if (!circle) continue
    circles.push(circle)
    // one report for the whole group: its other circles appear once this one is gone
    for (const other of reached(graph, file)) if (reached(graph, other).has(file)) seen.add(other)
  }
  return circles
}

function shortestWay(graph, from, to) {
  const before = new Map()
  const queue = [from]
  for (const at of queue) {
    for (const next of graph.get(at) ?? []) {
      if (next === to) return wayBack(before, at)
      if (!graph.has(next) || before.has(next) || next === from) continue
      before.set(next, at)
      queue.push(next)
    }
  }
  return undefined
}

function wayBack(before, end) {
  const way = [end]
  while (before.has(way[0])) way.unshift(before.get(way[0]))
  return way
}

function reached(graph, from) {
  const found = new Set([from])
  for (const at of found) for (const next of graph.get(at) ?? []) if (graph.has(next)) found.add(next)
  return found
}

const folderOf = (path) => /^server\/([^/]+)\/.+/.exec(path)?.[1]

/**
 * Which folders of the server import which, and one import for each pair, as 'from to'.
 * @param {Map<string, readonly string[]>} graph each file with what it imports
 * @returns {{ folders: Map<string, string[]>, examples: Map<string, string> }}
 */
export function foldersOf(graph) {
  const folders = new Map()
  const examples = new Map()
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)]
      if (!from || !to || from === to || examples.has(`${from} ${to}`)) continue
      examples.set(`${from} ${to}`, `${file} imports ${target}`)
      folders.set(from, [...(folders.get(from) ?? []), to])
    }
  return { folders, examples }
}
