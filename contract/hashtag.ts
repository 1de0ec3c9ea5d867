/*
 * What hashtags are made of, following the open source of X (twitter/twitter-text, src/regexp): letters of every script
 * with their marks, digits, and what joins words in some scripts, such as the zero-width joiners of Persian and Malayalam
 * and the middle dot of Katakana. Parts of character classes of regular expressions with the u flag.
 */

/** A hashtag has at least one of these. */
export const TAG_LETTERS = String.raw`\p{L}\p{M}`
/** These, too, are part of it. */
export const TAG_OTHERS = String.raw`\p{Nd}_\u200c\u200d\ua67e\u05be\u05f3\u05f4\uff5e\u301c\u309b\u309c\u30a0\u30fb\u3003\u0f0b\u0f0c\u00b7`
/** The number sign, and the one that Japanese and Chinese keyboards type. */
export const TAG_SIGNS = '#＃'
