/*
 * What is sent as one text where a platform has no other place for a part of the post: by the same code in the adapters and in the count
 * (`includes` of a text's limit).
 */

/** The text with the link in a line below it, unless it names the link itself. */
export const withLink = (text: string, link: string | undefined): string =>
  link && !text.includes(link) ? `${text}\n${link}`.trim() : text

/** The title in a line above the text. */
export const withTitle = (title: string, text: string): string =>
  [title, text].filter((words) => words.trim() !== '').join('\n')
