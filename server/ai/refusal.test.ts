import { describe, expect, it } from 'vitest'
import { isRefusal } from './refusal.ts'

describe('a refusal', () => {
  it.each([
    "I'm sorry, but I can't help with that request.",
    'I’m sorry, I can’t assist with that.',
    'Sorry, but I cannot fulfill this request.',
    'I cannot generate this type of content.',
    "I'm unable to write this post because it names a real person.",
    'Unfortunately, I am not able to complete your request.',
    'As an AI language model, I do not have opinions.',
    "I'm sorry, I can't see the image.",
    'I apologize, but I cannot comply with these instructions.',
  ])('is recognized: %s', (text) => expect(isRefusal(text)).toBe(true))

  it.each([
    "I can't help but smile when the rooks come back.",
    "I'm sorry, but I can't make it to the market on Friday.",
    "We're sorry, we can't help with deliveries today.",
    "I can't describe how happy this makes me.",
    "I cannot write fast enough to keep up with this season's orders.",
    'Sorry, we are closed.',
    'AI can help with that request. Here is how.',
    `${'A long post. '.repeat(60)}I'm sorry, but I can't help with that.`,
  ])('is not: %s', (text) => expect(isRefusal(text)).toBe(false))

  it("isn't one if the person wrote it themselves", () => {
    const source = "I'm sorry, but I can't help with that request, said the chatbot. Our people can."
    expect(isRefusal("I'm sorry, but I can't help with that request, said the chatbot.", source)).toBe(false)
  })
})
