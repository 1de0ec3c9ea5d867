import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import type { EntityType } from '#contract/inbox/terms.ts'
import type { Tx } from '../../db/kysely.ts'
import { applyChanges } from '../../inbox/store.ts'
import type { InboxChange, RemotePerson, RemoteSubject } from '../../platforms/inbox.ts'
import type { Past, PastItem } from '../../simulators/past.ts'
import type { SeededProject } from '../seededProject.ts'
import { seeded } from '../random.ts'
import { chatter, regulars, roasteryTalk } from './chatter.ts'
import { itemId, personNamed, postIdOf, threadKeyOf } from './remote.ts'
import { cannedResponses, longThread, stories, type Line, type Story } from './stories.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Small talk goes back this far. */
const TALK_DAYS = 45
/** What nobody answered within this time is closed. */
const STALE_MS = 3 * DAY

type Channel = SeededProject['channels'][number]
type Post = { remoteId: string; text: string; at: Date; url: string | null }
/** A story on a channel, under the key of its conversation. */
type Told = { story: Story; channel: Channel; threadKey: string; changes: InboxChange[]; sent: Sent[] }
type Sent = { who: number; text: string; at: Date; remoteId: string }

/**
 * A lively inbox: what people wrote to the channels of a seeded project, as readings of its platforms would have brought it,
 * and how the team works with it. Returns how many conversations there are, and what the simulators have to know of them.
 */
export async function seedInbox(
  tx: Tx,
  project: SeededProject & { everywhere: boolean },
  now: Date,
): Promise<{ count: number; past: Past }> {
  await insertCannedResponses(tx, project, now)
  await tx
    .insertInto('inbox_setting')
    .values({ org_id: project.orgId, project_id: project.projectId, answer_hours: 8, reply_closes: false })
    .execute()
  let count = 0
  const past: Past = []
  for (const { channel, stories: all } of await storiesOf(tx, project, now)) {
    const posts = await publishedOn(tx, project, channel)
    const told = onePerThread(all.map((story, place) => tell(channel, story, place, posts, now)))
    await applyChanges(
      tx,
      { orgId: project.orgId, projectId: project.projectId, channelId: channel.channelId, platform: channel.platform },
      told.flatMap(({ changes }) => changes),
      { now },
    )
    for (const one of told) await work(tx, project, one, now)
    count += told.length
    past.push({
      platform: channel.platform,
      account: channel.remoteId,
      name: channel.name,
      handle: channel.handle,
      items: told.flatMap(pastOf),
      posts: [],
    })
  }
  return { count, past }
}

/**
 * The first story of each thread: on X, what one person writes about one post is a single conversation, and which post
 * was the newest when someone wrote depends on the day.
 */
function onePerThread(told: readonly Told[]): Told[] {
  const threads = new Map(told.map((one): [string, Told] => [`${one.story.kind} ${one.threadKey}`, one]).toReversed())
  return told.filter((one) => threads.get(`${one.story.kind} ${one.threadKey}`) === one)
}

/** A conversation as its platform keeps it. */
function pastOf({ changes }: Told): PastItem[] {
  const items = changes.filter((change) => change.change === 'item')
  const gone = new Set(changes.flatMap((change) => (change.change === 'deleted' ? [change.remoteId] : [])))
  const root = items[0]?.remoteId ?? ''
  const named = (person: RemotePerson | null) => person && { ...person, pictureUrl: person.pictureUrl ?? '' }
  return items.map((item) => ({
    remoteId: item.remoteId,
    conversation: item.conversation,
    root,
    parent: item.parentRemoteId,
    subject: item.subject && {
      remoteId: item.subject.remoteId,
      text: item.subject.text,
      at: (item.subject.at ?? item.at).getTime(),
    },
    author: named(item.author),
    counterpart: named(item.counterpart),
    text: item.text,
    at: item.at.getTime(),
    stars: item.rating ?? null,
    hidden: item.hidden,
    held: item.held ?? false,
    deleted: gone.has(item.remoteId),
  }))
}

/** Each channel's: what is written by hand, and small talk under its posts. */
async function storiesOf(
  tx: Tx,
  project: SeededProject & { everywhere: boolean },
  now: Date,
): Promise<{ channel: Channel; stories: Story[] }[]> {
  const random = seeded(project.channels.length * 6007)
  const seen = new Set<string>()
  const all = []
  for (const channel of project.channels) {
    const isFirst = !seen.has(channel.platform)
    seen.add(channel.platform)
    const own = !project.everywhere
      ? isFirst
        ? roasteryStories()
        : []
      : isFirst
        ? [...stories.filter(({ on }) => on === channel.platform), ...(channel.platform === 'bluesky' ? [long()] : [])]
        : []
    const posts = inboxRules[channel.platform].kinds.comment ? await publishedOn(tx, project, channel) : []
    all.push({ channel, stories: [...own, ...posts.flatMap((post) => smallTalk(channel, post, now, random))] })
  }
  return all
}

const long = (): Story => {
  const { asked, answers, ...story } = longThread
  return {
    ...story,
    lines: asked.flatMap(([from, text], i): Line[] => {
      const answer = answers[i]
      return [
        { by: 'them', from, text, after: i === 0 ? 0 : 47 },
        ...(answer === undefined ? [] : [{ by: 'team', who: i % 4 === 3 ? 1 : 2, text: answer, after: 9 } as const]),
      ]
    }),
  }
}

const roasteryStories = (): Story[] =>
  roasteryTalk.map(({ name, text, open }, i) => ({
    on: 'bluesky',
    kind: i === 2 ? 'message' : i === 1 ? 'mention' : 'comment',
    hours: 4 + i * 19,
    name,
    lines: [
      { by: 'them', text },
      ...(open ? [] : [{ by: 'team', who: 3, text: 'You have good ears.', after: 90 } as const]),
    ],
    ...(!open && { status: 'CLOSED' as const }),
  }))

function smallTalk({ platform }: Channel, post: Post, now: Date, random: ReturnType<typeof seeded>): Story[] {
  const age = now.getTime() - post.at.getTime()
  if (age > TALK_DAYS * DAY) return []
  const names = [...regulars]
  return Array.from({ length: random.below(4) }, (): Story => {
    // everybody once: some platforms have one conversation for each person in a thread
    const name = random.pick(names)
    names.splice(names.indexOf(name), 1)
    const { text, answer } = random.pick(chatter)
    const written = Math.min(age, (10 + random.below(2000)) * MINUTE)
    const answered = answer !== undefined && random.next() < 0.85
    const wait = 12 + random.below(400)
    const isAnswered = answered && age - written > wait * MINUTE
    return {
      on: platform,
      kind: 'comment',
      hours: (age - written) / HOUR,
      name,
      lines: [
        { by: 'them', text },
        ...(isAnswered
          ? [
              random.next() < 0.9
                ? ({ by: 'team', who: random.below(4), text: answer, after: wait } as const)
                : ({ by: 'app', text: answer, after: wait } as const),
            ]
          : []),
      ],
      ...((isAnswered || age - written > STALE_MS) && { status: 'CLOSED' as const }),
    }
  })
}

async function publishedOn(tx: Tx, { orgId }: SeededProject, { channelId }: Channel): Promise<Post[]> {
  const { rows } = await sql<Post>`
    select remote_id as "remoteId", contents -> 0 ->> 'text' as text, published_at as at, permalink as url from post
    where org_id = ${orgId} and channel_id = ${channelId} and state = 'PUBLISHED' and remote_id is not null and published_at is not null
    order by published_at desc, id`.execute(tx)
  return rows
}

/** A story as changes that a reading of its platform brings. */
function tell(channel: Channel, story: Story, place: number, posts: readonly Post[], now: Date): Told {
  const { platform } = channel
  const began = now.getTime() - story.hours * HOUR
  const person = personNamed(platform, story.name)
  const subject = story.kind === 'comment' ? subjectOf(channel, story, posts, new Date(began)) : null
  const idOf = (by: string, line: number, when: number, first: string | null) =>
    itemId(channel, {
      kind: story.kind,
      by,
      place: `${place}/${line}`,
      at: new Date(when),
      root: first,
      subject: subject?.remoteId ?? null,
    })
  const root = idOf(person.remoteId, 0, began + (story.lines[0]?.after ?? 0) * MINUTE, null)
  const threadKey = threadKeyOf(channel, {
    kind: story.kind,
    root,
    subject: subject?.remoteId ?? null,
    person: person.remoteId,
  })
  const changes: InboxChange[] = []
  const sent: Sent[] = []
  let at = began
  let before: string | null = null
  for (const [i, line] of story.lines.entries()) {
    at += (line.after ?? (i === 0 ? 0 : 20)) * MINUTE
    const isOurs = line.by !== 'them'
    const author = isOurs ? null : line.from === undefined ? person : personNamed(platform, line.from)
    const remoteId = i === 0 ? root : idOf(author?.remoteId ?? channel.remoteId, i, at, root)
    const editedAt = line.edited === undefined ? null : new Date(at + HOUR)
    changes.push({
      change: 'item',
      remoteId,
      threadKey,
      conversation: story.kind,
      type: typeOf(story, i),
      parentRemoteId: before,
      // Google names no ids of people: each review is someone of its own
      author: author && story.kind === 'review' ? { ...author, remoteId: `review ${root}` } : author,
      isOurs,
      counterpart: story.kind === 'message' ? person : null,
      text: line.edited ?? line.text,
      media:
        line.picture === undefined
          ? []
          : [
              {
                kind: 'image',
                url: `https://${platform}.simulated/pictures/${place}-${i}.png`,
                name: null,
                altText: line.picture,
              },
            ],
      at: new Date(at),
      version: editedAt?.getTime() ?? 0,
      editedAt,
      hidden: line.hidden ?? line.held ?? false,
      held: line.held ?? false,
      url: null,
      rating: i === 0 ? (story.rating ?? null) : null,
      subject,
    })
    if (line.deleted) changes.push({ change: 'deleted', remoteId, at: new Date(at + 3 * MINUTE) })
    if (line.by === 'team') sent.push({ who: line.who, text: line.text, at: new Date(at), remoteId })
    before = remoteId
  }
  return { story, channel, threadKey, changes, sent }
}

/** The newest post of the channel at that time, which the story is about. */
function subjectOf(channel: Channel, { about }: Story, posts: readonly Post[], began: Date): RemoteSubject | null {
  const ours = { isOurs: true, person: null }
  if (about !== undefined) return { ...ours, remoteId: postIdOf(channel, about), text: about, at: null, url: null }
  const post = posts.find(({ at }) => at <= began)
  return post ? { ...ours, ...post } : null
}

const firstTypes = { comment: 'COMMENT', message: 'DIRECT_MESSAGE', mention: 'MENTION_POST', review: 'REVIEW' } as const
const typeOf = ({ kind }: Story, line: number): EntityType =>
  line === 0 || kind === 'message' ? firstTypes[kind] : 'REPLY'

/** What the team did with it: written straight into the tables, because a history can't happen in a second. */
async function work(
  tx: Tx,
  { orgId, projectId, people }: SeededProject,
  { story, channel, threadKey, sent }: Told,
  now: Date,
): Promise<void> {
  const personAt = (place: number): string => {
    const person = people[place]
    if (person === undefined) throw new Error(`nobody at place ${place}`)
    return person
  }
  const { id } = await tx
    .selectFrom('conversation')
    .select('id')
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channel.channelId)
    .where('kind', '=', story.kind)
    .where('thread_key', '=', threadKey)
    .executeTakeFirstOrThrow()
  const followUpOn = new Date(now.getTime() + (story.inDays ?? 1) * DAY).toISOString().slice(0, 10)
  await tx
    .updateTable('conversation')
    .set({
      status: story.status ?? 'OPEN',
      ...(story.status === 'FOLLOWUP' && { follow_up_on: followUpOn }),
      ...(story.assignee !== undefined && { assignee_id: personAt(story.assignee) }),
      ...(story.judged && { sentiment: story.judged, sentiment_by: 'person' }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
  if (sent.length > 0)
    await tx
      .insertInto('reply')
      .values(
        sent.map(({ who, text, at, remoteId }) => ({
          org_id: orgId,
          id: randomUUIDv7(),
          conversation_id: id,
          channel_id: channel.channelId,
          author_id: personAt(who),
          text,
          state: 'SENT',
          created_at: at,
          sent_at: at,
          remote_id: remoteId,
        })),
      )
      .execute()
  if (story.labels)
    await sql`
      insert into conversation_label (org_id, conversation_id, label_id)
      select org_id, ${id}, id from label where org_id = ${orgId} and project_id = ${projectId} and name = any(${[...story.labels]}::text[])`.execute(
      tx,
    )
  if (story.note) {
    const note = { org_id: orgId, project_id: projectId, conversation_id: id, parent_id: null }
    const noteId = randomUUIDv7()
    const at = now.getTime() - (story.hours * HOUR) / 2
    await tx
      .insertInto('note')
      .values({
        ...note,
        id: noteId,
        author_id: personAt(story.note.by),
        body: story.note.text,
        created_at: new Date(at),
      })
      .execute()
    if (story.note.reply !== undefined)
      await tx
        .insertInto('note')
        .values({
          ...note,
          id: randomUUIDv7(),
          parent_id: noteId,
          author_id: personAt(3),
          body: story.note.reply,
          created_at: new Date(at + 9 * MINUTE),
        })
        .execute()
  }
  if (!story.unread)
    await sql`
      insert into conversation_read (org_id, conversation_id, person_id, up_to)
      select org_id, id, ${personAt(0)}, last_at from conversation where org_id = ${orgId} and id = ${id}`.execute(tx)
}

async function insertCannedResponses(tx: Tx, { orgId, projectId, people }: SeededProject, now: Date): Promise<void> {
  await tx
    .insertInto('canned_response')
    .values(
      cannedResponses.map(({ name, text, by, used }, i) => ({
        org_id: orgId,
        id: randomUUIDv7(),
        project_id: projectId,
        name,
        text,
        author_id: people[by] ?? null,
        updated_at: new Date(now.getTime() - (i + 3) * DAY),
        used,
      })),
    )
    .execute()
}
