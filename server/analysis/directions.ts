/** Up, down, or neither. */
export type Direction = -1 | 0 | 1

const up =
  /\b(?:increas(?:e|es|ed|ing)|r(?:ise|ises|ose|isen|ising)|gr(?:ow|ows|ew|own|owing|owth)|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:e|es|ed|ing)|soar(?:s|ed|ing)?|improv(?:e|es|ed|ing|ement)|gains?|up|upward|more|higher|larger|bigger|better|stronger|doubled|tripled|expanded|boosted|spiked?|rebounded|recovered)\b/iu
const down =
  /\b(?:decreas(?:e|es|ed|ing)|f(?:all|alls|ell|allen|alling)|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|shr(?:ink|ank|unk|inking)|sank|sunk|slipp(?:ed|ing)|slid|plung(?:e|ed|ing)|plummeted|los(?:e|s|ses|ing)|down|downward|fewer|less|lower|smaller|worse|weaker|reduc(?:e|ed|tion)|halved|dipp?(?:ed)?|contracted|weakened|worsened|deteriorated)\b/iu
/** With these, a direction may mean its opposite. */
const negation =
  /\b(?:not|no|never|without|hardly|barely|neither|nor|instead|except|failed|avoided|would|could|should|may|might|will|if|unless)\b|n['’]t\b/iu
/** "More than" compares with something: only the days before are in the facts. */
const other =
  /\b(?:more|fewer|less|higher|lower|larger|bigger|better|worse|stronger|weaker|smaller)\b(?![^.]*\bthan (?:before|in the (?:days|period) before|in the (?:previous|earlier) (?:days|period)|the (?:days|period) before|the previous (?:days|period))\b)/iu
const isCompared = /\bthan\b/iu
const unchanged =
  /\b(?:unchanged|steady|stable|flat|constant|level|the same|equal(?:led)?|exceed(?:s|ed)?|outperform(?:s|ed)?|beat|surpassed|ahead|behind|trail(?:s|ed)?)\b/iu

/**
 * Which direction a sentence speaks of; undefined if that can't be checked: both, a negation, a condition, or a comparison with
 * anything but the days before.
 */
export function directionsIn(text: string): Direction | undefined {
  const [isUp, isDown] = [up.test(text), down.test(text)]
  if (unchanged.test(text) || negation.test(text)) return undefined
  if (isCompared.test(text) && other.test(text)) return undefined
  if (isUp && isDown) return undefined
  return isUp ? 1 : isDown ? -1 : 0
}
