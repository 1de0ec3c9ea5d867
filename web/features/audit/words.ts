import { actionWords, entityWords } from '#contract/auditWords.ts'

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
/** "hashtag_group" -> "Hashtag group" */
export const asLabel = (entityType: string): string => capital(entityWords(entityType))
/** An action as a choice: "signed_in" -> "Signed in" */
export const asName = (action: string): string => capital(actionWords(action))
