import { useEffect, useReducer, useRef, useState } from 'react'
import type { MediaFacts } from '#contract/checkMedia.ts'
import {
  createUpload,
  fitAsset,
  getAsset,
  redrawAsset,
  removeThumbnail,
  setThumbnail,
  UPLOAD,
  type Asset,
} from '#contract/media.ts'
import { describeMediaProblem, MediaProblem } from '#contract/mediaProblems.ts'
import type { PlatformKey, PostRules, PostType } from '#contract/platforms/rules.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { isOverUploadLimit } from '#web/lib/unfinishedUploads.ts'
import { LOST, startUpload, type RunningUpload } from '#web/lib/upload.ts'
import {
  changeAttachments,
  factsOf,
  ofAsset,
  UNREAD,
  type Attachment,
  type AttachmentChange,
  type CheckFile,
} from './attachments.ts'
import { noRoom } from './room.ts'

/** The platform that an image is fitted to, and its maximum size in bytes. */
export type FitFor = {
  platform: PlatformKey
  postType: PostType
  /** The account whose own limits apply. */ channelId?: string
  bytes: number
}
export type Attachments = ReturnType<typeof useAttachments>

/** A part of the image in its own pixels, after rotation. */
export type Change = { rotate: 0 | 90 | 180 | 270; crop?: { x: number; y: number; width: number; height: number } }

const FAILED = 'Error uploading file'
/** Moved or deleted after it was chosen, or on a drive that is gone. */
const UNREADABLE = "your browser can't read this file"
const HEIC_UNREAD = "your browser can't read HEIC photos. Save it as JPEG and attach it again"
/** How many files are uploaded at the same time; the others wait. */
const AT_ONCE = 3
const wordsOf = (error: unknown): string =>
  isFailure(error) ? (Object.values(error.errors)[0]?.[0] ?? error.detail ?? FAILED) : FAILED

const TOO_LARGE: MediaProblem = { code: 'too-large', kind: 'image', bytes: UPLOAD.imageBytes }
const isTooLarge = (error: unknown): boolean =>
  isFailure(error, 'MEDIA_REFUSED') && MediaProblem.safeParse(error.meta['problem']).data?.code === 'too-large'

/** Where added files belong: what is accepted there, and what is there already. */
export type Destination = {
  /** The item whose files they become. */
  item: string
  rules: readonly PostRules[]
  held: readonly MediaFacts[]
  check: CheckFile
  onAdded: (key: string) => void
}

/**
 * The files of the post being written: checked when they're added, uploaded with progress, fitted if the person agrees.
 * `onRefused` gets a message for each file that isn't accepted at all.
 */
export function useAttachments(
  ids: ProjectIds,
  options: {
    initial: readonly Attachment[]
    onRefused: (sentences: readonly string[]) => void
    /** Gets the files after each change of them. */
    onChange?: (list: readonly Attachment[]) => void
  },
) {
  const [list, apply] = useReducer(changeAttachments, options.initial)
  const [opening, setOpening] = useState<readonly string[]>([])
  const now = useRef(list)
  const running = useRef(new Map<string, RunningUpload>())
  const files = useRef(new Map<string, File | Blob>())
  const queue = useRef<{ key: string; go: () => Promise<void> }[]>([])
  const underWay = useRef(new Set<string>())

  // what is read after a wait must be the current list
  const change = (next: AttachmentChange) => {
    now.current = changeAttachments(now.current, next)
    apply(next)
    options.onChange?.(now.current)
  }
  const set = (key: string, part: Partial<Attachment>) => change({ type: 'changed', key, change: part })
  const isHere = (key: string) => now.current.some((one) => one.key === key)

  useEffect(() => {
    const { current: uploads } = running
    return () => {
      for (const upload of uploads.values()) upload.cancel()
    }
  }, [])

  const send = async (key: string, file: Blob, name: string, contentType: string) => {
    set(key, { state: 'waiting', sent: 0, problem: undefined, isOverLimit: false, isTooLarge: false })
    queue.current.push({ key, go: () => transfer(key, file, name, contentType) })
    next()
  }
  /** Starts waiting uploads, as long as there are slots. */
  const next = () => {
    while (underWay.current.size < AT_ONCE) {
      const one = queue.current.shift()
      if (!one) return
      if (!isHere(one.key)) continue
      underWay.current.add(one.key)
      void one.go()
    }
  }
  const done = (key: string) => {
    if (underWay.current.delete(key)) next()
  }
  const transfer = async (key: string, file: Blob, name: string, contentType: string) => {
    set(key, { state: 'uploading' })
    try {
      const { assetId, uploadUrl } = await call(createUpload, {
        params: ids,
        body: { fileName: name, contentType, bytes: file.size },
      })
      const upload = await startUpload(file, uploadUrl, {
        onProgress: (sent) => set(key, { sent }),
        onDone: () => void settle(key, assetId),
        onFailed: (problem) => fall(key, problem),
        onInterrupted: () => set(key, { problem: LOST }),
        onLost: () => set(key, { state: 'paused', problem: LOST }),
        onBack: () => set(key, { state: 'uploading', problem: undefined }),
      })
      running.current.set(key, upload)
      if (!isHere(key)) drop(key)
    } catch (error) {
      fall(key, wordsOf(error))
      set(key, { isOverLimit: isOverUploadLimit(error), isTooLarge: isTooLarge(error) })
    }
  }
  const fall = (key: string, problem: string) => {
    running.current.delete(key)
    set(key, { state: 'failed', problem })
    done(key)
  }
  const drop = (key: string) => {
    running.current.get(key)?.cancel()
    running.current.delete(key)
    files.current.delete(key)
    done(key)
  }
  /** The server has read the file: its type, size and dimensions count. */
  const settle = async (key: string, assetId: string) => {
    running.current.delete(key)
    done(key)
    set(key, { state: 'reading', problem: undefined })
    try {
      const asset = await call(getAsset, { params: { ...ids, assetId } })
      if (asset.state === 'refused')
        return set(key, { state: 'failed', problem: asset.problem ?? "This file can't be used." })
      set(key, { ...ofAsset(asset, altOf(key)), key, url: urlOf(key) })
      files.current.delete(key)
    } catch (error) {
      set(key, { state: 'failed', problem: wordsOf(error) })
    }
  }
  /** What the server makes of a file replaces it; a refusal leaves it as it was, with the reason. */
  const remake = async (key: string, make: (assetId: string) => Promise<Asset>): Promise<boolean> => {
    const assetId = find(key)?.assetId
    if (assetId === undefined) return false
    set(key, { state: 'fitting', problem: undefined })
    try {
      set(key, { ...ofAsset(await make(assetId), altOf(key)), key })
      return true
    } catch (error) {
      set(key, { state: 'ready', problem: wordsOf(error) })
      return false
    }
  }
  const find = (key: string) => now.current.find((one) => one.key === key)
  const altOf = (key: string) => find(key)?.altText ?? ''
  const urlOf = (key: string) => find(key)?.url ?? ''

  return {
    list,
    /** Files that still have to arrive before the post can be submitted. */
    busy: opening.length > 0 || list.some(({ state }) => state !== 'ready' && state !== 'failed'),
    /** The item of each chosen file that the browser is still reading: it isn't in the list yet. */
    opening,

    /** `to` says where they belong and what is accepted there; `onAdded` gets each accepted file's key. */
    async add(chosen: readonly File[], to: Destination) {
      const refused: string[] = []
      const held = [...to.held]
      setOpening((items) => [...items, ...chosen.map(() => to.item)])
      for (const given of chosen) {
        // only attaching a file loads what reads it
        const read = await import('./readable.ts').then(({ readable }) => readable(given)).catch(() => undefined)
        const [file, facts] = [read?.file ?? given, read?.facts]
        setOpening((items) => items.toSpliced(items.indexOf(to.item), 1))
        if (!facts) {
          refused.push(`${given.name}: ${read ? HEIC_UNREAD : UNREADABLE}`)
          continue
        }
        // what can't be fixed isn't accepted; the rest is attached and says what it needs
        const broken = to.check(facts).find((error) => error.fix === undefined)
        const unreadable = /^(?:image|video)\/|^application\/pdf$/.test(facts.contentType)
          ? undefined
          : 'documents are not supported'
        const reason = broken?.message ?? unreadable ?? noRoom(to.rules, held, facts)
        if (reason) {
          refused.push(`${given.name}: ${reason}`)
          continue
        }
        const key = crypto.getRandomValues(new Uint32Array(3)).join('-')
        files.current.set(key, file)
        change({
          type: 'added',
          attachment: {
            key,
            assetId: undefined,
            state: 'waiting',
            fileName: given.name,
            ...UNREAD,
            ...facts,
            thumbnailUrl: null,
            url: URL.createObjectURL(file),
            altText: '',
            sent: 0,
            problem: undefined,
          },
        })
        held.push(facts)
        to.onAdded(key)
        // larger than the server accepts at all: it can only be sent after being shrunk here, if the person agrees
        if (facts.contentType.startsWith('image/') && file.size > UPLOAD.imageBytes)
          set(key, { state: 'failed', problem: describeMediaProblem(TOO_LARGE), isTooLarge: true })
        else void send(key, file, given.name, facts.contentType)
      }
      options.onRefused(refused)
    },

    /** Files from the project's library, with their alt texts there. Refused like added files. */
    attach(chosen: readonly Asset[], to: Destination) {
      const refused: string[] = []
      const held = [...to.held]
      for (const asset of chosen) {
        const key = crypto.getRandomValues(new Uint32Array(3)).join('-')
        const attachment = { ...ofAsset(asset, asset.altText), key }
        const facts = factsOf(attachment)
        const reason =
          to.check(facts).find((error) => error.fix === undefined)?.message ?? noRoom(to.rules, held, facts)
        if (reason) {
          refused.push(`${asset.displayName}: ${reason}`)
          continue
        }
        change({ type: 'added', attachment })
        held.push(facts)
        to.onAdded(key)
      }
      options.onRefused(refused)
    },

    /** Converts and shrinks the image to what the platform accepts; the original stays on the server. */
    async fit(key: string, { bytes: most, ...to }: FitFor) {
      const one = find(key)
      const file = files.current.get(key)
      if (one?.assetId) await remake(key, (assetId) => call(fitAsset, { params: { ...ids, assetId }, body: to }))
      if (!one || one.assetId || !file) return
      set(key, { state: 'fitting', problem: undefined })
      const smaller = await import('./shrink.ts')
        .then(({ shrink }) => shrink(file, Math.min(most, UPLOAD.imageBytes)))
        // its code didn't arrive
        .catch(() => undefined)
      if (!smaller)
        return set(key, {
          state: 'failed',
          problem: "Your browser can't make this image smaller. Save it as JPEG and attach it again.",
        })
      set(key, { contentType: smaller.type, bytes: smaller.size })
      await send(key, smaller, one.fileName, smaller.type)
    },
    /** Rotates and crops an image. Returns whether it was done. */
    redraw: (key: string, body: Change) =>
      remake(key, (assetId) => call(redrawAsset, { params: { ...ids, assetId }, body })),
    /** Chooses a video's thumbnail; null removes it. Throws with the server's reason. */
    async thumbnail(key: string, picture: { image: Blob; seconds: number | null } | null) {
      const assetId = find(key)?.assetId
      if (assetId === undefined) return
      const params = { ...ids, assetId }
      const { blobText } = await import('./frames.ts')
      const asset = picture
        ? await call(setThumbnail, { params, body: { image: await blobText(picture.image), seconds: picture.seconds } })
        : await call(removeThumbnail, { params })
      set(key, { thumbnailUrl: asset.thumbnailUrl })
    },
    retry(key: string) {
      const [one, file] = [find(key), files.current.get(key)]
      if (one && file) void send(key, file, one.fileName, one.contentType)
    },
    pause(key: string) {
      running.current.get(key)?.pause()
      set(key, { state: 'paused' })
    },
    resume(key: string) {
      running.current.get(key)?.resume()
      set(key, { state: 'uploading', problem: undefined })
    },
    remove(key: string) {
      change({ type: 'removed', key })
      drop(key)
    },
    /** Ends what is under way, and has these files instead. */
    replace(attachments: readonly Attachment[]) {
      for (const { key } of now.current) {
        change({ type: 'removed', key })
        drop(key)
      }
      for (const attachment of attachments) change({ type: 'added', attachment })
    },
    /** Replaces a file with another one. */
    move: (key: string, over: string) => change({ type: 'moved', key, over }),
    describe: (key: string, altText: string) => set(key, { altText }),

    /** As the API has them: only what has arrived. */
    media: list.flatMap((one) =>
      one.assetId && one.state !== 'failed'
        ? [{ assetId: one.assetId, ...(one.altText.trim() ? { altText: one.altText.trim() } : {}) }]
        : [],
    ),
  }
}
