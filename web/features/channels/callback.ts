/**
 * The parameters of a platform's redirect, as the server takes them. Leaves out our own `hop`, and what some platforms
 * append to a code (`#_` of Instagram, `#_=_` of Facebook).
 */
export function callbackParams(search: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== 'hop',
  )
  return Object.fromEntries(
    texts.map(([name, value]) => [name, name === 'code' ? value.replace(/#_(=_)?$/, '') : value]),
  )
}
