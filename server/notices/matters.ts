/** Names of matters that one part of the product raises and another settles. */

/** A post that did not go out, or of which nobody knows. */
export const postMatter = (postId: string, state: string): string => `post:${postId}:${state}`

/** What was to follow a live post and did not, or of which nobody knows. */
export const partsMatter = (postId: string): string => `post:${postId}:parts`

/** A note on a post, for those whom it names and for the author of the note that it replies to. */
export const noteMatter = (noteId: string): string => `note:${noteId}`

/** A channel that has to be connected again. */
export const reconnectMatter = (channelId: string): string => `channel:${channelId}:reconnect`

/** A channel whose sign-in ends soon. */
export const signInEndsMatter = (channelId: string): string => `channel:${channelId}:sign-in-ends`

/** A step of a round of approval that waits for its approvers. */
export const approvalMatter = (approvalId: string, step: number): string => `approval:${approvalId}:${step}`
