import { expect, it } from 'vitest'
import { detailText, reasonDetail, StoredDetail } from './timeline.ts'

type Code = StoredDetail['code']

/** What every code says, for each of its shapes. */
const said: { [C in Code]: readonly [Extract<StoredDetail, { code: C }>, string][] } = {
  reason: [
    [reasonDetail({ code: 'publishing-paused', params: { minutes: 60 } }), 'Publishing is paused right now.'],
    [
      reasonDetail({ code: 'plan-ended', params: { minutes: 60 } }, true),
      "Your organization's plan has ended. Choose a plan. The post will be published then if that's within 1 hour of its time.",
    ],
    [
      {
        ...reasonDetail({ code: 'publishing-paused', params: { minutes: 60 } }),
        followUp: { kind: 'comment', item: null },
      },
      'First comment: Publishing is paused right now.',
    ],
  ],
  'follow-up-sent': [
    [{ code: 'follow-up-sent', followUp: { kind: 'comment', item: null } }, 'First comment'],
    [{ code: 'follow-up-sent', followUp: { kind: 'item', item: 1 } }, 'Thread item 2'],
    [{ code: 'follow-up-sent', followUp: { kind: 'playlist', item: null } }, 'Playlist entry'],
  ],
  found: [
    [{ code: 'found', platform: 'Mastodon' }, 'Found on Mastodon.'],
    [{ code: 'found', platform: 'Mastodon', followUp: { kind: 'item', item: 1 } }, 'Thread item 2: Found on Mastodon.'],
  ],
  'sent-again': [
    [{ code: 'sent-again', platform: 'Mastodon' }, "It isn't on Mastodon, so we're sending it again."],
    [
      { code: 'sent-again', platform: 'Mastodon', followUp: { kind: 'comment', item: null } },
      "First comment: It isn't on Mastodon, so we're sending it again.",
    ],
  ],
  resolved: [
    [{ code: 'resolved', outcome: 'published', followUps: false }, 'It was found on the platform.'],
    [{ code: 'resolved', outcome: 'send_again', followUps: false }, "It wasn't on the platform, so it was sent again."],
    [{ code: 'resolved', outcome: 'failed', followUps: false }, 'It was marked as not published.'],
    [{ code: 'resolved', outcome: 'published', followUps: true }, 'The follow-up was found on the platform.'],
    [
      { code: 'resolved', outcome: 'send_again', followUps: true },
      "The follow-up wasn't on the platform, so it was sent again.",
    ],
    [{ code: 'resolved', outcome: 'failed', followUps: true }, 'The follow-up was marked as not published.'],
  ],
  decision: [
    [{ code: 'decision', from: null, comment: 'Nice.' }, 'Nice.'],
    [{ code: 'decision', from: 'Carla', comment: '' }, 'By Carla, from outside your organization.'],
    [{ code: 'decision', from: 'Carla', comment: 'Nice.' }, 'By Carla, from outside your organization. Nice.'],
  ],
  workflow: [[{ code: 'workflow', name: 'Legal' }, 'Legal']],
  'ai-helped': [
    [
      { code: 'ai-helped', kinds: ['write', 'shorten', 'adapt', 'hashtags', 'altText'] },
      'AI wrote the text, shortened the text, adapted the text to the channel, found hashtags, described a picture.',
    ],
  ],
  'ai-written': [[{ code: 'ai-written' }, "Written by AI, based on the channel's recent posts."]],
  'on-platform': [
    [{ code: 'on-platform', did: 'edited' }, 'Changed on the platform, too.'],
    [{ code: 'on-platform', did: 'deleted' }, 'Deleted on the platform, too.'],
  ],
  campaign: [
    [{ code: 'campaign', name: 'Spring', did: 'paused' }, 'The campaign Spring was disabled.'],
    [{ code: 'campaign', name: 'Spring', did: 'released' }, 'The campaign Spring no longer holds it back.'],
  ],
  'once-approved': [
    [{ code: 'once-approved', next: 'queued' }, "It joins the queue once it's approved."],
    [{ code: 'once-approved', next: 'published' }, "It's published as soon as it's approved."],
  ],
  'clocks-changed': [
    [{ code: 'clocks-changed', version: '2026c' }, 'This time zone changed its clocks (time zone data 2026c).'],
  ],
  restored: [[{ code: 'restored' }, "Rookery's database was restored from a backup or copied."]],
  'deletion-undone': [[{ code: 'deletion-undone' }, 'The deletion was undone.']],
  text: [[{ code: 'text', text: 'Whatever it said before' }, 'Whatever it said before']],
}

it('has words for every code that the timeline may store', () => {
  const codes = StoredDetail.options.map((option) => option.shape.code.value)
  expect(Object.keys(said).toSorted()).toEqual(codes.toSorted())
})

it.each(Object.values(said).flat())('shows %j as words after it was stored', (detail, words) => {
  expect(detailText(JSON.parse(JSON.stringify(detail)))).toBe(words)
})

it.each([{ code: 'of a newer version' }, { code: 'workflow' }, 'a sentence'])(
  "says that it can't show %j, rather than showing nothing",
  (stored) => {
    expect(detailText(stored)).toBe("This version of Rookery can't show the details of this entry.")
  },
)

it('has no words if an entry has no detail', () => {
  expect(detailText(null)).toBeNull()
})
