// What the gate refuses in names, texts, comments and docs, and what to write instead (docs/writing.md). Add an entry as soon
// as a word has left the tree; the list only grows. `*` stands for any further letters.

/**
 * @typedef {object} Entry
 * @property {string} word one word, or several with single spaces
 * @property {string} instead what to write
 * @property {'code' | 'names'} [only] `code` leaves comments and docs out, where the word still has to be replaced; `names`
 *   looks at identifiers and file names alone, since the word is fine in a sentence
 */

/** British spellings: the product and its code are written in American English. */
const spellings = {
  'organis*': 'organiz…',
  'authoris*': 'authoriz…',
  'recognis*': 'recogniz…',
  'normalis*': 'normaliz…',
  'optimis*': 'optimiz…',
  'customis*': 'customiz…',
  'summaris*': 'summariz…',
  'initialis*': 'initializ…',
  'serialis*': 'serializ…',
  'minimis*': 'minimiz…',
  'maximis*': 'maximiz…',
  'prioritis*': 'prioritiz…',
  'apologis*': 'apologiz…',
  'analys*d': 'analyzed',
  'colour*': 'color…',
  'behaviour*': 'behavior…',
  'favour*': 'favor…',
  'honour*': 'honor…',
  'neighbour*': 'neighbor…',
  'cancelled*': 'canceled',
  'cancelling*': 'canceling',
  'labelled*': 'labeled',
  'labelling*': 'labeling',
  'travelled*': 'traveled',
  'modelled*': 'modeled',
  'modelling*': 'modeling',
  'signalled*': 'signaled',
  'centre*': 'center…',
  'catalogue*': 'catalog…',
  licence: 'license',
  practise: 'practice',
  grey: 'gray',
  whilst: 'while',
  amongst: 'among',
}

/** Words and phrases of the old dialect. */
const phrases = [
  // "Whoever runs this installation" is your Rookery administrator.
  { word: 'whoever', instead: 'anyone who, the person who, your administrator', only: 'code' },
  // A problem is fixed, a post is repaired.
  { word: 'mend', instead: 'fix' },
  { word: 'mends', instead: 'fixes' },
  { word: 'mended', instead: 'fixed' },
  { word: 'mending', instead: 'fixing' },
  // The draft of before is the previous draft.
  { word: 'of before', instead: 'previous, earlier' },
  // People read "settings", not where something stands.
  { word: 'stands here', instead: 'appears here' },
  { word: 'stand here', instead: 'appear here' },
  // Money is refunded.
  { word: 'given back', instead: 'refunded, returned' },
  // A question is answered with a result: "Nothing came of it."
  { word: 'came of it', instead: 'resulted' },
  // An admin cancels a deletion; nobody takes it back.
  { word: 'an admin can take it back', instead: 'an admin can cancel it' },
  // Access ends immediately.
  { word: 'at once, and', instead: 'immediately, and', only: 'code' },
  // Notifications.
  { word: 'hear of', instead: 'be notified about' },
  { word: 'hears of', instead: 'is notified about' },
  // People reach each other by email.
  { word: 'by mail', instead: 'by email' },
  { word: 'mailed', instead: 'emailed' },
  // Roles: what somebody can do.
  { word: 'admin of the project', instead: 'project admin', only: 'code' },
  { word: 'admins of the organization', instead: 'organization admins', only: 'code' },
]

/** Private names for what the field has a term for (docs/glossary.md). */
const names = [
  { word: 'desk', instead: 'ProjectContext, OrgContext' },
  { word: 'workshop', instead: 'StepContext' },
  { word: 'crew', instead: 'eligibleApprovers' },
  { word: 'shelf', instead: 'taxonomy' },
  { word: 'shelves', instead: 'taxonomies' },
  { word: 'shelve*', instead: 'what it does, such as assign' },
  { word: 'theatre', instead: 'fixture, harness' },
  { word: 'of deletion', instead: 'cancelOnDeletion' },
  { word: 'let go', instead: 'revokeSignIns' },
  { word: 'used up', instead: 'quotaExhausted' },
  { word: 'foregone', instead: 'Discarded' },
  { word: 'way back', instead: 'undoRequest' },
  { word: 'way out', instead: 'submitMode' },
  { word: 'make way', instead: 'shiftQueue' },
  { word: 'go on', instead: 'what it does, such as continue or resume' },
]

/** @type {readonly Entry[]} */
export const dialect = [
  ...Object.entries(spellings).map(([word, instead]) => ({ word, instead })),
  ...phrases,
  ...names.map((entry) => ({ ...entry, only: 'names' })),
]

/** What is right although it looks like an entry: it is blanked out before the search. Each has its reason. */
export const allowed = [
  // the specification's status of a plan
  'CANCELLED',
  // HTML, ARIA and CSS
  'labelledby',
  'labelled-by',
  // OAuth errors as Bluesky, LinkedIn and TikTok send them
  'user_cancelled_authorize',
  'user_cancelled_login',
  // Mastodon's API
  'favourites_count',
  'favourited',
  'favourite',
]
