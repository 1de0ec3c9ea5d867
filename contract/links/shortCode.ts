/** Letters and digits that can't be taken for each other: no l, i, o, 0 and 1. */
export const SHORT_CODE_SIGNS = '23456789abcdefghjkmnpqrstuvwxyz'
/** All codes are this long, so that the length of a text is known before its codes are. */
export const SHORT_CODE_LENGTH = 8

/** A code as long as any, for counting and previews. */
export const someShortCode = 'x'.repeat(SHORT_CODE_LENGTH)

/** Where short links are, below their origin. */
export const SHORT_LINK_PATH = '/s/'

/** The short link of a code. */
export const shortAddress = (origin: string, code: string): string => `${origin}${SHORT_LINK_PATH}${code}`
