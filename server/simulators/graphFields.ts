/*
 * Field expansion in the Graph API: `id,comments.limit(25).order(reverse_chronological){id,from}` requests edges inside
 * a node.
 */

export type Field = { name: string; modifiers: Record<string, string>; fields: Field[] }

/** An edge of a node, listed with the given modifiers. */
type Edge = (modifiers: Record<string, string>) => unknown

/** Parses `fields`. Throws if it's invalid. */
export function parseFields(text: string): Field[] {
  let at = 0
  const list = (): Field[] => {
    const fields: Field[] = []
    for (;;) {
      const name = /^[\w]+/.exec(text.slice(at))?.[0] ?? ''
      if (name === '') throw new Error(`Syntax error at ${at}: a field was expected`)
      at += name.length
      const field: Field = { name, modifiers: {}, fields: [] }
      for (let found; (found = /^\.(\w+)\(([^()]*)\)/.exec(text.slice(at))); at += found[0].length)
        field.modifiers[found[1] ?? ''] = found[2] ?? ''
      if (text[at] === '{') {
        at += 1
        field.fields = list()
        if (text[at] !== '}') throw new Error(`Syntax error at ${at}: } was expected`)
        at += 1
      }
      fields.push(field)
      if (text[at] !== ',') return fields
      at += 1
    }
  }
  const fields = list()
  if (at !== text.length) throw new Error(`Syntax error at ${at}`)
  return fields
}

/** A node as it's returned: the ID and the requested fields, with their edges. */
export function selected(fields: readonly Field[], node: Record<string, unknown>): Record<string, unknown> {
  const asked = fields.flatMap(({ name, modifiers, fields: inner }): [string, unknown][] => {
    const value = node[name]
    // a function in a node is one of our edges
    const whole = typeof value === 'function' ? (value as Edge)(modifiers) : value
    return whole === undefined ? [] : [[name, narrowed(whole, inner)]]
  })
  return { ...(node.id !== undefined && { id: node.id }), ...Object.fromEntries(asked) }
}

function narrowed(value: unknown, fields: readonly Field[]): unknown {
  if (fields.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => narrowed(one, fields))
  if ('data' in value && Array.isArray(value.data))
    return { ...value, data: value.data.map((one: unknown) => narrowed(one, fields)) }
  // an object that isn't a list has named fields
  return selected(fields, value as Record<string, unknown>)
}

/** The first items of an edge inside a node, with the URL of the next page. */
export function edgeIn<T>(
  address: string,
  items: readonly T[],
  { limit = '25', after = '0' }: Record<string, string>,
  node: (item: T) => Record<string, unknown>,
): { data: Record<string, unknown>[]; paging?: unknown } {
  const [start, most] = [Number(after) || 0, Number(limit)]
  const data = items.slice(start, start + most).map(node)
  if (data.length === 0) return { data }
  const end = String(start + data.length)
  const goesOn = start + data.length < items.length
  return {
    data,
    paging: {
      cursors: { before: String(start), after: end },
      ...(goesOn && { next: `${address}${address.includes('?') ? '&' : '?'}limit=${most}&after=${end}` }),
    },
  }
}
