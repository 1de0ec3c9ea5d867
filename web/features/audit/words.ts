/** Kinds whose name in the audit is not the one that the screens have. */
const spelled: Readonly<Record<string, string>> = {
  organisation: 'organization',
  invite: 'invitation',
  org_settings: 'organization settings',
  member_session: 'sessions of',
}

/** "hashtag_group" -> "hashtag group" */
export const inWords = (entityType: string): string =>
  spelled[entityType] ?? entityType.replaceAll('_', ' ').toLowerCase()

/** "hashtag_group" -> "Hashtag group" */
export const asLabel = (word: string): string => capital(inWords(word))
/** An action as a choice: "signed_in" -> "Signed in" */
export const asName = (action: string): string => capital(action.replaceAll('_', ' ').toLowerCase())
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
