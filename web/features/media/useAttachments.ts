import { useEffect, useReducer, useRef } from 'react'
import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import { createUpload, fitAsset, getAsset } from '#contract/media.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { call } from '#web/lib/client.ts'
import { isFailure } from '#web/lib/failure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { changeAttachments, ofAsset, type Attachment, type AttachmentChange, type CheckFile } from './attachments.ts'
import { probe, uploadName } from './probe.ts'
import { shrink } from './shrink.ts'
import { startUpload, type RunningUpload } from '#web/lib/upload.ts'

/** The platform that a picture is fitted to, and the most bytes that it takes. */
export type FitFor = { platform: PlatformKey; postType: PostType; bytes: number }
export type Attachments = ReturnType<typeof useAttachments>

const FAILED = 'Error uploading file'

/**
 * The pictures of the post that is being written: checked when they come in, sent with their progress, fitted when the
 * person agrees. `onRefused` gets a sentence for each file that is not taken at all.
 */
export function useAttachments(ids: ProjectIds, options: { initial: readonly Attachment[]; most: number; check: CheckFile; onRefused: (sentences: readonly string[]) => void }) {
  const [list, apply] = useReducer(changeAttachments, options.initial)
  const now = useRef(list)
  const running = useRef(new Map<string, RunningUpload>())
  const files = useRef(new Map<string, File | Blob>())

  // what is read after a wait must be the list of that moment
  const change = (next: AttachmentChange) => {
    now.current = changeAttachments(now.current, next)
    apply(next)
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
    set(key, { state: 'uploading', sent: 0, problem: undefined })
    try {
      const { assetId, uploadUrl } = await call(createUpload, { params: ids, body: { fileName: uploadName(name, contentType), contentType, bytes: file.size } })
      if (!isHere(key)) return
      const upload = await startUpload(file, uploadUrl, {
        onProgress: (sent) => set(key, { sent }),
        onDone: () => void settle(key, assetId),
        onFailed: (problem) => set(key, { state: 'failed', problem }),
      })
      running.current.set(key, upload)
      if (!isHere(key)) upload.cancel()
    } catch (error) {
      set(key, { state: 'failed', problem: isFailure(error) ? (Object.values(error.errors)[0]?.[0] ?? error.detail ?? FAILED) : FAILED })
    }
  }
  /** The server has read the file: its word on type, size and sides counts. */
  const settle = async (key: string, assetId: string) => {
    running.current.delete(key)
    set(key, { state: 'reading' })
    try {
      const asset = await call(getAsset, { params: { ...ids, assetId } })
      if (asset.state === 'refused') return set(key, { state: 'failed', problem: asset.problem ?? 'This file cannot be used.' })
      set(key, { ...ofAsset(asset, altOf(key)), key, url: urlOf(key) })
      files.current.delete(key)
    } catch (error) {
      set(key, { state: 'failed', problem: isFailure(error) ? (error.detail ?? FAILED) : FAILED })
    }
  }
  const find = (key: string) => now.current.find((one) => one.key === key)
  const altOf = (key: string) => find(key)?.altText ?? ''
  const urlOf = (key: string) => find(key)?.url ?? ''

  return {
    list,
    /** Files that still have to arrive before the post can go. */
    busy: list.some((one) => one.state === 'uploading' || one.state === 'paused' || one.state === 'reading' || one.state === 'fitting'),

    /** `to` says where they belong and what is taken there; `onAdded` gets the key of each file that is taken. */
    async add(chosen: readonly File[], to: { most: number; held: number; check: CheckFile; onAdded: (key: string) => void } = { most: options.most, held: now.current.length, check: options.check, onAdded: () => undefined }) {
      const refused: string[] = []
      let { held } = to
      for (const file of chosen) {
        const facts = await probe(file)
        // what cannot be mended is not taken; the rest is attached and says what it needs
        const broken = to.check({ contentType: facts.contentType, bytes: facts.bytes }).find((error) => error.fix === undefined)
        const unreadable = !facts.contentType.startsWith('image/') ? 'documents are not supported' : undefined
        const full = held >= to.most ? `maximum ${to.most} image(s) allowed` : undefined
        const reason = broken?.message ?? unreadable ?? full
        if (reason) {
          refused.push(`${file.name}: ${reason}`)
          continue
        }
        const key = crypto.getRandomValues(new Uint32Array(3)).join('-')
        files.current.set(key, file)
        change({ type: 'added', attachment: { key, assetId: undefined, state: 'uploading', fileName: file.name, ...facts, url: URL.createObjectURL(file), altText: '', sent: 0, problem: undefined } })
        held += 1
        to.onAdded(key)
        // larger than the server takes at all: it can only be sent once it was made smaller here, which the person has to agree to
        if (file.size > MEDIA_BEFORE_CHANNEL.imageBytes) set(key, { state: 'failed', problem: `image size cannot exceed ${MEDIA_BEFORE_CHANNEL.imageBytes / 1_000_000} MB` })
        else void send(key, file, file.name, facts.contentType)
      }
      options.onRefused(refused)
    },

    /** Converts and shrinks the picture to what the platform takes; the original stays on the server. */
    async fit(key: string, { bytes: most, ...to }: FitFor) {
      const one = find(key)
      if (!one) return
      const file = files.current.get(key)
      if (!one.assetId) {
        if (!file) return
        set(key, { state: 'fitting', problem: undefined })
        const smaller = await shrink(file, Math.min(most, MEDIA_BEFORE_CHANNEL.imageBytes))
        if (!smaller) return set(key, { state: 'failed', problem: 'This browser cannot make this picture smaller. Save it as JPEG and attach it again.' })
        set(key, { contentType: smaller.type, bytes: smaller.size })
        return await send(key, smaller, '', smaller.type)
      }
      set(key, { state: 'fitting', problem: undefined })
      try {
        const asset = await call(fitAsset, { params: { ...ids, assetId: one.assetId }, body: to })
        set(key, { ...ofAsset(asset, altOf(key)), key })
      } catch (error) {
        set(key, { state: 'ready', problem: isFailure(error) ? (error.detail ?? FAILED) : FAILED })
      }
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
      set(key, { state: 'uploading' })
    },
    remove(key: string) {
      running.current.get(key)?.cancel()
      running.current.delete(key)
      files.current.delete(key)
      change({ type: 'removed', key })
    },
    move: (key: string, by: -1 | 1) => change({ type: 'moved', key, by }),
    describe: (key: string, altText: string) => set(key, { altText }),

    /** As the wire carries them: only what has arrived. */
    media: list.flatMap((one) => (one.assetId && one.state !== 'failed' ? [{ assetId: one.assetId, ...(one.altText.trim() ? { altText: one.altText.trim() } : {}) }] : [])),
  }
}
