/*
 * What is sent as one text where a platform has no separate place for a part of the post. The adapters and the count
 * share this code (`includes` of a text's limit).
 */

/** The text with the link on the line below, unless the text already contains it. */
export const withLink = (text: string, link: string | undefined): string =>
  link && !text.includes(link) ? `${text}\n${link}`.trim() : text

/** The title on a line above the text. */
export const withTitle = (title: string, text: string): string =>
  [title, text].filter((words) => words.trim() !== '').join('\n')
