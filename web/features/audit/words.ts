/** "hashtag_group" -> "hashtag group" */
export const inWords = (entityType: string): string => entityType.replaceAll('_', ' ').toLowerCase()

/** "hashtag_group" -> "Hashtag group" */
export const asLabel = (word: string): string => {
  const words = inWords(word)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
