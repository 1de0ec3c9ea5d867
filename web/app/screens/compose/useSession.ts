import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { DraftBody, UnfinishedUpload } from '#contract/drafts.ts'
import { getPost, type Post } from '#contract/posts.ts'
import { lastSave } from '#web/features/compose/draftSaver.ts'
import { withChannels } from '#web/features/compose/chooseChannels.ts'
import { emptyDoc, type Doc, type LinkCard, type Media } from '#web/features/compose/doc.ts'
import { docOfDraft, docOfPost, draftOf, mediaKey, mediaOfDraft } from '#web/features/compose/draftDoc.ts'
import { copyNameOf, keepCopy, readCopy, type CopyPlace } from '#web/features/compose/localCopies.ts'
import { linksOf } from '#web/features/compose/useLinkCards.ts'
import { readAttachment, type Attachment } from '#web/features/media/attachments.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import { newId } from '#web/lib/newId.ts'
import type { ProjectIds } from '#web/lib/project.ts'

/** Everything that a composer starts with. */
export type Session = {
  /** The draft's id; of a post that is edited, its own. */
  id: string
  post: Post | undefined
  editing: boolean
  version: number
  savedAt: string | undefined
  doc: Doc
  /** What the server has; undefined for what it has never seen. */
  known: DraftBody | undefined
  attachments: readonly Attachment[]
  /** When a new post began whose time nobody has set; it is planned in the zone of its channels. */
  began: Date | undefined
  /** How many of its files no longer exist. */
  gone: number
  /** Files whose upload hadn't ended when the draft was saved. */
  unfinished: readonly UnfinishedUpload[]
  /** Words that hadn't reached the server were found in this browser. */
  restored: boolean
}

type Wanted = {
  draft: string | undefined
  edit: string | undefined
  /** A post whose words, files and shelves a new draft begins with. */ copy: string | undefined
}
type Prefill = Parameters<typeof emptyDoc>[2]

/**
 * The draft or post that the address names, with what this browser still holds of it; without a name, a new draft under
 * an id of its own, which the address takes over with the first words.
 */
export function useSession(ids: ProjectIds, place: CopyPlace, zone: string, wanted: Wanted, prefill: Prefill) {
  const [own, setOwn] = useState(() => ({ id: newId(), inAddress: false, copy: wanted.copy }))
  const named = wanted.edit ?? wanted.draft
  // the address now names the draft that was begun here; leaving that address begins another
  if (named === own.id && !own.inAddress) setOwn({ ...own, inAddress: true })
  const isLeft = named !== own.id && own.inAddress
  // so does another post to copy, or none anymore
  if (isLeft || (named === undefined && wanted.copy !== own.copy))
    setOwn({ id: newId(), inAddress: false, copy: wanted.copy })
  const [reread, setReread] = useState({ id: '', times: 0 })

  const id = named ?? own.id
  const round = reread.id === id ? reread.times : 0
  // what was begun here and is asked for again is on the server
  const isNew = id === own.id && round === 0
  const query = useQuery<Session>({
    queryKey: ['compose', ids.projectId, id, round],
    queryFn: async () =>
      !isNew
        ? await load(ids, place, id, wanted.edit !== undefined)
        : wanted.copy
          ? await copyOf(ids, wanted.copy, id, zone)
          : fresh(id, zone, prefill),
    // what is being written wins over what is read again: no event and no change of rights reads it again
    staleTime: 'static',
    gcTime: 0,
    retry: 1,
    meta: { handles: ['NOT_FOUND', 'NETWORK', 'TIMEOUT'] },
  })
  return {
    key: `${id}-${round}`,
    query,
    /** Reads it again from the server, as after someone else's text was chosen. */
    again: () => setReread({ id, times: round + 1 }),
  }
}

function fresh(id: string, zone: string, prefill: Prefill): Session {
  const now = new Date()
  const isTimed = prefill?.day !== undefined || prefill?.clock !== undefined
  return {
    id,
    post: undefined,
    editing: false,
    version: 0,
    savedAt: undefined,
    doc: emptyDoc(zone, now, prefill),
    known: undefined,
    began: isTimed ? undefined : now,
    attachments: [],
    gone: 0,
    unfinished: [],
    restored: false,
  }
}

/** A new post begins with the only channel that there is, and in the zone of the channels that it begins with. */
export function beginWith(
  session: Session,
  channels: readonly Pick<Channel, 'channelId' | 'platformName' | 'zone' | 'enabled'>[],
  zone: string,
): Session {
  if (session.post || session.restored) return session
  const [only, ...others] = channels
  const channelIds =
    session.doc.channelIds.length === 0 && only?.enabled && others.length === 0
      ? [only.channelId]
      : session.doc.channelIds
  return { ...session, doc: withChannels(session.doc, channelIds, { channels, zone, began: session.began }) }
}

/** A new draft that says what a post says, with a time of its own. */
async function copyOf(ids: ProjectIds, postId: string, id: string, zone: string): Promise<Session> {
  const now = new Date()
  const post = await call(getPost, { params: { ...ids, postId } })
  const theirs = writtenBy(post, post.draft ? docOfDraft(post.draft, now, linksOf) : docOfPost(post, now, linksOf))
  const media = post.draft ? mediaOfDraft(post.draft) : mediaOfPost(post)
  const variants = Object.fromEntries(
    Object.entries(theirs.variants).map(([channelId, { plan: _theirs, ...variant }]) => [channelId, variant]),
  )
  return {
    ...fresh(id, zone, {}),
    began: now,
    doc: { ...theirs, variants, workflowId: null, plan: { ...emptyDoc(zone, now).plan, mode: 'once' } },
    ...(await readFiles(ids, media)),
  }
}

/** Posts created from AI-written text say so in their history. */
export const writtenBy = ({ ai }: Pick<Post, 'ai'>, doc: Doc): Doc =>
  ai && !doc.aiHelp.includes('write') ? { ...doc, aiHelp: ['write', ...doc.aiHelp] } : doc

const mediaOfPost = (post: Post): Media[] =>
  post.contents.flatMap(({ media }) =>
    media.map(({ assetId, altText }) => ({ assetId, ...(altText ? { altText } : {}) })),
  )

async function load(ids: ProjectIds, place: CopyPlace, id: string, edit: boolean): Promise<Session> {
  const now = new Date()
  // its last words may still be on their way there
  await lastSave(id)
  let post: Post
  try {
    post = await call(getPost, { params: { ...ids, postId: id } })
  } catch (error) {
    const copy = edit ? undefined : readCopy(place, id)
    // started here and never stored, or the server can't be reached: this browser's copy continues
    if (!copy || !isFailure(error, 'NOT_FOUND', 'NETWORK', 'TIMEOUT')) throw error
    return {
      id,
      post: undefined,
      editing: false,
      version: copy.version,
      savedAt: undefined,
      doc: docOfDraft(copy.draft, now, linksOf),
      known: undefined,
      began: undefined,
      ...(await readFiles(ids, mediaOfDraft(copy.draft))),
      unfinished: copy.draft.unfinished ?? [],
      restored: true,
    }
  }
  const editing = post.status !== 'DRAFTS'
  const copy = readCopy(place, copyNameOf(id, editing))
  const theirs = editing
    ? docOfPost(post, now, linksOf)
    : writtenBy(post, post.draft ? docOfDraft(post.draft, now, linksOf) : docOfPost(post, now, linksOf))
  const theirMedia = post.draft && !editing ? mediaOfDraft(post.draft) : mediaOfPost(post)
  const unfinished = editing ? [] : (post.draft?.unfinished ?? [])
  const known = draftOf(
    theirs,
    { mediaOf: (key) => theirMedia.find((one) => mediaKey(one) === key), cardOf: savedCard(theirs) },
    unfinished,
  )
  // a copy that reached the server after all says nothing new. One of an older version does: saving it asks which should stay
  const isOld = copy && JSON.stringify(copy.draft) === JSON.stringify(known)
  if (isOld) keepCopy(place, copyNameOf(id, editing), undefined)
  const mine = copy && !isOld ? copy.draft : undefined
  const files = await readFiles(ids, mine ? mediaOfDraft(mine) : theirMedia)
  return {
    id,
    post,
    editing,
    version: mine && copy ? copy.version : post.version,
    savedAt: editing ? undefined : post.updatedAt,
    doc: mine ? docOfDraft(mine, now, linksOf) : theirs,
    known,
    began: undefined,
    ...files,
    unfinished: mine ? (mine.unfinished ?? []) : unfinished,
    restored: mine !== undefined,
  }
}

/** What the server knows of the files, each under the key by which the items name it, and how many of them are gone. */
async function readFiles(ids: ProjectIds, media: readonly Media[]): Promise<Pick<Session, 'attachments' | 'gone'>> {
  const found = await Promise.all(
    media.map(async (one) => {
      const attachment = await readAttachment(ids, one)
      return attachment ? [{ ...attachment, key: mediaKey(one) }] : []
    }),
  )
  return { attachments: found.flat(), gone: found.filter((one) => one.length === 0).length }
}

/** The cards as they were saved or written, before any page was read again. */
export function savedCard({ cards, cardsOff }: Doc): (text: string) => LinkCard | null | undefined {
  return (text) => {
    const links = linksOf(text)
    return (
      cards.find(({ uri }) => links.includes(uri)) ??
      (links.length > 0 && links.every((link) => cardsOff.includes(link)) ? null : undefined)
    )
  }
}
