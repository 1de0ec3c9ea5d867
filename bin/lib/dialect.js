// What the gate refuses in names, texts, comments and docs, and what to write instead. Add an entry as soon
// as a word has left the tree; the list only grows. `*` stands for any further letters.

/**
 * @typedef {object} Entry
 * @property {string} word one word, or several with single spaces
 * @property {string} instead what to write
 * @property {'code' | 'names'} [only] `code` leaves comments and docs out, where the word still has to be replaced; `names`
 *   looks at identifiers and file names alone, since the word is fine in a sentence; without it everything is looked at
 */

/** British spellings: the product and its code are written in American English. */
const spellings = {
  'organis*': 'organiz…',
  'authoris*': 'authoriz…',
  'recognis*': 'recogniz…',
  'normalis*': 'normaliz…',
  'optimise*': 'optimize…',
  optimising: 'optimizing',
  'optimisation*': 'optimization…',
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

/** Words and phrases of the old dialect, refused in texts, test names and code. */
const phrases = [
  // "Whoever runs this installation" is your Rookery administrator.
  { word: 'whoever', instead: 'anyone who, the person who, your Rookery administrator' },
  // A thing is in a place: "Your upcoming posts appear here."
  { word: 'stands here', instead: 'appears here' },
  { word: 'stand here', instead: 'appear here' },
  { word: 'stand in the settings', instead: "you'll find it in the settings" },
  // "Nothing came of it" is "No suggestions" or "No results".
  { word: 'nothing came of it', instead: 'no results' },
  // An admin cancels a deletion or undoes a change; nobody takes it back.
  { word: 'can take it back', instead: 'can cancel it' },
  { word: 'take that back', instead: 'undo that' },
  { word: 'taken that back', instead: 'undone that' },
  // An address belongs to the current account.
  { word: 'present address', instead: 'current address' },
  // Channels that are added later are future channels.
  { word: 'also later ones', instead: 'including future ones' },
  // An upgrade removes a limit.
  { word: 'a larger plan lifts it', instead: 'upgrade to remove this limit' },
  { word: 'suffice*', instead: 'be enough' },
  { word: 'for ever', instead: 'forever' },
  { word: 'everybody else', instead: 'everyone else' },
  // "The account of before" is the previous account.
  { word: 'one of before', instead: 'the previous one' },
  { word: 'nobody else’s', instead: "no one else's" },
  // Plans include things.
  { word: 'plan has no room', instead: "plan doesn't have room" },
]

/** Private names for what the field has a term for (docs/glossary.md). */
const names = [
  { word: 'workshop', instead: 'StepContext' },
  { word: 'of deletion', instead: 'cancelOnDeletion' },
  { word: 'foregone', instead: 'Discarded' },
  { word: 'make way', instead: 'shiftQueue' },
  { word: 'shelves', instead: 'taxonomy, or labels and campaigns by name' },
]

/** Words that have left texts, comments and docs alike. */
const words = [
  { word: 'somebody*', instead: 'someone' },
  { word: 'anybody*', instead: 'anyone' },
  { word: 'anew', instead: 'again, or a verb such as redraw or start over' },
  // A person fixes a problem, corrects a row, reconnects a channel.
  { word: 'mend*', instead: 'fix, correct or reconnect' },
  // Posts are published, emails are sent.
  { word: 'goes out', instead: 'is published or is sent' },
  { word: 'go out', instead: 'be published or be sent' },
  { word: 'went out', instead: 'was published or was sent' },
  { word: 'gone out', instead: 'been published or been sent' },
]

/** @type {readonly Entry[]} */
export const dialect = [
  ...Object.entries(spellings).map(([word, instead]) => ({ word, instead })),
  ...words,
  ...phrases.map((entry) => ({ ...entry, only: 'code' })),
  ...names.map((entry) => ({ ...entry, only: 'names' })),
]

/** What is right although it looks like an entry: it's blanked out before the search. Each has its reason. */
export const allowed = [
  // the specification's status of a plan
  'CANCELLED',
  // HTML, ARIA and CSS
  'labelledby',
  'labelled-by',
  // OAuth errors and the status of a video as Bluesky, LinkedIn and TikTok send them
  'user_cancelled_authorize',
  'user_cancelled_login',
  'publish_cancelled',
  // Mastodon's API
  'favourites_count',
  'favourited',
  'favourite',
  // plain English, in the posts of the simulated bakery
  'whoever comes in the rain',
  'Whoever comes in the rain',
  // what Mastodon calls likes
  'Favourites',
]
