import type { ResponseVariable } from '#contract/inbox/cannedResponses.ts'

/** Each variable's name on screen, and an example value. */
export const variableLook: Record<ResponseVariable, { name: string; example: string }> = {
  name: { name: 'Their name', example: 'Maya' },
  handle: { name: 'Their handle', example: '@maya' },
  channel: { name: 'Channel', example: 'Northlight Coffee' },
  post_link: { name: 'Link to the post', example: 'https://example.com/post' },
  agent: { name: 'Your name', example: 'Edda' },
}
